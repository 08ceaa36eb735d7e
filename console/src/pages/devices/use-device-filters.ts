import { conditionFilter, registrationFilter } from '../../condition/condition-filters.ts'
import { useTagFilter } from '../../tags/tag-choices.ts'
import type { Choice, Filter } from '../../ui/list/filter-bar.tsx'
import { useFleetFilters } from '../../ui/list/use-fleet-filters.ts'
import type { DeviceFilters } from './device-search.ts'

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

/** What people look for, whatever the type; of sensors without a place for it, the plain quantity too. */
const measured: readonly Choice[] = [
  {
    value: 'air.temperature,temperature,soil.temperature,water.temperature.current',
    label: 'Temperature',
  },
  { value: 'air.relativeHumidity', label: 'Humidity' },
  { value: 'action.contactState', label: 'Doors and contacts' },
  { value: 'water.leak', label: 'Water' },
  { value: 'action.motion.detected', label: 'Movement' },
  { value: 'air.co2', label: 'CO₂' },
  { value: 'air.pressure', label: 'Air pressure' },
  { value: 'soil.moisture', label: 'Soil moisture' },
  { value: 'distance', label: 'Distance' },
  { value: 'position.latitude', label: 'Position' },
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
export function useDeviceFilters({ silent, measures }: DeviceFilters): readonly Filter[] {
  const { group, network, type } = useFleetFilters()
  const tag = useTagFilter()
  const choices = withHours(silentChoices, silent)
  const notHeard = { name: 'silent', label: 'Not heard for', choices }
  const measure = { name: 'measures', label: 'Measures', choices: withMeasures(measures) }
  return [group, network, type, measure, tag, notHeard, ...filters]
}

/** A link may ask for other measurements than the list offers. */
function withMeasures(measures?: string): readonly Choice[] {
  if (measures === undefined || measured.some(({ value }) => value === measures)) return measured
  return [...measured, { value: measures, label: measures }]
}

/** A link may ask for other hours than the list offers. */
function withHours(choices: readonly Choice[], hours?: number): readonly Choice[] {
  if (hours === undefined || choices.some(({ value }) => value === String(hours))) return choices
  return [...choices, { value: String(hours), label: `${hours} hours` }]
}
