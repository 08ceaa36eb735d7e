import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type DeviceFilters, noFilters } from './device-search.ts'
import classes from './filter-chips.module.css'
import type { Choice, FilterChoices } from './filter-choices.ts'
import { silentChoices, statusChoices, verdictChoices } from './filter-menu.tsx'

interface FilterChipsProps {
  filters: DeviceFilters
  choices: FilterChoices
  onChange: (changes: DeviceFilters) => void
}

/** The filters that apply, each of which a click takes away. */
export function FilterChips({ filters, choices, onChange }: FilterChipsProps) {
  const chips = chipsOf(filters, choices)
  if (chips.length === 0) return null
  return (
    <Group gap={6} role="group" aria-label="Filters that apply">
      {chips.map(([name, text]) => (
        <button
          key={name}
          type="button"
          className={classes.chip}
          aria-label={`Remove the filter ${text}`}
          onClick={() => onChange({ [name]: undefined })}
        >
          <span className={classes.text}>{text}</span>
          <IconX size={14} aria-hidden />
        </button>
      ))}
      <Button variant="subtle" size="compact-xs" onClick={() => onChange(noFilters)}>
        Clear all
      </Button>
    </Group>
  )
}

function chipsOf(filters: DeviceFilters, choices: FilterChoices): [keyof DeviceFilters, string][] {
  const { search, group, network, type, verdict, status, active, silent } = filters
  const chips: [keyof DeviceFilters, string | undefined][] = [
    ['search', search && `"${search}"`],
    ['group', group === undefined ? undefined : `Group: ${nameOf(choices.groups, group)}`],
    ['network', network && `Network: ${nameOf(choices.networks, network)}`],
    ['type', type === undefined ? undefined : `Type: ${nameOf(choices.types, type)}`],
    ['verdict', verdict && `Condition: ${nameOf(verdictChoices, verdict)}`],
    ['status', status && nameOf(statusChoices, status)],
    ['active', active && (active === 'yes' ? 'Active' : 'Inactive')],
    [
      'silent',
      silent === undefined
        ? undefined
        : `Not heard for ${nameOf(silentChoices, silent, `${silent} hours`)}`,
    ],
    ['low_battery', filters.low_battery && 'Low battery'],
    ['tamper', filters.tamper && 'Tampered'],
    ['waiting', filters.waiting && 'Downlinks waiting'],
  ]
  return chips.filter((chip): chip is [keyof DeviceFilters, string] => Boolean(chip[1]))
}

function nameOf(choices: readonly Choice[], value: string | number, otherwise?: string): string {
  const text = String(value)
  return choices.find((choice) => choice.value === text)?.label ?? otherwise ?? text
}
