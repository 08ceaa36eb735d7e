import { MultiSelect, Select } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../api/generated.ts'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { TagChoiceField } from '../tags/tag-fields.tsx'
import { useTypeChoices } from './choices.ts'
import { GroupSelect, PlanSelect, useFoundDevices } from './source-selects.tsx'

export type Source = Schemas['WidgetSource']

type Kind = 'all' | 'plan' | 'group' | 'device_type' | 'tag' | 'devices' | 'variable'

const kindNames: Record<Kind, string> = {
  all: t('All devices'),
  plan: t('A floor plan'),
  group: t('A group, with the groups below it'),
  device_type: t('A device type'),
  tag: t('A tag'),
  devices: t('Some devices'),
  variable: t('What is chosen while looking'),
}

const kindsOfPlans: readonly Kind[] = ['plan', 'group', 'variable']

function kindOf(source: Source, kinds: readonly Kind[]): Kind {
  const found = kinds.find((kind) => kind !== 'all' && source[kind] !== undefined)
  return found ?? kinds[0] ?? 'all'
}

interface SourceFieldsProps {
  source: Source
  isMeasured: boolean
  variable: Schemas['DashboardVariable'] | null
  /** It cannot be about all devices. */
  isOfSome?: boolean
  /** It is about floor plans. */
  isOfPlan?: boolean
  /** Nothing that is measured matters. */
  hasNoMeasure?: boolean
  onChange: (source: Source) => void
}

/** Which devices a widget or a report is about, and which of their measurements. */
export function SourceFields(props: SourceFieldsProps) {
  const { source, isMeasured, variable, isOfSome = false, isOfPlan = false, onChange } = props
  const offered = (Object.keys(kindNames) as Kind[]).filter((each) =>
    isOfPlan ? kindsOfPlans.includes(each) : each !== 'plan' && (each !== 'all' || !isOfSome),
  )
  const [chosenKind, setKind] = useState(kindOf(source, offered))
  // Another type of widget may not have it.
  const kind = offered.includes(chosenKind) ? chosenKind : kindOf(source, offered)
  const { measurement, quantity, more } = source
  const kept = {
    ...(measurement && { measurement }),
    ...(quantity && { quantity }),
    ...(more && { more }),
  }
  const about = (devices: Omit<Source, 'measurement' | 'quantity'>) =>
    onChange({ ...devices, ...kept })
  const kinds = offered.filter(
    (each) => each !== 'variable' || variable !== null || kind === 'variable',
  )
  return (
    <>
      <Select
        label={t('Of')}
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: kindNames[value] }))}
        value={kind}
        onChange={(chosen) => {
          setKind(chosen as Kind)
          about(
            chosen === 'variable'
              ? { variable: true }
              : chosen === 'devices'
                ? { devices: [] }
                : {},
          )
        }}
      />
      <NamedField kind={kind} source={source} about={about} />
      {!props.hasNoMeasure && (
        <MeasuredField
          source={source}
          isNeeded={isMeasured}
          onChange={(what) => {
            const { measurement: _, quantity: _q, ...devices } = source
            onChange({ ...devices, ...what })
          }}
        />
      )}
    </>
  )
}

interface NamedFieldProps {
  kind: Kind
  source: Source
  about: (devices: Omit<Source, 'measurement' | 'quantity'>) => void
}

/** Which of its kind. */
function NamedField({ kind, source, about }: NamedFieldProps) {
  return (
    <>
      {kind === 'plan' && (
        <PlanSelect
          value={source.plan}
          onChange={(plan) => about(plan === undefined ? {} : { plan })}
        />
      )}
      {kind === 'group' && (
        <GroupSelect
          label={t('Group')}
          value={source.group}
          onChange={(group) => about(group === undefined ? {} : { group })}
        />
      )}
      {kind === 'device_type' && (
        <TypeSelect
          value={source.device_type}
          onChange={(type) => about(type === undefined ? {} : { device_type: type })}
        />
      )}
      {kind === 'tag' && (
        <TagChoiceField
          value={source.tag ?? ''}
          onChange={(tag) => about(tag === '' ? {} : { tag })}
        />
      )}
      {kind === 'devices' && (
        <DevicesField
          value={(source.devices ?? []).map(String)}
          onChange={(devices) => about({ devices })}
        />
      )}
    </>
  )
}

interface TypeSelectProps {
  value: number | undefined
  onChange: (type: number | undefined) => void
}

function TypeSelect({ value, onChange }: TypeSelectProps) {
  const types = useTypeChoices()
  return (
    <Select
      label={t('Device type')}
      searchable
      clearable
      data={types}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
    />
  )
}

interface DevicesFieldProps {
  value: readonly string[]
  onChange: (devices: string[]) => void
}

function DevicesField({ value, onChange }: DevicesFieldProps) {
  const [typed, setTyped] = useState('')
  const [names, setNames] = useState(new Map<string, string>())
  const found = useFoundDevices(typed, true)
  const shown = new Map([
    ...value.map((eui) => [eui, names.get(eui) ?? eui] as const),
    ...found.map(({ value: eui, label }) => [eui, label] as const),
  ])
  return (
    <MultiSelect
      label={t('Devices')}
      searchable
      hidePickedOptions
      data={[...shown].map(([eui, label]) => ({ value: eui, label }))}
      value={[...value]}
      onChange={(chosen) => {
        setNames(new Map([...names, ...shown]))
        onChange(chosen)
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      maxValues={200}
    />
  )
}

interface MeasuredFieldProps {
  source: Source
  isNeeded: boolean
  onChange: (what: Pick<Source, 'measurement' | 'quantity'>) => void
}

/** What devices measure here. Lists of devices take a quantity, and keep to those that measure it. */
function MeasuredField({ source, isNeeded, onChange }: MeasuredFieldProps) {
  const { data } = useApi('GET /dashboards/measured', {})
  const offered = (data?.data ?? []).filter(({ quantity }) => isNeeded || quantity !== null)
  const choices = offered.map(({ quantity, measurement, label, unit, devices }) => ({
    value: quantity ? `q ${quantity}` : `m ${measurement}`,
    label: `${label}${unit ? ` (${unit})` : ''}, ${t('{devices, plural, one {# device} other {# devices}}', { devices })}${quantity ? '' : `: ${measurement}`}`,
  }))
  const { quantity, measurement } = source
  const value = quantity ? `q ${quantity}` : measurement ? `m ${measurement}` : null
  const isKnown = value === null || choices.some((choice) => choice.value === value)
  return (
    <Select
      label={isNeeded ? t('What is measured') : t('Only those that measure')}
      placeholder={isNeeded ? t('Choose a measurement') : t('Anything')}
      searchable
      clearable={!isNeeded}
      required={isNeeded}
      data={isKnown ? choices : [{ value, label: value.slice(2) }, ...choices]}
      value={value}
      onChange={(chosen) => {
        if (chosen === null) onChange({})
        else if (chosen.startsWith('q ')) onChange({ quantity: chosen.slice(2) })
        else onChange({ measurement: chosen.slice(2) })
      }}
    />
  )
}
