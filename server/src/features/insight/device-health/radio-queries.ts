import type { Database, Queryable } from '../../../db/connect.ts'
import { readBriefly } from '../../../db/read-briefly.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { OwnType } from '../../../sensors/own-measurements.ts'
import { inRange } from '../../../uplinks/rows/by-time.ts'
import { nameOfGateway, receptionsOf } from '../../../uplinks/rows/receptions.ts'
import { ownType } from '../../fleet/inventory/device-queries.ts'
import { type Reference, referredDevice } from '../../fleet/inventory/references.ts'

/** What readings of a device need to know of it. */
export interface HealthDevice {
  id: number
  type_id: number
  /** Null for a built-in type. */
  own_type: OwnType | null
  network: string
  app_region: string | null
  last_seen: Moment | null
}

/** Returns the device if the organization has it. */
export async function findHealthDevice(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<HealthDevice | undefined> {
  const devices = await db.query<HealthDevice>(
    `select devices.id, devices.type_id, ${ownType} as own_type, devices.network, devices.app_region, states.last_seen
     from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  return devices[0]
}

export interface RadioRange {
  /** Included. */
  since: Date
  /** Not included. */
  until: Date
  /** The length of each part of the range, in milliseconds. */
  width: number
}

/** The lowest, highest and mean value of one part; null where no uplink has one. */
export interface SignalPart {
  part: number
  min_rssi: number | null
  max_rssi: number | null
  average_rssi: number | null
  min_snr: number | null
  max_snr: number | null
  average_snr: number | null
}

export interface RatePart {
  part: number
  data_rate: string | null
  uplinks: number
}

export interface HearingGateway {
  gateway_eui: string
  /** Of the registered gateway; null where the organization has none with this EUI. */
  id: number | null
  name: string | null
  uplinks: number
  best_rssi: number | null
  average_rssi: number | null
  best_snr: number | null
  average_snr: number | null
  /** Milliseconds. */
  first_heard: number
  last_heard: number
  lat: number | null
  lng: number | null
}

export interface RadioReadings {
  /** `f_cnt milliseconds` of each uplink, in order of time, separated by commas. */
  frames: string | null
  count: number
  signals: SignalPart[] | null
  rates: RatePart[] | null
  gateways: HearingGateway[] | null
}

/**
 * Only the newest uplinks of a range are read beyond this number. It bounds the request.
 */
export const mostFrames = 20_000

/** Gateways that heard fewer uplinks are left out. */
export const mostGateways = 100

/** Returns what the uplinks of the range tell, or `too_much` when it takes too long. */
export function readRadio(
  db: Database,
  organizationId: number,
  device: HealthDevice,
  range: RadioRange,
): Promise<{ readings: RadioReadings; joins: number[] } | 'too_much'> {
  return readBriefly(db, 'too_much', async (tx) => {
    const [readings, joins] = await Promise.all([
      readReadings(tx, organizationId, device, range),
      readJoins(tx, organizationId, device, range),
    ])
    return { readings, joins }
  })
}

/**
 * The newest uplinks of the range, as `inRange` finds them, read once for all four results. The
 * counters travel as one text: 20,000 rows would keep the event loop busy for longer than the
 * database.
 */
export const radioQuery = `with frames as materialized (
    select uplinks.*,
      floor(extract(epoch from event_time - $3::timestamptz) * 1000 / $5::bigint)::integer as part
    from ${inRange(
      `uplinks.event_time, uplinks.device_ordinal, uplinks.f_cnt, uplinks.rssi,
      uplinks.snr, uplinks.data_rate, uplinks.receptions`,
      { newestFirst: true },
    )} as uplinks
    limit ${mostFrames}
  ), signals as (
    select part, min(rssi) as min_rssi, max(rssi) as max_rssi, avg(rssi) as average_rssi,
      min(snr) as min_snr, max(snr) as max_snr, avg(snr) as average_snr
    from frames group by part
  ), rates as (
    select part, data_rate, count(*) as uplinks from frames group by part, data_rate
  ), heard as (
    select ${nameOfGateway('reception.gateway_eui')} as gateway_eui, count(*) as uplinks,
      max(reception.rssi) as best_rssi, avg(reception.rssi) as average_rssi,
      max(reception.snr) as best_snr, avg(reception.snr) as average_snr,
      floor(extract(epoch from min(event_time)) * 1000)::bigint as first_heard,
      floor(extract(epoch from max(event_time)) * 1000)::bigint as last_heard,
      (array_agg(reception.lat order by event_time desc) filter (where reception.lat is not null
        and reception.lng is not null))[1] as lat,
      (array_agg(reception.lng order by event_time desc) filter (where reception.lat is not null
        and reception.lng is not null))[1] as lng
    from frames
    cross join lateral ${receptionsOf('frames')} as reception
    where reception.gateway_eui <> ''
    group by 1
    order by 2 desc, 1
    limit ${mostGateways}
  ), named as (
    select heard.gateway_eui, heard.uplinks, heard.best_rssi, heard.average_rssi, heard.best_snr,
      heard.average_snr, heard.first_heard, heard.last_heard, gateways.id, gateways.name,
      coalesce(gateways.latitude, heard.lat) as lat, coalesce(gateways.longitude, heard.lng) as lng
    from heard
    left join lateral (
      select registered.id, registered.name, registered.latitude, registered.longitude
      from gateways as registered
      -- One of kind other hears devices of all networks.
      where registered.organization_id = $1 and registered.network in ($6, 'other')
        and registered.eui = heard.gateway_eui and registered.deleted_at is null
      order by registered.network = $6 desc
      limit 1
    ) as gateways on true
    order by heard.uplinks desc, heard.gateway_eui
  )
  select (select count(*) from frames) as count,
    (
      select string_agg(
        f_cnt || ' ' || floor(extract(epoch from event_time) * 1000)::bigint, ','
        order by event_time, device_ordinal
      )
      from frames
    ) as frames,
    (select json_agg(signals order by part) from signals) as signals,
    (select json_agg(rates order by part, data_rate) from rates) as rates,
    (select json_agg(named) from named) as gateways`

async function readReadings(
  tx: Queryable,
  organizationId: number,
  device: HealthDevice,
  { since, until, width }: RadioRange,
): Promise<RadioReadings> {
  const rows = await tx.query<RadioReadings>(radioQuery, [
    organizationId,
    device.id,
    since,
    until,
    width,
    device.network,
  ])
  const row = rows[0]
  if (!row) throw new Error(`no answer about device ${device.id}`)
  return row
}

/** The newest 500 events of a device are kept, so this is cheap. Times in milliseconds. */
async function readJoins(
  tx: Queryable,
  organizationId: number,
  { id }: HealthDevice,
  { since, until }: RadioRange,
): Promise<number[]> {
  const rows = await tx.query<{ time: number }>(
    `select floor(extract(epoch from occurred_at) * 1000)::bigint as time
     from network_events
     where organization_id = $1 and device_id = $2 and kind = 'join'
       and occurred_at >= $3 and occurred_at < $4`,
    [organizationId, id, since, until],
  )
  return rows.map(({ time }) => time)
}
