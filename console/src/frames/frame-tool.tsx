import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useAction } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import classes from './frame-bytes.module.css'
import { FrameBytes } from './frame-bytes.tsx'
import { valueText } from './frame-values.ts'

interface FrameToolProps {
  /** Whose frames are entered. */
  deviceType: number
  /** What stands in the field at first. */
  example: string
}

/** Takes any entered frame of a type apart. */
export function FrameTool({ deviceType, example }: FrameToolProps) {
  const [payload, setPayload] = useState(example)
  const explain = useAction('POST /frames/explain')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    explain.mutate({ body: { device_type: deviceType, payload } })
  }
  const frame = explain.data?.data
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        {t('Decode a frame')}
      </Title>
      <form onSubmit={submit}>
        <Group align="end" gap="xs">
          <TextInput
            label={t('Payload in hexadecimal')}
            value={payload}
            onChange={(event) => setPayload(event.currentTarget.value)}
            classNames={{ input: classes.mono }}
            flex="1 1 16rem"
            maw="32rem"
            spellCheck={false}
            error={explain.error?.errors.payload?.[0]}
          />
          <Button type="submit" variant="default" loading={explain.isPending}>
            {t('Decode')}
          </Button>
        </Group>
      </form>
      {explain.error && !explain.error.errors.payload && <ErrorNotice error={explain.error} />}
      {frame?.error && (
        <Alert color="yellow" variant="outline" title={t('The frame could not be decoded')}>
          {frame.error}
        </Alert>
      )}
      {frame && !frame.error && (
        <Text size="sm">
          {frame.event_type}: {valueText(frame.decoded_object.eventDescription)}
        </Text>
      )}
      {frame && <FrameBytes bytes={frame.bytes} parts={frame.parts} />}
    </Stack>
  )
}
