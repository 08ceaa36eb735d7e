import { useState } from 'react'
import { alertReads } from '../../alerts/alert-words.ts'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import type { AlertRule } from './rule-words.ts'

/** Deletes a rule after a question; its history stays. */
export function DeleteRule({ rule }: { rule: AlertRule }) {
  const [isAsking, setAsking] = useState(false)
  const remove = useAction('DELETE /alert-rules/{rule_id}', {
    invalidates: alertReads,
  })
  return (
    <>
      <ActionButton
        needs="manage_devices"
        size="compact-sm"
        variant="default"
        onClick={() => setAsking(true)}
      >
        {t('Delete')}
      </ActionButton>
      <Confirm
        opened={isAsking}
        title={t('Delete {name}?', { name: rule.name })}
        action="Delete"
        onConfirm={() => remove.mutateAsync({ path: { rule_id: String(rule.id) } })}
        onClose={() => setAsking(false)}
      >
        {t('Its open alerts end without a notification. Past alerts are kept.')}
      </Confirm>
    </>
  )
}
