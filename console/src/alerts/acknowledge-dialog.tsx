import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../api/hooks.ts'
import { ErrorNotice, tellSuccess } from '../ui/notices.tsx'
import { countOf } from '../ui/numbers.ts'
import { type Alert, alertReads } from './alert-words.ts'

interface AcknowledgeDialogProps {
  alert: Alert
  onClose: () => void
}

/** Says that somebody has seen an alert, or all open ones of its rule, with a note. */
export function AcknowledgeDialog({ alert, onClose }: AcknowledgeDialogProps) {
  const [note, setNote] = useState(alert.note ?? '')
  const body = { note: note.trim() === '' ? null : note.trim() }
  const one = useAction('POST /alerts/{alert_id}/acknowledge', {
    invalidates: alertReads,
    onSuccess: onClose,
  })
  const all = useAction('POST /alerts/acknowledge', {
    invalidates: alertReads,
    onSuccess: ({ data }) => {
      tellSuccess(`${countOf(data.acknowledged, 'alert')} acknowledged.`)
      onClose()
    },
  })
  const error = one.error ?? all.error
  return (
    <Modal opened onClose={onClose} title={alert.rule_name}>
      <Stack>
        <Textarea
          label="Note"
          description="For colleagues, such as what is being done."
          autosize
          minRows={2}
          maxLength={1000}
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {error && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {alert.state === 'open' && (
            <Button
              variant="default"
              loading={all.isPending}
              onClick={() => all.mutate({ body: { ...body, rule: alert.rule_id } })}
            >
              All of this rule
            </Button>
          )}
          <Button
            loading={one.isPending}
            onClick={() => one.mutate({ path: { alert_id: String(alert.id) }, body })}
          >
            {alert.acknowledged_at === null ? 'Acknowledge' : 'Save'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
