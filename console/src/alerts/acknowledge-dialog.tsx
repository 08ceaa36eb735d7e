import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { tellFailure, tellSuccess } from '../ui/notices.tsx'
import { AlertNotes } from './alert-notes.tsx'
import { type Alert, alertReads } from './alert-words.ts'

interface AcknowledgeDialogProps {
  alert: Alert
  onClose: () => void
}

/** Says that somebody has seen an alert, or all open ones of its rule, with a note. */
export function AcknowledgeDialog({ alert, onClose }: AcknowledgeDialogProps) {
  const [note, setNote] = useState('')
  const body = { note: note.trim() === '' ? null : note.trim() }
  const one = useAction('POST /alerts/{alert_id}/acknowledge', { invalidates: alertReads })
  const all = useAction('POST /alerts/acknowledge', {
    invalidates: alertReads,
    onSuccess: ({ data }) => {
      tellSuccess(
        t('{acknowledged, plural, one {# alert} other {# alerts}} acknowledged.', {
          acknowledged: data.acknowledged,
        }),
      )
      onClose()
    },
    onError: (error) => tellFailure(t('Not acknowledged'), error),
  })
  const acknowledge = async () => {
    await one.mutateAsync({ path: { alert_id: String(alert.id) }, body })
    onClose()
  }
  return (
    <FormDialog
      title={alert.rule_name}
      action={alert.acknowledged_at === null ? t('Acknowledge') : t('Add the note')}
      needs="manage_devices"
      onSubmit={acknowledge}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <AlertNotes notes={alert.notes} />
          <Textarea
            label={t('Note')}
            description={t('For colleagues, such as what is being done.')}
            autosize
            minRows={2}
            maxLength={1000}
            data-autofocus
            value={note}
            error={errorOf('note')}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {alert.state === 'open' && (
            <Button
              variant="default"
              loading={all.isPending}
              onClick={() => all.mutate({ body: { ...body, rule: alert.rule_id } })}
            >
              {t('All of this rule')}
            </Button>
          )}
        </>
      )}
    </FormDialog>
  )
}
