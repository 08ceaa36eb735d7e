import { Autocomplete, MultiSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import {
  type AlertKind,
  alertKindNames,
  gatewayKinds,
  severityNames,
} from '../../alerts/alert-words.ts'
import { useMemberChoices } from '../../alerts/member-choices.ts'
import { useApi } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { useGroupChoices, useTypeChoices } from '../../sources/choices.ts'
import { DeviceIdSelect } from '../../sources/source-selects.tsx'
import { TagChoiceField } from '../../tags/tag-fields.tsx'
import { DraftNotice, type KeptDraft } from '../../ui/draft.tsx'
import { DurationInput } from '../../ui/duration-input.tsx'
import { shownIn } from '../../ui/formats.ts'
import { ActionFields } from './action-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { conditionsOf, scenarios } from './condition-values.ts'
import { RulePreview } from './rule-preview.tsx'
import { bodyOf, isMeasured, usualOf, type Values } from './rule-values.ts'
import {
  type AlertRule,
  commonKeys,
  type SettingField,
  settingFields,
  unitOfKey,
  usualSeverity,
} from './rule-words.ts'

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
        label={t('Name')}
        required
        data-autofocus
        {...form.getInputProps('name')}
        error={errorOf('name')}
      />
      <LooksForField form={form} errorOf={errorOf} isStored={rule !== undefined} />
      <Select
        label={t('Severity')}
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
      <Scope form={form} errorOf={errorOf} isOfGateways={gatewayKinds.includes(kind)} />
      {previewed.includes(kind) && (
        <RulePreview bodyOf={() => ({ ...bodyOf(form.values), name: t('Preview'), kind })} />
      )}
      <ActionFields
        actions={form.values.actions}
        perHour={form.values.perHour}
        onChange={(change) => form.setValues(change)}
        errorOf={errorOf}
      />
      <Recipients form={form} errorOf={errorOf} canMail={canMail} />
      <Switch
        label={t('Notify again when it ends')}
        {...form.getInputProps('tells_back', { type: 'checkbox' })}
      />
      <Switch label={t('On')} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </>
  )
}

/** The kinds, and what conditions are made for most often. */
const looks = [
  ...Object.entries(alertKindNames).map(([value, label]) => ({ value, label })),
  ...Object.entries(scenarios).map(([name, { label }]) => ({ value: `condition ${name}`, label })),
]

function LooksForField({ form, errorOf, isStored }: PartProps & { isStored: boolean }) {
  return (
    <Select
      label={t('Looks for')}
      required
      allowDeselect={false}
      disabled={isStored}
      data={looks}
      {...form.getInputProps('look')}
      error={errorOf('kind')}
      onChange={(chosen) => {
        const [kind, scenario = ''] = String(chosen).split(' ') as [AlertKind, string?]
        const minutes = scenario === 'open' ? 10 : 0
        form.setValues({
          ...{ kind, look: String(chosen), severity: usualSeverity[kind] },
          settings: { ...usualOf(kind), ...(kind === 'condition' && { minutes }) },
          conditions: { ...conditionsOf(undefined), ...scenarios[scenario]?.conditions },
        })
      }}
    />
  )
}

interface PartProps {
  form: Form
  errorOf: ErrorOf
}

function SettingInputs({ form, errorOf }: PartProps) {
  const { kind, conditions } = form.values
  const isOften = kind === 'condition' && conditions.isOften
  return (
    <>
      {kind === 'threshold' && (
        <Autocomplete
          label={t('Measurement')}
          description={t('What the devices measure, such as temperature.')}
          required
          data={Object.keys(commonKeys)}
          {...form.getInputProps('settings.key')}
          error={errorOf('settings.key')}
        />
      )}
      {(isOften ? [] : settingFields[kind]).map((field) => (
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

function shownUnit({ settings, type }: Values): string | undefined {
  const base = unitOfKey(settings.key, type)
  return shownIn(base)?.unit ?? base
}

/** Narrows the devices: all of them without a choice. */
function Scope({ form, errorOf, isOfGateways }: PartProps & { isOfGateways: boolean }) {
  const groups = useGroupChoices()
  const types = useTypeChoices()
  const networks = useApi('GET /fleet/networks', {})
  const shared = { placeholder: t('All'), clearable: true, searchable: true }
  return (
    <>
      {!isOfGateways && (
        <>
          <DeviceIdSelect
            label={t('Device')}
            description={t('Only this one; empty: all that the following fields choose.')}
            value={form.values.device}
            error={errorOf('device')}
            onChange={(device) => form.setValues({ device })}
          />
          <Select
            label={t('Devices of the group')}
            description={t('And of the groups below it.')}
            data={groups}
            {...shared}
            {...form.getInputProps('group')}
            error={errorOf('group')}
          />
          <Select
            label={t('Of the type')}
            data={types}
            {...shared}
            {...form.getInputProps('type')}
            error={errorOf('type')}
          />
        </>
      )}
      <Select
        label={t('At the network')}
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
      label={t('Mails to')}
      description={
        canMail
          ? t('Alerts within a minute are sent in one mail.')
          : t('This service has no mail server yet.')
      }
      searchable
      data={people}
      {...form.getInputProps('recipients')}
      error={errorOf('recipients')}
    />
  )
}
