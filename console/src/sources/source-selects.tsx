import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useApi } from '../api/hooks.ts'
import { useGroupChoices } from './choices.ts'

interface ChoiceProps<T> {
  value: T | undefined
  onChange: (value: T | undefined) => void
  size?: 'xs'
  label?: string
  'aria-label'?: string
  error?: string | undefined
}

export function GroupSelect({ value, onChange, ...input }: ChoiceProps<number>) {
  const groups = useGroupChoices()
  return (
    <Select
      {...input}
      placeholder="Choose a group"
      searchable
      clearable
      data={groups}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
    />
  )
}

const mostFound = 20

/** Devices that match what is typed, and those that were found before by their names. */
export function useFoundDevices(search: string, isOpen: boolean) {
  const [debounced] = useDebouncedValue(search, 200)
  const { data } = useApi(
    'GET /fleet/devices',
    { query: { search: debounced, sort: 'name', limit: mostFound } },
    { enabled: isOpen, keepsPrevious: true },
  )
  return (data?.data ?? []).map(({ device_id, device_name }) => ({
    value: device_id,
    label: device_name,
  }))
}

export function DeviceSelect({ value, onChange, ...input }: ChoiceProps<string>) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const found = useFoundDevices(typed, isOpen || value !== undefined)
  const data =
    value === undefined || found.some((one) => one.value === value)
      ? found
      : [{ value, label: value }, ...found]
  return (
    <Select
      {...input}
      placeholder="Choose a device"
      searchable
      clearable
      data={data}
      value={value ?? null}
      onChange={(eui) => onChange(eui ?? undefined)}
      onDropdownOpen={() => setOpen(true)}
      onSearchChange={setTyped}
      // The service searches: in names and DevEUIs.
      filter={({ options }) => options}
    />
  )
}
