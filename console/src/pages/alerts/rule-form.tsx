import { Autocomplete, MultiSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import {
  type AlertKind,
  alertKindNames,
  type Severity,
  severityNames,
} from '../../alerts/alert-words.ts'
import { useMemberChoices } from '../../alerts/member-choices.ts'
import { useApi } from '../../api/hooks.ts'
import { useGroupChoices, useTypeChoices } from '../../sources/choices.ts'
import { TagChoiceField } from '../../tags/tag-fields.tsx'
import { DraftNotice, type KeptDraft } from '../../ui/draft.tsx'
import { DurationInput } from '../../ui/duration-input.tsx'
import { shownIn } from '../../ui/formats.ts'
import {
  ConditionFields,
  type ConditionValues,
  conditionsOf,
  settingsOfConditions,
} from './condition-fields.tsx'
import { RulePreview } from './rule-preview.tsx'
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
  conditions: ConditionValues
  group: string | null
  type: string | null
  network: string | null
  /** Empty for none. */
  tag: string
  recipients: string[]
  tells_back: boolean
  is_active: boolean
}

export type Form = UseFormReturnType<Values>
type ErrorOf = (field: string) => string | undefined

interface RuleFieldsProps {
  form: Form
  errorOf: ErrorOf
  rule: AlertRule | undefined
  draft: KeptDraft<Values>
  canMail: boolean
}

/** Kinds that stored messages tell. */
const previewed: readonly AlertKind[] = ['threshold', 'condition', 'tamper']

/** The condition of a rule, its devices, and the people it notifies. */
export function RuleFields({ form, errorOf, rule, draft, canMail }: RuleFieldsProps) {
  const { kind } = form.values
  return (
    <>
      <DraftNotice draft={draft} onStartOver={form.setValues} />
      <TextInput
        label="Name"
        required
        data-autofocus
        {...form.getInputProps('name')}
        error={errorOf('name')}
      />
      <Select
        label="Looks for"
        required
        allowDeselect={false}
        disabled={rule !== undefined}
        data={Object.entries(alertKindNames).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('kind')}
        error={errorOf('kind')}
        onChange={(value) => {
          const next = value as AlertKind
          form.setValues({
            kind: next,
            severity: usualSeverity[next],
            settings: usualOf(next),
          })
        }}
      />
      <Select
        label="Severity"
        allowDeselect={false}
        data={Object.entries(severityNames).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('severity')}
        error={errorOf('severity')}
      />
      {kind === 'condition' && (
        <ConditionFields
          values={form.values.conditions}
          onChange={(change) =>
            form.setValues({ conditions: { ...form.values.conditions, ...change } })
          }
          errorOf={errorOf}
        />
      )}
      <SettingInputs form={form} errorOf={errorOf} />
      <Scope form={form} errorOf={errorOf} isOfGateways={kind === 'gateway_silent'} />
      {previewed.includes(kind) && (
        <RulePreview bodyOf={() => ({ ...bodyOf(form.values), name: 'Preview', kind })} />
      )}
      <Recipients form={form} errorOf={errorOf} canMail={canMail} />
      <Switch
        label="Notify again when it ends"
        {...form.getInputProps('tells_back', { type: 'checkbox' })}
      />
      <Switch label="On" {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </>
  )
}

interface PartProps {
  form: Form
  errorOf: ErrorOf
}

function SettingInputs({ form, errorOf }: PartProps) {
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
          error={errorOf('settings.key')}
        />
      )}
      {settingFields[kind].map((field) => (
        <SettingInput key={field.name} field={field} form={form} errorOf={errorOf} />
      ))}
    </>
  )
}

function SettingInput({ field, form, errorOf }: PartProps & { field: SettingField }) {
  const { name, label, description, min, step = 1, unit } = field
  const props = {
    ...{ label, description, ...form.getInputProps(`settings.${name}`) },
    error: errorOf(`settings.${name}`),
  }
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
function Scope({ form, errorOf, isOfGateways }: PartProps & { isOfGateways: boolean }) {
  const groups = useGroupChoices()
  const types = useTypeChoices()
  const networks = useApi('GET /fleet/networks', {})
  const shared = { placeholder: 'All', clearable: true, searchable: true }
  return (
    <>
      {!isOfGateways && (
        <>
          <Select
            label="Devices of the group"
            description="And of the groups below it."
            data={groups}
            {...shared}
            {...form.getInputProps('group')}
            error={errorOf('group')}
          />
          <Select
            label="Of the type"
            data={types}
            {...shared}
            {...form.getInputProps('type')}
            error={errorOf('type')}
          />
        </>
      )}
      <Select
        label="At the network"
        data={(networks.data?.data ?? []).map(({ key, name }) => ({ value: key, label: name }))}
        {...shared}
        {...form.getInputProps('network')}
        error={errorOf('network')}
      />
      <TagChoiceField {...form.getInputProps('tag')} error={errorOf('tag')} />
    </>
  )
}

function Recipients({ form, errorOf, canMail }: PartProps & { canMail: boolean }) {
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
      error={errorOf('recipients')}
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
    conditions: conditionsOf(kind === 'condition' ? rule?.settings : undefined),
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
  const names = new Set(settingFields[kind].map(({ name }) => name)).add('key')
  const plain = Object.entries(settings).filter(([name]) => names.has(name))
  const shown = plain.map(([name, value]) => {
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
export function bodyOf(typed: Values) {
  const { settings, conditions, group, type, recipients, kind, ...values } = typed
  const sent = Object.entries(convert({ kind, settings, type }, 'base')).map(([name, value]) => [
    name,
    value === '' ? null : value,
  ])
  const isOfGateways = kind === 'gateway_silent'
  return {
    ...values,
    settings: {
      ...(Object.fromEntries(sent) as Record<string, unknown>),
      ...(kind === 'condition' ? settingsOfConditions(conditions) : {}),
    },
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
