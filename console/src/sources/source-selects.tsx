import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { useGroupChoices } from './choices.ts'

interface ChoiceProps<T> {
  value: T | undefined
  onChange: (value: T | undefined) => void
  size?: 'xs'
  label?: string
  description?: string
  'aria-label'?: string
  error?: string | undefined
}

export function GroupSelect({ value, onChange, ...input }: ChoiceProps<number>) {
  const groups = useGroupChoices()
  return (
    <Select
      {...input}
      placeholder={t('Choose a group')}
      searchable
      clearable
      data={groups}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
    />
  )
}

export function PlanSelect({ value, onChange }: ChoiceProps<number>) {
  const { data } = useApi('GET /floor-plans', {})
  return (
    <Select
      label={t('Floor plan')}
      placeholder={t('Choose a floor plan')}
      searchable
      data={(data?.data ?? []).map(({ id, name, group }) => ({
        value: String(id),
        label: `${name}, ${group.name}`,
      }))}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
    />
  )
}

const mostFound = 20

/** Devices that match what is typed. */
export function useFoundDevices(search: string, isOpen: boolean) {
  const [debounced] = useDebouncedValue(search, 200)
  const { data } = useApi(
    'GET /fleet/devices',
    { query: { search: debounced, sort: 'name', limit: mostFound } },
    { enabled: isOpen, keepsPrevious: true },
  )
  return (data?.data ?? []).map(({ id, device_id, device_name }) => ({
    id,
    value: device_id,
    label: device_name,
  }))
}

/** Chooses a device by its DevEUI. */
export function DeviceSelect({ value, onChange, ...input }: ChoiceProps<string>) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const found = useFoundDevices(typed, isOpen || value !== undefined)
  return (
    <FoundSelect
      {...input}
      data={found}
      chosen={value === undefined ? undefined : { value, label: value }}
      onChange={onChange}
      onOpen={() => setOpen(true)}
      onType={setTyped}
    />
  )
}

/** The same by its id. */
export function DeviceIdSelect({ value, onChange, ...input }: ChoiceProps<number>) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const found = useFoundDevices(typed, isOpen)
  const known = useApi(
    'GET /fleet/devices',
    { query: { ids: String(value) } },
    { enabled: value !== undefined },
  )
  const name = known.data?.data.find(({ id }) => id === value)?.device_name
  return (
    <FoundSelect
      {...input}
      data={found.map(({ id, label }) => ({ value: String(id), label }))}
      chosen={value === undefined ? undefined : { value: String(value), label: name ?? '…' }}
      onChange={(id) => onChange(id === undefined ? undefined : Number(id))}
      onOpen={() => setOpen(true)}
      onType={setTyped}
    />
  )
}

interface FoundSelectProps extends Omit<ChoiceProps<string>, 'value'> {
  data: readonly { value: string; label: string }[]
  chosen: { value: string; label: string } | undefined
  onOpen: () => void
  onType: (typed: string) => void
}

function FoundSelect({ data, chosen, onChange, onOpen, onType, ...input }: FoundSelectProps) {
  const isFound = chosen === undefined || data.some(({ value }) => value === chosen.value)
  return (
    <Select
      {...input}
      placeholder={t('Choose a device')}
      searchable
      clearable
      data={isFound ? data : [chosen, ...data]}
      value={chosen?.value ?? null}
      onChange={(value) => onChange(value ?? undefined)}
      onDropdownOpen={onOpen}
      onSearchChange={onType}
      // The service searches: in names and DevEUIs.
      filter={({ options }) => options}
    />
  )
}
