import { Button, Checkbox, Group, Indicator, Popover, Select, Stack } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import type { DeviceFilters } from './device-search.ts'
import type { FilterChoices } from './filter-choices.ts'

export const statusChoices = [
  { value: 'active', label: 'Registered' },
  { value: 'pending', label: 'Pending' },
  { value: 'register_error', label: 'Registration error' },
] as const

export const verdictChoices = [
  { value: 'ok', label: 'OK' },
  { value: 'new', label: 'New' },
  { value: 'silent', label: 'Silent' },
  { value: 'attention', label: 'Needs attention' },
  { value: 'inactive', label: 'Inactive' },
] as const

export const silentChoices = [
  { value: '1', label: '1 hour' },
  { value: '6', label: '6 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '1 week' },
  { value: '720', label: '30 days' },
] as const

const activeChoices = [
  { value: 'yes', label: 'Active' },
  { value: 'no', label: 'Inactive' },
] as const

interface FilterMenuProps {
  filters: DeviceFilters
  choices: FilterChoices
  onChange: (changes: DeviceFilters) => void
}

/** All filters in one place; each works at once. */
export function FilterMenu({ filters, choices, onChange }: FilterMenuProps) {
  const { search: _search, ...others } = filters
  const count = Object.keys(others).length
  return (
    <Popover position="bottom-start" width={320} trapFocus returnFocus>
      <Indicator label={count} size={16} disabled={count === 0}>
        <Popover.Target>
          <Button variant="default" leftSection={<IconFilter size={16} aria-hidden />}>
            Filters
          </Button>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Choose
            label="Group, with those below"
            value={filters.group?.toString()}
            data={choices.groups}
            onChange={(value) => onChange({ group: value ? Number(value) : undefined })}
          />
          <Choose
            label="Network"
            value={filters.network}
            data={choices.networks}
            onChange={(network) => onChange({ network })}
          />
          <Choose
            label="Type"
            value={filters.type?.toString()}
            data={choices.types}
            onChange={(value) => onChange({ type: value ? Number(value) : undefined })}
          />
          <StateFilters filters={filters} onChange={onChange} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function StateFilters({ filters, onChange }: Omit<FilterMenuProps, 'choices'>) {
  const box = (name: 'low_battery' | 'tamper' | 'waiting', label: string) => (
    <Checkbox
      label={label}
      checked={filters[name] === 'yes'}
      onChange={(event) => onChange({ [name]: event.currentTarget.checked ? 'yes' : undefined })}
    />
  )
  return (
    <>
      <Choose
        label="Condition"
        value={filters.verdict}
        data={verdictChoices}
        onChange={(value) => onChange({ verdict: value as DeviceFilters['verdict'] })}
      />
      <Choose
        label="Not heard for"
        value={filters.silent?.toString()}
        data={withValue(silentChoices, filters.silent)}
        onChange={(value) => onChange({ silent: value ? Number(value) : undefined })}
      />
      <Group grow gap="xs">
        <Choose
          label="Registration"
          value={filters.status}
          data={statusChoices}
          onChange={(value) => onChange({ status: value as DeviceFilters['status'] })}
        />
        <Choose
          label="Activity"
          value={filters.active}
          data={activeChoices}
          onChange={(value) => onChange({ active: value as DeviceFilters['active'] })}
        />
      </Group>
      {box('low_battery', 'Low battery')}
      {box('tamper', 'Tampered')}
      {box('waiting', 'Downlinks waiting')}
    </>
  )
}

/** A link may ask for other hours than the list offers. */
function withValue(choices: readonly { value: string; label: string }[], hours?: number) {
  if (hours === undefined || choices.some(({ value }) => value === String(hours))) return choices
  return [...choices, { value: String(hours), label: `${hours} hours` }]
}

interface ChooseProps {
  label: string
  value: string | undefined
  data: readonly { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}

function Choose({ label, value, data, onChange }: ChooseProps) {
  return (
    <Select
      label={label}
      placeholder="Any"
      value={value ?? null}
      data={[...data]}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable={data.length > 8}
      clearable
      limit={200}
      nothingFoundMessage="Nothing found"
      comboboxProps={{ withinPortal: false }}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  )
}
