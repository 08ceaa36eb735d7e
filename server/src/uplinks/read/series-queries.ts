import type { Queryable } from '../../db/connect.ts'
import { ownType } from '../../features/fleet/inventory/device-queries.ts'
import {
  createValues,
  devicesBelow,
} from '../../features/fleet/inventory/device-selection-queries.ts'
import type { Reference } from '../../features/fleet/inventory/references.ts'
import { type TagFilter, tagPath } from '../../features/fleet/inventory/tags.ts'
import { splitTags } from '../../lora/tag-filter.ts'
import { firstCustomTypeId } from '../../sensors/index.ts'
import type { OwnType } from '../../sensors/own-measurements.ts'
import type { ReadingValue } from '../../sensors/sensor.ts'
import { latestUplink } from '../rows/by-ordinal.ts'

/** A device whose measurements are asked for. */
export interface SeriesDevice {
  id: number
  eui: string
  device_eui: string
  name: string
  type_id: number
  /** Of a type of the organization; null for a built-in one. */
  own_type: OwnType | null
  /** Of its latest uplink, where its type is the organization's: what the codec says of the numbers. */
  latest: Record<string, ReadingValue> | null
}

export type Selector =
  | { devices: readonly Reference[] }
  | { group: number }
  | { deviceType: number }
  | { tag: TagFilter }

/** What there is for who asks; undefined: everything. */
interface Within {
  group: number | undefined
  tag: string | undefined
}

/** Devices in the order of their names, at most `most`. */
export function listSeriesDevices(
  db: Queryable,
  organizationId: number,
  selector: Selector,
  { within, most }: { within: Within; most: number },
): Promise<SeriesDevice[]> {
  const { list, add } = createValues()
  add(organizationId)
  const chosen = conditionOf(selector, add)
  const allowed = [
    ...(within.group === undefined ? [] : [conditionOf({ group: within.group }, add)]),
    ...(within.tag === undefined ? [] : [conditionOf({ tag: splitTags(within.tag) ?? [] }, add)]),
  ].map((condition) => `and ${condition}`)
  return db.query<SeriesDevice>(
    `select devices.id, devices.eui, devices.device_eui, devices.name, devices.type_id,
       ${ownType} as own_type,
       case when devices.type_id >= ${firstCustomTypeId} then (
         select latest.decoded_object from ${latestUplink('uplinks.decoded_object')} as latest
       ) end as latest
     from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     where devices.organization_id = $1 and devices.deleted_at is null and ${chosen} ${allowed.join(' ')}
     order by devices.name_order, devices.id
     limit ${add(most)}`,
    list,
  )
}

function conditionOf(selector: Selector, add: (value: unknown) => string): string {
  if ('group' in selector) return `devices.id in (${devicesBelow('$1', add(selector.group))})`
  if ('tag' in selector) return `devices.tags @@ ${add(tagPath(selector.tag))}::jsonpath`
  if ('deviceType' in selector) return `devices.type_id = ${add(selector.deviceType)}`
  const ids = selector.devices.map(({ id }) => id).filter((id) => id !== null)
  const euis = selector.devices.map(({ eui }) => eui).filter((eui) => eui !== null)
  return `devices.id in (
    select unnest(${add(ids)}::bigint[])
    union all
    select named.id from devices as named
    where named.organization_id = $1 and named.eui = any(${add(euis)}::text[])
      and named.deleted_at is null
  )`
}
