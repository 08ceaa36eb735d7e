import { Modal } from '@mantine/core'
import { alertReads } from '../../alerts/alert-words.ts'
import { useAction } from '../../api/hooks.ts'
import { useDraft } from '../../ui/draft.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import { bodyOf, initialOf, RuleForm } from './rule-form.tsx'
import type { AlertRule } from './rule-words.ts'

interface RuleDialogProps {
  /** Undefined for a new one. */
  rule: AlertRule | undefined
  canMail: boolean
  onClose: () => void
}

/** Makes a rule, or changes one. */
export function RuleDialog({ rule, canMail, onClose }: RuleDialogProps) {
  const draft = useDraft(`alert rule ${rule?.id ?? 'new'}`, initialOf(rule))
  const close = () => {
    draft.forget()
    onClose()
  }
  const done = (words: string) => ({
    invalidates: alertReads,
    onSuccess: () => {
      tellSuccess(words)
      close()
    },
  })
  const create = useAction('POST /alert-rules', done('Rule created.'))
  const change = useAction('PATCH /alert-rules/{rule_id}', done('Rule saved.'))
  return (
    <Modal opened onClose={onClose} title={rule ? `Edit ${rule.name}` : 'New alert rule'}>
      <RuleForm
        rule={rule}
        draft={draft}
        canMail={canMail}
        error={create.error ?? change.error}
        isPending={create.isPending || change.isPending}
        onClose={close}
        onSubmit={(values) => {
          const body = bodyOf(values)
          if (!rule) create.mutate({ body: { ...body, kind: values.kind } })
          else change.mutate({ path: { rule_id: String(rule.id) }, body })
        }}
      />
    </Modal>
  )
}
