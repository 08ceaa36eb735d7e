import type { Queryable } from '../../../db/connect.ts'
import { naturalOrder } from '../../../db/natural-order.ts'
import type { Caller } from '../../../http/endpoint.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { firstCustomTypeId } from '../../../sensors/index.ts'
import { type OwnType, ownTypeOfRow } from '../../../sensors/own-measurements.ts'
import type { ReadingValue, StatusChange } from '../../../sensors/sensor.ts'
import { latestUplink } from '../../../uplinks/rows/by-ordinal.ts'
import { keptCount } from '../../../uplinks/rows/series.ts'
import { findVerdictWindow } from '../../people/organizations/organization-queries.ts'
import type { Warning } from '../inventory/coarse-states.ts'
import { deviceCount, findDeviceCount } from '../inventory/device-count-queries.ts'
import type { DeviceFilter, DeviceOrder } from '../inventory/device-filter.ts'
import type { RegisterStatus } from '../inventory/device-queries.ts'
import {
  createValues,
  isUnfiltered,
  matchingDevices,
  orderBy,
  waitingCount,
} from '../inventory/device-selection-queries.ts'
import { groupsBelow } from '../inventory/groups-below.ts'
import type { PlaceRow } from '../inventory/places.ts'
import type { Tags } from '../inventory/tags.ts'
import type { OpenAlert, VerdictState } from '../inventory/verdict.ts'
import { ofRhythms, openAlertOf, verdictAt } from '../inventory/verdict-queries.ts'
import { type Cursor, type FleetPage, walkStates } from './state-order-queries.ts'

/** A device as the console's table shows it. */
export interface FleetDevice extends PlaceRow {
  id: number
  eui: string
  join_eui: string
  name: string
  type_id: number
  custom_type_name: string | null
  custom_part_number: string | null
  network: string
  register_method: string
  register_status: RegisterStatus
  register_error: string | null
  refused_at: Moment | null
  is_active: boolean
  extra_notes: string | null
  tags: Tags
  created_at: Moment
  last_seen: Moment | null
  uplink_count: number
  status: StatusChange
  warned_since: Partial<Record<Warning, string>> | null
  /** When `current_sensor_state` was said. */
  state_time: string | null
  own_type: OwnType | null
  /** Of its latest uplink; the object only where the reading is made from it. */
  event_type: string | null
  event_time: Moment | null
  decoded_object: Record<string, ReadingValue> | null
  verdict: VerdictState
  usual_seconds: number | null
  open_alert: OpenAlert | null
  battery: number | null
  groups: { id: number; name: string }[]
  waiting_downlinks: number
  rssi: number | null
  snr: number | null
}

const rankTypes = {
  name: 'text',
  device_id: 'text',
  last_seen: 'timestamptz',
  battery: 'double precision',
  created_at: 'bigint',
  type: 'text',
  network: 'text',
} as const satisfies Record<DeviceOrder['sort'], string>

/** Whether the database can read the rank of a cursor that a client sent. */
export function isRank(sort: DeviceOrder['sort'], rank: string): boolean {
  const type = rankTypes[sort]
  if (type === 'text') return true
  if (type === 'timestamptz') return /^(-infinity|[12]\d{3}-[\d-]{5} [\d:.]{8,15}\+00)$/.test(rank)
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(rank)
}

/**
 * One page of the devices that match, and how many there are. Without a filter, names, EUIs, batteries
 * and the times of the last uplinks are read in the order of an index, up to the end of the page; any
 * other order reads all devices of the organization. Silent, tampered devices and low batteries are
 * found by an index; the other filters read all devices: 100 to 250 ms for 100,000 (2 cores).
 */
export async function listFleet(
  db: Queryable,
  viewer: Viewer,
  filter: DeviceFilter,
  order: DeviceOrder,
  { now, ...page }: FleetPage & { now: Date },
): Promise<{ total: number; devices: FleetDevice[]; last: Cursor | undefined }> {
  const { organizationId } = viewer
  const walked = isUnfiltered(filter) ? walkStates(organizationId, order, page) : undefined
  const { text, values } = walked ?? (await pageStatement(db, organizationId, filter, order, page))
  const [rows, [counted]] = await Promise.all([
    db.query<{ total?: number; id: number | null; rank: string }>(text, values),
    walked ? db.query<{ device_count: number }>(deviceCount, [organizationId]) : [undefined],
  ])
  const found = rows.filter((row): row is typeof row & Cursor => row.id !== null)
  const ids = found.map(({ id }) => id)
  return {
    total: counted?.device_count ?? rows[0]?.total ?? 0,
    devices: await readFleetDevices(db, viewer, ids, now),
    last: found.length === page.limit ? found.at(-1) : undefined,
  }
}

async function pageStatement(
  db: Queryable,
  organizationId: number,
  filter: DeviceFilter,
  order: DeviceOrder,
  page: FleetPage,
) {
  const { list, add } = createValues()
  const organization = add(organizationId)
  const matching = matchingDevices({ organization, filter, order, values: { list, add } })
  // Without a filter the total is known, and an index may order the devices.
  const isAll = isUnfiltered(filter)
  const counted = isAll
    ? await findDeviceCount(db, organizationId, list.length + 1)
    : { text: '(select count(*) as device_count from matching)', values: [] }
  list.push(...counted.values)
  const sign = order.order === 'asc' ? '>' : '<'
  const after = page.after
    ? `where (rank, id) ${sign} (${add(page.after.rank)}::${rankTypes[order.sort]}, ${add(page.after.id)}::bigint)`
    : ''
  return {
    text: `with matching as ${isAll ? '' : 'materialized'} (${matching})
      select counted.device_count as total, page.id, page.rank::text as rank
      from ${counted.text} as counted
      left join lateral (
        select id, rank from matching ${after}
        order by ${orderBy(order)} limit ${add(page.limit)} offset ${add(page.offset)}
      ) as page on true
      order by ${orderBy(order).replaceAll(/\b(rank|id) /g, 'page.$1 ')}`,
    values: list,
  }
}

/**
 * The ids of all devices that match, in order, up to `most`. The database joins them to one text:
 * 100,000 rows would take the event loop 100 ms.
 */
export async function listFleetIds(
  db: Queryable,
  organizationId: number,
  filter: DeviceFilter,
  order: DeviceOrder,
  most: number,
): Promise<{ total: number; ids: number[] }> {
  const { list, add } = createValues()
  const organization = add(organizationId)
  const matching = matchingDevices({ organization, filter, order, values: { list, add } })
  const rows = await db.query<{ total: number; ids: string | null }>(
    `with matching as ${isUnfiltered(filter) ? '' : 'materialized'} (${matching})
     select (select count(*) from matching) as total, (
       select string_agg(id::text, ',' order by ${orderBy(order)}) from (
         select id, rank from matching order by ${orderBy(order)} limit ${add(most)}
       ) as listed
     ) as ids`,
    list,
  )
  const ids = rows[0]?.ids
  return { total: rows[0]?.total ?? 0, ids: ids ? ids.split(',').map(Number) : [] }
}

const latestColumns = `uplinks.rssi, uplinks.snr, uplinks.event_type, uplinks.event_time,
  case when devices.type_id >= ${firstCustomTypeId} then uplinks.decoded_object end as decoded_object`

/** Who looks: with a `groupId`, it and the groups below it are the only groups. */
export type Viewer = Pick<Caller, 'organizationId' | 'groupId'>

/** Reads devices in the order of `ids`; those that are gone are left out. */
export async function readFleetDevices(
  db: Queryable,
  { organizationId, groupId }: Viewer,
  ids: readonly number[],
  now: Date,
): Promise<FleetDevice[]> {
  if (ids.length === 0) return []
  const isLimited = groupId !== undefined
  const window = await findVerdictWindow(db, organizationId)
  const devices = await db.query<FleetDevice>(
    `${isLimited ? `with recursive ${groupsBelow('$1', '$5')}` : ''}
     select devices.id, devices.eui, devices.join_eui, devices.name, devices.type_id,
       device_types.type_name as custom_type_name, device_types.part_number as custom_part_number,
       devices.network, devices.register_method, devices.register_status, devices.register_error,
       devices.refused_at, devices.is_active, devices.extra_notes, devices.tags, devices.created_at,
       states.last_seen, devices.latitude, devices.longitude, devices.altitude, devices.place_source,
       ${keptCount('states')} as uplink_count, states.status, states.battery_volts as battery,
       states.status_times->>'current_sensor_state' as state_time,
       states.status_times->'since' as warned_since,
       ${ownTypeOfRow} as own_type, latest.event_type, latest.event_time,
       latest.decoded_object,
       ${verdictAt('$1', '$3', '$4')} as verdict, rhythms.interval_seconds as usual_seconds,
       ${openAlertOf('$1')} as open_alert,
       ${waitingCount} as waiting_downlinks, latest.rssi, latest.snr,
       coalesce((
         select jsonb_agg(jsonb_build_object('id', device_groups.id, 'name', device_groups.name)
           order by ${naturalOrder('device_groups.name')}, device_groups.id)
         from grouped_devices
         join device_groups on device_groups.organization_id = grouped_devices.organization_id
           and device_groups.id = grouped_devices.group_id
         where grouped_devices.organization_id = $1
           and grouped_devices.device_id = devices.id
           ${isLimited ? 'and device_groups.id in (select below.id from below)' : ''}
       ), '[]') as groups
     from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     ${ofRhythms}
     left join device_types on device_types.organization_id = devices.organization_id
       and device_types.id = devices.type_id
     left join lateral ${latestUplink(latestColumns)} as latest on true
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = any($2::bigint[])`,
    [organizationId, ids, now, window, ...(isLimited ? [groupId] : [])],
  )
  const byId = new Map(devices.map((device) => [device.id, device]))
  return ids.map((id) => byId.get(id)).filter((device) => device !== undefined)
}
