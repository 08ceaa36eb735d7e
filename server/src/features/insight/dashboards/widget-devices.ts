import { splitTags } from '../../../lora/tag-filter.ts'
import { measurementsOfEvent } from '../../../sensors/measurements.ts'
import type { DeviceFilter } from '../../fleet/inventory/device-filter.ts'
import type { Looker } from './source-queries.ts'
import { idOf, type Known } from './source-reach.ts'
import type { WidgetSource } from './widget-body.ts'

/** The devices that a widget is about. */

const everything: DeviceFilter = {
  search: undefined,
  group: undefined,
  network: undefined,
  tag: undefined,
  type: undefined,
  status: undefined,
  isActive: undefined,
  verdict: undefined,
  hasLowBattery: undefined,
  isTampered: undefined,
  silentSince: undefined,
  hasWaitingDownlinks: undefined,
  measures: undefined,
  ids: undefined,
}

/** What every sensor tells, so that no type need be looked for. */
const ofEverySensor = new Set(measurementsOfEvent('SUPERVISOR').map(({ quantity }) => quantity))

/**
 * As a filter, kept to what there is for the caller. The source is one that the caller may look at
 * (`isWithin`), so its group is within that of the caller.
 */
export function filterOf(
  source: WidgetSource | undefined,
  looker: Pick<Looker, 'groupId' | 'tag'>,
  known: Known,
): DeviceFilter {
  const { devices, group, device_type: type, tag, quantity } = source ?? {}
  const tags = [tag, looker.tag].flatMap((each) => splitTags(each ?? '') ?? [])
  return {
    ...everything,
    group: group ?? looker.groupId,
    tag: tags.length > 0 ? tags : undefined,
    type,
    ids: devices?.flatMap((device) => idOf(device, known) ?? []),
    measures: quantity && !ofEverySensor.has(quantity) ? [quantity] : undefined,
  }
}
