import type { Queryable } from '../../../db/connect.ts'
import { latestUplink } from '../../../uplinks/rows/by-ordinal.ts'
import type { DeviceFilter } from '../inventory/device-filter.ts'
import { createValues, matchingDevices } from '../inventory/device-selection-queries.ts'
import type { PlaceRow, ToldPlace } from '../inventory/places.ts'
import type { VerdictState } from '../inventory/verdict.ts'
import { ofRhythms, verdictAt } from '../inventory/verdict-queries.ts'

/** A device with its place, as few values as a map needs. */
export interface PlacedDevice extends PlaceRow {
  id: number
  eui: string
  name: string
  told: ToldPlace | null
  verdict: VerdictState
  rssi: number | null
  snr: number | null
}

/**
 * The devices that match and have a place, and how many match at all. One scan of the organization's
 * devices, and one step in an index for each that has a place: 120 ms for 10,000 (2 cores).
 */
export async function listPlacedDevices(
  db: Queryable,
  organizationId: number,
  filter: DeviceFilter,
  { now, window, most }: { now: Date; window: number; most: number },
): Promise<{ total: number; devices: PlacedDevice[] }> {
  const { list, add } = createValues()
  const organization = add(organizationId)
  const order = { sort: 'created_at', order: 'asc' } as const
  const matching = matchingDevices({ organization, filter, order, values: { list, add } })
  const rows = await db.query<PlacedDevice & { total: number }>(
    `with matching as materialized (${matching})
     select counted.total, placed.*
     from (select count(*) as total from matching) as counted
     left join lateral (
       select devices.id, devices.eui, devices.name, devices.latitude, devices.longitude,
         devices.altitude, devices.place_source, states.status->'place' as told,
         ${verdictAt(organization, add(now), add(window))} as verdict, latest.rssi, latest.snr
       from matching
       join devices on devices.organization_id = ${organization} and devices.id = matching.id
       join device_states as states on states.organization_id = ${organization}
         and states.device_id = devices.id
       ${ofRhythms}
       left join lateral ${latestUplink('uplinks.rssi, uplinks.snr')} as latest on true
       where devices.latitude is not null or states.status ? 'place'
       order by devices.id
       limit ${add(most)}
     ) as placed on true`,
    list,
  )
  return {
    total: rows[0]?.total ?? 0,
    devices: rows.filter((row) => (row.id as number | null) !== null),
  }
}
