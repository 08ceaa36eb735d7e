import {
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { useMemberChoices } from '../../alerts/member-choices.ts'
import type { Schemas } from '../../api/generated.ts'
import { useAction, useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { SourceFields } from '../../sources/source-fields.tsx'
import { DraftNotice, useDraft } from '../../ui/draft.tsx'
import type { ErrorOf } from '../../ui/form.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tellSuccess } from '../../ui/notices.tsx'

export type Report = Schemas['Report']

export const periodNames = { weekly: t('Every week'), monthly: t('Every month') } as const

interface Values {
  name: string
  period: keyof typeof periodNames
  about: 'measurements' | 'dashboard'
  source: Schemas['WidgetSource']
  dashboard: string | null
  recipients: string[]
  is_active: boolean
}

function initialOf(report: Report | undefined): Values {
  return {
    name: report?.name ?? '',
    period: report?.period ?? 'weekly',
    about: report?.dashboard ? 'dashboard' : 'measurements',
    source: report?.series[0] ?? {},
    dashboard: report?.dashboard ?? null,
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
    tellSuccess(report ? t('Report saved.') : t('Report created.'))
    draft.forget()
    onClose()
  }
  return (
    <FormDialog
      title={report ? t('Edit {name}', { name: report.name }) : t('New report')}
      action={report ? t('Save') : t('Create')}
      needs="manage_widget_dashboard"
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <DraftNotice draft={draft} onStartOver={setValues} />
          <TextInput
            label={t('Name')}
            required
            data-autofocus
            value={values.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
            error={errorOf('name')}
          />
          <SegmentedControl
            aria-label={t('How often')}
            data={Object.entries(periodNames).map(([value, label]) => ({ value, label }))}
            value={values.period}
            onChange={(period) => set({ period: period as Values['period'] })}
          />
          <AboutFields values={values} set={set} errorOf={errorOf} />
          <MultiSelect
            label={t('Mails to')}
            description={t('Members who are not limited to a group.')}
            required
            searchable
            data={people}
            value={values.recipients}
            onChange={(recipients) => set({ recipients })}
            error={errorOf('recipients')}
          />
          <Switch
            label={t('Send by itself')}
            description={t(
              "At six in the morning after the week or month, in the organization's time zone.",
            )}
            checked={values.is_active}
            onChange={({ currentTarget }) => set({ is_active: currentTarget.checked })}
          />
        </>
      )}
    </FormDialog>
  )
}

interface AboutFieldsProps {
  values: Values
  set: (changes: Partial<Values>) => void
  errorOf: ErrorOf
}

/** Measurements of devices, or a dashboard. */
function AboutFields({ values, set, errorOf }: AboutFieldsProps) {
  return (
    <>
      <SegmentedControl
        aria-label={t('What it shows')}
        data={[
          { value: 'measurements', label: t('Measurements') },
          { value: 'dashboard', label: t('A dashboard') },
        ]}
        value={values.about}
        onChange={(about) => set({ about: about as Values['about'] })}
      />
      {values.about === 'dashboard' ? (
        <DashboardSelect
          value={values.dashboard}
          onChange={(dashboard) => set({ dashboard })}
          error={errorOf('dashboard')}
        />
      ) : (
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
      )}
    </>
  )
}

interface DashboardSelectProps {
  value: string | null
  onChange: (id: string | null) => void
  error: string | undefined
}

/** Those that everybody in the organization sees, also those that are made by themselves. */
function DashboardSelect({ value, onChange, error }: DashboardSelectProps) {
  const { data } = useApi('GET /dashboards', {})
  const shown = (data?.data ?? []).filter(({ shared }) => shared === 'organization')
  return (
    <Select
      label={t('Dashboard')}
      description={t('Its charts, tables and values, without maps and floor plans.')}
      placeholder={t('Choose a dashboard')}
      required
      searchable
      data={shown.map(({ id, name, made_for }) => ({
        value: id,
        label: made_for
          ? `${name} (${made_for.group === null ? t('device type') : t('group')})`
          : name,
      }))}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}

function useSave(report: Report | undefined) {
  const invalidates = ['GET /reports'] as const
  const create = useAction('POST /reports', { invalidates })
  const change = useAction('PATCH /reports/{report_id}', { invalidates })
  return ({ source, recipients, about, dashboard, ...rest }: Values) => {
    // A report that was made by the API may have further series: they stay.
    const series = [source, ...(report?.series.slice(1) ?? [])]
    const what = about === 'dashboard' ? { dashboard } : { series }
    const body = { ...rest, ...what, recipients: recipients.map(Number) }
    if (!report) return create.mutateAsync({ body })
    return change.mutateAsync({ path: { report_id: String(report.id) }, body })
  }
}
