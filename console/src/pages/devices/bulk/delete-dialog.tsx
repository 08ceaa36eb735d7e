import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ErrorNotice } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import { type Chosen, startJob } from './start-job.ts'
import { useStart } from './use-start.ts'

interface DeleteDialogProps {
  chosen: Chosen
  onStarted: (jobId: number) => void
  onClose: () => void
}

/** Beyond so many devices their number has to be typed. */
const mostUntyped = 20

export function DeleteDialog({ chosen, onStarted, onClose }: DeleteDialogProps) {
  const [typed, setTyped] = useState('')
  const [done, setDone] = useState(0)
  const { isBusy, error, start } = useStart(onStarted)
  const count = chosen.ids.length
  const needsTyping = count > mostUntyped
  const isSure = !needsTyping || typed.replace(/[\s,.]/g, '') === String(count)
  return (
    <Stack>
      <Text size="sm">
        {count === 1
          ? 'The device is deleted here and at its network. Its uplinks are no longer shown. This cannot be undone.'
          : 'The devices are deleted here and at their networks. Their uplinks are no longer shown. This cannot be undone.'}
      </Text>
      {needsTyping && (
        <TextInput
          data-autofocus
          label={`Type ${count} to confirm`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {isBusy && done > 0 && (
        <Text size="sm" role="status">
          {done} of {count} read
        </Text>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus={!needsTyping || undefined}>
          Cancel
        </Button>
        <Button
          color="red"
          loading={isBusy}
          disabled={!isSure}
          onClick={() => start(() => startJob({ kind: 'delete' }, chosen, setDone))}
        >
          Delete {countOf(count, 'device')}
        </Button>
      </Group>
    </Stack>
  )
}
