import { Button, Group, NativeSelect, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { type Draft, toBody } from './draft.ts'
import { ReplayedUplinks } from './replayed-uplinks.tsx'

interface TryStoredProps {
  draft: Draft
  /** The type that is edited: its devices are chosen at first. */
  typeId?: number | undefined
}

/** Reads stored uplinks of a device or a type with the draft. Nothing is changed. */
export function TryStored({ draft, typeId }: TryStoredProps) {
  const [device, setDevice] = useState('')
  const [type, setType] = useState(typeId === undefined ? '' : String(typeId))
  const [last, setLast] = useState('20')
  const catalogue = useApi('GET /catalogue', {}, { staleTime: 60_000 })
  const attempt = useAction('POST /device-types/try')
  const { payload_format, codec } = toBody(draft)
  const run = () =>
    attempt.mutate({
      body: {
        payload_format,
        codec,
        last: Number(last),
        ...(device.trim() ? { device: device.trim() } : { device_type: Number(type) }),
      },
    })
  const replay = attempt.data?.data.replay
  return (
    <Stack gap="xs" component="section" aria-label={t('Stored uplinks')}>
      <Title order={2} size="h4">
        {t('Try on stored uplinks')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('Stored uplinks are decoded with this codec and compared. Nothing is changed.')}
      </Text>
      <Group align="end" gap="xs">
        <Select
          label={t('Devices of a type')}
          data={(catalogue.data?.data ?? []).map(({ id, full_name }) => ({
            value: String(id),
            label: full_name,
          }))}
          value={type === '' ? null : type}
          onChange={(next) => setType(next ?? '')}
          searchable
          flex="1 1 12rem"
        />
        <TextInput
          label={t('Or one device')}
          placeholder="DevEUI"
          value={device}
          onChange={(event) => setDevice(event.currentTarget.value)}
          error={attempt.error?.errors.device?.[0]}
          flex="1 1 11rem"
        />
        <NativeSelect
          label={t('Latest')}
          data={['5', '20', '100']}
          value={last}
          onChange={(event) => setLast(event.currentTarget.value)}
        />
        <Button
          variant="default"
          onClick={run}
          loading={attempt.isPending}
          disabled={!device.trim() && type === ''}
        >
          {t('Decode')}
        </Button>
      </Group>
      {attempt.error && !attempt.error.errors.device && <ErrorNotice error={attempt.error} />}
      {replay && <ReplayedUplinks replay={replay} />}
    </Stack>
  )
}
