import { conditionFilter, registrationFilter } from '../../condition/condition-filters.ts'
import { useTagFilter } from '../../tags/tag-choices.ts'
import type { Choice, Filter } from '../../ui/list/filter-bar.tsx'
import { useFleetFilters } from '../../ui/list/use-fleet-filters.ts'

const filters: readonly Filter[] = [
  conditionFilter(['ok', 'new', 'silent', 'attention', 'inactive']),
  registrationFilter,
  {
    name: 'active',
    label: 'Activity',
    choices: [
      { value: 'yes', label: 'Active' },
      { value: 'no', label: 'Inactive' },
    ],
  },
  { name: 'low_battery', label: 'Low battery' },
  { name: 'tamper', label: 'Tampered' },
  { name: 'waiting', label: 'Downlinks waiting' },
]

const silentChoices: readonly Choice[] = [
  { value: '1', label: '1 hour' },
  { value: '6', label: '6 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '1 week' },
  { value: '720', label: '30 days' },
]

/** The filters of the list of devices, named as in its address. */
export function useDeviceFilters(silent: number | undefined): readonly Filter[] {
  const { group, network, type } = useFleetFilters()
  const tag = useTagFilter()
  const choices = withHours(silentChoices, silent)
  const notHeard = { name: 'silent', label: 'Not heard for', choices }
  return [group, network, type, tag, notHeard, ...filters]
}

/** A link may ask for other hours than the list offers. */
function withHours(choices: readonly Choice[], hours?: number): readonly Choice[] {
  if (hours === undefined || choices.some(({ value }) => value === String(hours))) return choices
  return [...choices, { value: String(hours), label: `${hours} hours` }]
}
