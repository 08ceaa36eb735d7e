import { Button, Group, Modal, Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { DateTimeField } from '../../../ui/date-time-field.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { countOf } from '../../../ui/numbers.ts'
import { type Webhook, webhookReads } from './webhook-words.ts'

/** Sends the events of a time once more, or the dead letters. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [what, setWhat] = useState<'time' | 'dead'>('time')
  const [from, setFrom] = useState<string>()
  const [to, setTo] = useState<string>()
  const replay = useAction('POST /webhooks/{webhook_id}/replay', {
    invalidates: webhookReads,
    onSuccess: ({ data: { uplinks, others } }) => {
      tellSuccess(`${countOf(uplinks + others, 'event')} will be sent.`)
      onClose()
    },
  })
  const send = () =>
    replay.mutate({
      path: { webhook_id: String(webhook.id) },
      body: what === 'dead' ? { dead_letters: true } : { from, ...(to !== undefined && { to }) },
    })
  return (
    <Modal opened onClose={onClose} title="Send once more">
      <Stack>
        <Radio.Group
          label="What"
          description="Each event has the id that it had before, so a receiver can drop what it has."
          value={what}
          onChange={(value) => setWhat(value as 'time' | 'dead')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="time" label="The events of a time" />
            <Radio value="dead" label={`The dead letters (${webhook.health.dead_letters})`} />
          </Stack>
        </Radio.Group>
        {what === 'time' && (
          <>
            <DateTimeField label="From" required value={from} onChange={setFrom} />
            <DateTimeField
              label="To"
              description="Now, if it is left empty."
              value={to}
              onChange={setTo}
            />
          </>
        )}
        {replay.error && <ErrorNotice error={replay.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            loading={replay.isPending}
            disabled={what === 'time' && from === undefined}
            onClick={send}
          >
            Send
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
