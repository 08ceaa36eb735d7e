import { conditionFilter, registrationFilter } from '../../condition/condition-filters.ts'
import { t } from '../../languages/text.ts'
import { useTagFilter } from '../../tags/tag-choices.ts'
import type { Choice, Filter } from '../../ui/list/filter-bar.tsx'
import { useFleetFilters } from '../../ui/list/use-fleet-filters.ts'
import type { DeviceFilters } from './device-search.ts'

const filters: readonly Filter[] = [
  conditionFilter(['ok', 'new', 'silent', 'attention', 'inactive']),
  registrationFilter,
  {
    name: 'active',
    label: t('Activity'),
    choices: [
      { value: 'yes', label: t('Active') },
      { value: 'no', label: t('Inactive') },
    ],
  },
  { name: 'low_battery', label: t('Low battery') },
  { name: 'tamper', label: t('Tampered') },
  { name: 'waiting', label: t('Downlinks waiting') },
]

/** What people look for, whatever the type; of sensors without a place for it, the plain quantity too. */
const measured: readonly Choice[] = [
  {
    value: 'air.temperature,temperature,soil.temperature,water.temperature.current',
    label: t('Temperature'),
  },
  { value: 'air.relativeHumidity', label: t('Humidity') },
  { value: 'action.contactState', label: t('Doors and contacts') },
  { value: 'water.leak', label: t('Water') },
  { value: 'action.motion.detected', label: t('Movement') },
  { value: 'air.co2', label: t('CO₂') },
  { value: 'air.pressure', label: t('Air pressure') },
  { value: 'soil.moisture', label: t('Soil moisture') },
  { value: 'distance', label: t('Distance') },
  { value: 'position.latitude', label: t('Position') },
]

const silentChoices: readonly Choice[] = [
  { value: '1', label: t('1 hour') },
  { value: '6', label: t('6 hours') },
  { value: '24', label: t('1 day') },
  { value: '72', label: t('3 days') },
  { value: '168', label: t('1 week') },
  { value: '720', label: t('30 days') },
]

/** The filters of the list of devices, named as in its address. */
export function useDeviceFilters({ silent, measures }: DeviceFilters): readonly Filter[] {
  const { group, network, type } = useFleetFilters()
  const tag = useTagFilter()
  const choices = withHours(silentChoices, silent)
  const notHeard = { name: 'silent', label: t('Not heard for'), choices }
  const measure = { name: 'measures', label: t('Measures'), choices: withMeasures(measures) }
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
  return [...choices, { value: String(hours), label: t('{hours} hours', { hours }) }]
}
