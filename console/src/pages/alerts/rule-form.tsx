import {
  Autocomplete,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useEffect } from 'react'
import {
  type AlertKind,
  alertKindNames,
  type Severity,
  severityNames,
} from '../../alerts/alert-words.ts'
import { useMemberChoices } from '../../alerts/member-choices.ts'
import type { ApiError } from '../../api/client.ts'
import { useApi } from '../../api/hooks.ts'
import { TagChoiceField } from '../../tags/tag-fields.tsx'
import { DraftNotice, type KeptDraft } from '../../ui/draft.tsx'
import { DurationInput } from '../../ui/duration-input.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { shownIn } from '../../ui/formats.ts'
import { groupNames } from '../../ui/group-names.ts'
import { ErrorNotice } from '../../ui/notices.tsx'
import {
  type AlertRule,
  commonKeys,
  type SettingField,
  settingFields,
  unitOfKey,
  usualSeverity,
} from './rule-words.ts'

export interface Values {
  name: string
  kind: AlertKind
  severity: Severity
  /** Numbers; the name of a measurement is `key`. */
  settings: Record<string, number | string>
  group: string | null
  type: string | null
  network: string | null
  /** Empty for none. */
  tag: string
  recipients: string[]
  tells_back: boolean
  is_active: boolean
}

type Form = UseFormReturnType<Values>

interface RuleFormProps {
  rule: AlertRule | undefined
  draft: KeptDraft<Values>
  canMail: boolean
  error: ApiError | null
  isPending: boolean
  onSubmit: (values: Values) => void
  onClose: () => void
}

/** The condition of a rule, its devices, and the people it notifies. */
export function RuleForm({ rule, draft, canMail, error, isPending, ...does }: RuleFormProps) {
  const form = useForm<Values>({ initialValues: draft.start, onValuesChange: draft.keep })
  const { setErrors } = form
  useEffect(() => {
    if (error) setErrors(error.errors)
  }, [error, setErrors])
  const hasOwnPlace = error && Object.keys(error.errors).length > 0
  const isOfGateways = form.values.kind === 'gateway_silent'
  return (
    <form onSubmit={form.onSubmit(does.onSubmit)}>
      <Stack>
        <DraftNotice draft={draft} onStartOver={form.setValues} />
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <Select
          label="Looks for"
          required
          allowDeselect={false}
          disabled={rule !== undefined}
          data={Object.entries(alertKindNames).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('kind')}
          onChange={(value) => {
            const kind = value as AlertKind
            form.setValues({ kind, severity: usualSeverity[kind], settings: usualOf(kind) })
          }}
        />
        <Select
          label="Severity"
          allowDeselect={false}
          data={Object.entries(severityNames).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('severity')}
        />
        <SettingInputs form={form} />
        <Scope form={form} isOfGateways={isOfGateways} />
        <Recipients form={form} canMail={canMail} />
        <Switch
          label="Notify again when it ends"
          {...form.getInputProps('tells_back', { type: 'checkbox' })}
        />
        <Switch label="On" {...form.getInputProps('is_active', { type: 'checkbox' })} />
        {error && !hasOwnPlace && <ErrorNotice error={error} />}
        <FormButtons action={rule ? 'Save' : 'Create'} isBusy={isPending} onCancel={does.onClose} />
      </Stack>
    </form>
  )
}

function SettingInputs({ form }: { form: Form }) {
  const { kind } = form.values
  return (
    <>
      {kind === 'threshold' && (
        <Autocomplete
          label="Measurement"
          description="What the devices measure, such as temperature."
          required
          data={Object.keys(commonKeys)}
          {...form.getInputProps('settings.key')}
        />
      )}
      {settingFields[kind].map((field) => (
        <SettingInput key={field.name} field={field} form={form} />
      ))}
    </>
  )
}

function SettingInput({ field, form }: { field: SettingField; form: Form }) {
  const { name, label, description, min, step = 1, unit } = field
  const props = { label, description, ...form.getInputProps(`settings.${name}`) }
  if (unit === 'duration') {
    return <DurationInput {...props} value={form.values.settings[name] ?? ''} min={min} />
  }
  const shown = isMeasured(field) ? shownUnit(form.values) : unit
  const suffix = shown === undefined ? undefined : ` ${shown}`
  return <NumberInput {...props} min={min} step={step} suffix={suffix} />
}

/** The limits and the margin have the unit of the measurement, as the user reads it. */
function isMeasured({ unit }: SettingField): boolean {
  return unit === 'measured' || unit === 'span'
}

function shownUnit({ settings, type }: Values): string | undefined {
  const base = unitOfKey(settings.key, type)
  return shownIn(base)?.unit ?? base
}

/** Narrows the devices: all of them without a choice. */
function Scope({ form, isOfGateways }: { form: Form; isOfGateways: boolean }) {
  const groups = useApi('GET /fleet/groups', {})
  const types = useApi('GET /get-device-types', { query: { itemsPerPage: 1000 } })
  const networks = useApi('GET /fleet/networks', {})
  const shared = { placeholder: 'All', clearable: true, searchable: true }
  return (
    <>
      {!isOfGateways && (
        <>
          <Select
            label="Devices of the group"
            description="And of the groups below it."
            data={[...groupNames(groups.data?.data ?? [])].map(([id, label]) => ({
              value: String(id),
              label,
            }))}
            {...shared}
            {...form.getInputProps('group')}
          />
          <Select
            label="Of the type"
            data={(types.data?.data ?? []).map(({ id, full_name }) => ({
              value: String(id),
              label: full_name,
            }))}
            {...shared}
            {...form.getInputProps('type')}
          />
        </>
      )}
      <Select
        label="At the network"
        data={(networks.data?.data ?? []).map(({ key, name }) => ({ value: key, label: name }))}
        {...shared}
        {...form.getInputProps('network')}
      />
      <TagChoiceField {...form.getInputProps('tag')} />
    </>
  )
}

function Recipients({ form, canMail }: { form: Form; canMail: boolean }) {
  const people = useMemberChoices()
  return (
    <MultiSelect
      label="Mails to"
      description={
        canMail
          ? 'Alerts within a minute are sent in one mail.'
          : 'This service has no mail server yet.'
      }
      searchable
      data={people}
      {...form.getInputProps('recipients')}
    />
  )
}

export function initialOf(rule: AlertRule | undefined): Values {
  const kind = rule?.kind ?? 'device_silent'
  return {
    name: rule?.name ?? '',
    kind,
    severity: rule?.severity ?? usualSeverity[kind],
    settings: rule ? shownOf(rule) : usualOf(kind),
    group: textOf(rule?.group),
    type: textOf(rule?.type),
    network: rule?.network ?? null,
    tag: rule?.tag ?? '',
    recipients: (rule?.recipients ?? []).map(String),
    tells_back: rule?.tells_back ?? true,
    is_active: rule?.is_active ?? true,
  }
}

function usualOf(kind: AlertKind): Values['settings'] {
  const numbers = settingFields[kind].map(({ name, usual }) => [name, usual ?? ''] as const)
  return { ...(kind === 'threshold' ? { key: 'temperature' } : {}), ...Object.fromEntries(numbers) }
}

function shownOf({ kind, settings, type }: AlertRule): Values['settings'] {
  const shown = Object.entries(settings).map(([name, value]) => {
    return [name, typeof value === 'number' || typeof value === 'string' ? value : ''] as const
  })
  return convert({ kind, settings: Object.fromEntries(shown), type }, 'shown')
}

/** The limits of a measurement, from its base unit to the one that the user reads, or back. */
function convert(
  { kind, settings, type }: Pick<Values, 'kind' | 'settings'> & { type: unknown },
  to: 'shown' | 'base',
): Values['settings'] {
  const conversion = shownIn(unitOfKey(settings.key, type))
  if (!conversion) return settings
  const { factor } = conversion
  const span = (value: number) =>
    Number((to === 'shown' ? value * factor : value / factor).toPrecision(12))
  const changed = settingFields[kind].filter(isMeasured).flatMap(({ name, unit }) => {
    const value = settings[name]
    if (value === '' || value === undefined) return []
    const limit = to === 'shown' ? conversion.convert : conversion.revert
    return [[name, unit === 'span' ? span(Number(value)) : limit(Number(value))] as const]
  })
  return { ...settings, ...Object.fromEntries(changed) }
}

/** The body of a request; an empty number is none. */
export function bodyOf({ settings, group, type, recipients, kind, ...values }: Values) {
  const sent = Object.entries(convert({ kind, settings, type }, 'base')).map(([name, value]) => [
    name,
    value === '' ? null : value,
  ])
  const isOfGateways = kind === 'gateway_silent'
  return {
    ...values,
    settings: Object.fromEntries(sent) as Record<string, unknown>,
    group: isOfGateways ? null : numberOf(group),
    type: isOfGateways ? null : numberOf(type),
    recipients: recipients.map(Number),
  }
}

function numberOf(text: string | null): number | null {
  return text === null ? null : Number(text)
}

function textOf(id: number | null | undefined): string | null {
  return id === null || id === undefined ? null : String(id)
}
