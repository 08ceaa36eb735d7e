import { Select } from '@mantine/core'
import { useState } from 'react'
import { useAction } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { type Alert, alertReads } from './alert-words.ts'
import { useMemberChoices } from './member-choices.ts'

/** Gives an alert to the colleague who looks after it. */
export function AssignDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const [member, setMember] = useState(alert.assigned_to ? String(alert.assigned_to.id) : null)
  const members = useMemberChoices()
  const change = useAction('PATCH /alerts/{alert_id}', { invalidates: alertReads })
  const save = async () => {
    const body = { assignee: member === null ? null : Number(member) }
    await change.mutateAsync({ path: { alert_id: String(alert.id) }, body })
    onClose()
  }
  return (
    <FormDialog
      title={alert.rule_name}
      action={t('Save')}
      needs="manage_devices"
      onSubmit={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <Select
          label={t('Assigned to')}
          placeholder={t('Nobody')}
          clearable
          searchable
          data-autofocus
          data={members}
          value={member}
          error={errorOf('assignee')}
          onChange={setMember}
        />
      )}
    </FormDialog>
  )
}
