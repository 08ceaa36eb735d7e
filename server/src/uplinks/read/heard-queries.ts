import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'
import { readNewest } from '../rows/newest.ts'
import { euiOf, receptionsOf } from '../rows/receptions.ts'

/**
 * What a gateway hears is read from the newest uplinks of its organization. A table of devices and
 * gateways would cost each uplink a write for every gateway that heard it, which is as much as its
 * own row; this reading costs only who looks.
 */

/** The newest uplinks that are read: rows that lie together, 0.2 s on two busy cores. */
export const readUplinks = 20_000

/** A gateway whose uplinks are read. */
export interface HearingGateway {
  id: number
  gateway_eui: string
  network: string
}

export interface HeardDevice {
  id: number
  device_eui: string
  name: string
  last_heard: Moment
  uplinks: number
  rssi: number | null
  snr: number | null
}

export interface HeardUplink {
  id: number
  device_id: number
  device_eui: string
  device_name: string
  event_time: Moment
  event_type: string
  f_cnt: number
  data_rate: string | null
  rssi: number | null
  snr: number | null
}

/** How far back was read. */
export interface ReadRange {
  uplinks: number
  since: Moment | null
}

/**
 * `$1` is the organization, `$2` the number of uplinks, `$3` the network, `$4` the EUI, `$5` the
 * id. Gateways of kind `other` hear
 * devices of all networks, and need not name themselves in the uplinks that they deliver.
 */
const heard = `${readNewest(`uplinks.id, uplinks.ordinal, uplinks.device_id, uplinks.event_time,
      uplinks.event_type, uplinks.f_cnt, uplinks.data_rate, uplinks.receptions`)}, heard as (
    select read.*, devices.device_eui, devices.name,
      reception.rssi, reception.snr
    from read
    join devices on devices.id = read.device_id and devices.organization_id = $1
      and devices.deleted_at is null and ($3 = 'other' or devices.network = $3)
    left join lateral (
      select gateway.gateway_eui, gateway.rssi, gateway.snr
      from ${receptionsOf('read')} as gateway
      where ${euiOf('gateway.gateway_eui')} = $4
      limit 1
    ) as reception on true
    where reception.gateway_eui is not null or ($3 = 'other' and devices.gateway_id = $5)
  ), extent as (
    select count(*) as read_uplinks, min(event_time) as read_since from read
  )`

interface Extent {
  read_uplinks: number
  read_since: Moment | null
}

/** Lists the devices that a gateway hears, the one heard last first. */
export async function listHeardDevices(
  db: Queryable,
  organizationId: number,
  gateway: HearingGateway,
  most: number,
): Promise<{ read: ReadRange; total: number; devices: HeardDevice[] }> {
  const rows = await db.query<HeardDevice & Extent & { total: number | null }>(
    `with ${heard}, counted as (
       select device_id as id, device_eui, name, max(event_time) as last_heard,
         count(*) as uplinks, avg(rssi) as rssi, avg(snr) as snr,
         count(*) over () as total
       from heard group by device_id, device_eui, name
     )
     select extent.*, listed.* from extent
     left join lateral (
       select * from counted order by last_heard desc, id limit $6::bigint
     ) as listed on true
     order by listed.last_heard desc, listed.id`,
    [...valuesOf(organizationId, gateway), most],
  )
  const devices = rows.filter((row) => (row.id as number | null) !== null)
  return { read: extentOf(rows), total: rows[0]?.total ?? 0, devices }
}

/** Lists the newest uplinks that a gateway heard. */
export async function listHeardUplinks(
  db: Queryable,
  organizationId: number,
  gateway: HearingGateway,
  most: number,
): Promise<{ read: ReadRange; total: number; uplinks: HeardUplink[] }> {
  const rows = await db.query<HeardUplink & Extent & { total: number | null }>(
    `with ${heard}
     select extent.*, listed.* from extent
     left join lateral (
       select id, ordinal, device_id, device_eui, name as device_name, event_time, event_type,
         f_cnt, data_rate, rssi, snr, count(*) over () as total
       from heard order by ordinal desc limit $6::bigint
     ) as listed on true
     order by listed.ordinal desc`,
    [...valuesOf(organizationId, gateway), most],
  )
  const uplinks = rows.filter((row) => (row.id as number | null) !== null)
  return { read: extentOf(rows), total: rows[0]?.total ?? 0, uplinks }
}

function valuesOf(organizationId: number, { id, network, gateway_eui }: HearingGateway) {
  return [organizationId, readUplinks, network, gateway_eui.toUpperCase(), id]
}

function extentOf(rows: readonly Extent[]): ReadRange {
  return { uplinks: rows[0]?.read_uplinks ?? 0, since: rows[0]?.read_since ?? null }
}
