import { MultiSelect, Select } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../api/generated.ts'
import { useApi } from '../api/hooks.ts'
import { TagChoiceField } from '../tags/tag-fields.tsx'
import { countOf } from '../ui/numbers.ts'
import { useTypeChoices } from './choices.ts'
import { GroupSelect, useFoundDevices } from './source-selects.tsx'

export type Source = Schemas['WidgetSource']

type Kind = 'all' | 'group' | 'device_type' | 'tag' | 'devices' | 'variable'

const kindNames: Record<Kind, string> = {
  all: 'All devices',
  group: 'A group, with the groups below it',
  device_type: 'A device type',
  tag: 'A tag',
  devices: 'Some devices',
  variable: 'What is chosen while looking',
}

function kindOf(source: Source, isOfSome: boolean): Kind {
  const kinds = ['group', 'device_type', 'tag', 'devices', 'variable'] as const
  return kinds.find((kind) => source[kind] !== undefined) ?? (isOfSome ? 'group' : 'all')
}

interface SourceFieldsProps {
  source: Source
  isMeasured: boolean
  variable: Schemas['DashboardVariable'] | null
  /** It cannot be about all devices. */
  isOfSome?: boolean
  onChange: (source: Source) => void
}

/** Which devices a widget or a report is about, and which of their measurements. */
export function SourceFields(props: SourceFieldsProps) {
  const { source, isMeasured, variable, isOfSome = false, onChange } = props
  const [kind, setKind] = useState(kindOf(source, isOfSome))
  const { measurement, quantity } = source
  const measured = { ...(measurement && { measurement }), ...(quantity && { quantity }) }
  const about = (devices: Omit<Source, 'measurement' | 'quantity'>) =>
    onChange({ ...devices, ...measured })
  const kinds = (Object.keys(kindNames) as Kind[]).filter(
    (each) =>
      (each !== 'all' || !isOfSome) &&
      (each !== 'variable' || variable !== null || kind === 'variable'),
  )
  return (
    <>
      <Select
        label="Of"
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
      {kind === 'group' && (
        <GroupSelect
          label="Group"
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
      <MeasuredField
        source={source}
        isNeeded={isMeasured}
        onChange={(what) => {
          const { measurement: _, quantity: _q, ...devices } = source
          onChange({ ...devices, ...what })
        }}
      />
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
      label="Device type"
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
      label="Devices"
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
    label: `${label}${unit ? ` (${unit})` : ''}, ${countOf(devices, 'device')}${quantity ? '' : `: ${measurement}`}`,
  }))
  const { quantity, measurement } = source
  const value = quantity ? `q ${quantity}` : measurement ? `m ${measurement}` : null
  const isKnown = value === null || choices.some((choice) => choice.value === value)
  return (
    <Select
      label={isNeeded ? 'What is measured' : 'Only those that measure'}
      placeholder={isNeeded ? 'Choose a measurement' : 'Anything'}
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
