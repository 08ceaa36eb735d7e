import { useForm } from '@mantine/form'
import { alertReads } from '../../alerts/alert-words.ts'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useDraft } from '../../ui/draft.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tellSuccess } from '../../ui/notices.tsx'
import { RuleFields } from './rule-form.tsx'
import { bodyOf, initialOf, type Values } from './rule-values.ts'
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
  const form = useForm<Values>({ initialValues: draft.start, onValuesChange: draft.keep })
  const create = useAction('POST /alert-rules', { invalidates: alertReads })
  const change = useAction('PATCH /alert-rules/{rule_id}', { invalidates: alertReads })
  const close = () => {
    draft.forget()
    onClose()
  }
  const save = async () => {
    const body = bodyOf(form.values)
    if (!rule) await create.mutateAsync({ body: { ...body, kind: form.values.kind } })
    else await change.mutateAsync({ path: { rule_id: String(rule.id) }, body })
    tellSuccess(rule ? t('Rule saved.') : t('Rule created.'))
    close()
  }
  return (
    <FormDialog
      title={rule ? t('Edit {name}', { name: rule.name }) : t('New alert rule')}
      action={rule ? t('Save') : t('Create')}
      needs="manage_devices"
      onSubmit={save}
      onClose={close}
    >
      {(errorOf) => (
        <RuleFields form={form} errorOf={errorOf} rule={rule} draft={draft} canMail={canMail} />
      )}
    </FormDialog>
  )
}
