import { MultiSelect, SegmentedControl, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMemberChoices } from '../../alerts/member-choices.ts'
import type { Schemas } from '../../api/generated.ts'
import { useAction } from '../../api/hooks.ts'
import { SourceFields } from '../../sources/source-fields.tsx'
import { DraftNotice, useDraft } from '../../ui/draft.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tellSuccess } from '../../ui/notices.tsx'

export type Report = Schemas['Report']

export const periodNames = { weekly: 'Every week', monthly: 'Every month' } as const

interface Values {
  name: string
  period: keyof typeof periodNames
  source: Schemas['WidgetSource']
  recipients: string[]
  is_active: boolean
}

function initialOf(report: Report | undefined): Values {
  return {
    name: report?.name ?? '',
    period: report?.period ?? 'weekly',
    source: report?.series[0] ?? {},
    recipients: (report?.recipients ?? []).map(String),
    is_active: report?.is_active ?? true,
  }
}

interface ReportDialogProps {
  /** Undefined for a new one. */
  report: Report | undefined
  onClose: () => void
}

/** Makes a report, or changes one. */
export function ReportDialog({ report, onClose }: ReportDialogProps) {
  const draft = useDraft(`report ${report?.id ?? 'new'}`, initialOf(report))
  const [values, setValues] = useState(draft.start)
  const people = useMemberChoices()
  const set = (changes: Partial<Values>) => {
    const changed = { ...values, ...changes }
    setValues(changed)
    draft.keep(changed)
  }
  const save = useSave(report)
  const submit = async () => {
    await save(values)
    tellSuccess(report ? 'Report saved.' : 'Report created.')
    draft.forget()
    onClose()
  }
  return (
    <FormDialog
      title={report ? `Edit ${report.name}` : 'New report'}
      action={report ? 'Save' : 'Create'}
      needs="manage_widget_dashboard"
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <DraftNotice draft={draft} onStartOver={setValues} />
          <TextInput
            label="Name"
            required
            data-autofocus
            value={values.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            error={errorOf('name')}
          />
          <SegmentedControl
            aria-label="How often"
            data={Object.entries(periodNames).map(([value, label]) => ({ value, label }))}
            value={values.period}
            onChange={(period) => set({ period: period as Values['period'] })}
          />
          <Stack gap="xs">
            <SourceFields
              source={values.source}
              isMeasured
              isOfSome
              variable={null}
              onChange={(source) => set({ source })}
            />
            <Text size="xs" c="red" role="alert">
              {errorOf('series') ?? errorOf('series.0') ?? errorOf('series.0.group')}
            </Text>
          </Stack>
          <MultiSelect
            label="Mails to"
            description="Members who are not limited to a group."
            required
            searchable
            data={people}
            value={values.recipients}
            onChange={(recipients) => set({ recipients })}
            error={errorOf('recipients')}
          />
          <Switch
            label="Send by itself"
            description="At six in the morning after the week or month, in the organization's time zone."
            checked={values.is_active}
            onChange={({ currentTarget }) => set({ is_active: currentTarget.checked })}
          />
        </>
      )}
    </FormDialog>
  )
}

function useSave(report: Report | undefined) {
  const invalidates = ['GET /reports'] as const
  const create = useAction('POST /reports', { invalidates })
  const change = useAction('PATCH /reports/{report_id}', { invalidates })
  return ({ source, recipients, ...rest }: Values) => {
    // A report that was made by the API may have further series: they stay.
    const series = [source, ...(report?.series.slice(1) ?? [])]
    const body = { ...rest, series, recipients: recipients.map(Number) }
    if (!report) return create.mutateAsync({ body })
    return change.mutateAsync({ path: { report_id: String(report.id) }, body })
  }
}
