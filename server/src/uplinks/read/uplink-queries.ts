import type { Queryable } from '../../db/connect.ts'
import type { Page } from '../../http/pages.ts'
import type { Moment } from '../../http/timestamps.ts'
import type { ReadingValue } from '../../sensors/sensor.ts'
import { byOrdinals } from '../rows/by-ordinal.ts'
import type { StoredReceptions } from '../rows/receptions.ts'
import { keptCount } from '../rows/series.ts'

/** A delivery of an uplink to a webhook of the organization, as `client_api_log` lists it. */
interface LoggedDelivery {
  webhook_id: number
  at: string
  delivered: boolean
  /** Null where the receiver did not answer. */
  status: number | null
  duration_ms: number
}

/**
 * SQL: the deliveries of the uplink of the row, of organization `$1`, the oldest first; null without
 * one. Organizations without webhooks pay one look for the whole page.
 */
const deliveryLog = `case when (
    select exists (select from webhooks where webhooks.organization_id = $1)
  ) then (
    select json_agg(
      json_build_object(
        'webhook_id', attempts.webhook_id,
        'at', to_char(attempts.attempted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'delivered', attempts.is_delivered,
        'status', attempts.status,
        'duration_ms', attempts.duration_ms
      ) order by attempts.id
    )
    from webhook_attempts as attempts
    where attempts.organization_id = $1 and attempts.ordinal = uplinks.ordinal
  ) end`

/** A stored uplink, with the columns of its device that its record needs. */
export interface StoredUplink extends StoredReceptions {
  id: number
  device_id: number
  device_eui: string
  device_type_id: number
  device_name: string
  network: string
  event_type: string
  sensor_sequence: number[]
  decoded_object: Record<string, ReadingValue>
  /** See `messageOf`. */
  decoded_message: string | null
  event_time: Moment
  payload: string
  f_port: number
  f_cnt: number
  rssi: number | null
  snr: number | null
  latitude: number | null
  longitude: number | null
  data_rate: string | null
  frequency: number | null
  client_api_log: LoggedDelivery[] | null
}

interface UplinkPage {
  total: number
  uplinks: StoredUplink[]
}

const columns = `uplinks.id, uplinks.device_id, uplinks.event_type,
  uplinks.sensor_sequence, uplinks.decoded_object, uplinks.decoded_message, uplinks.event_time,
  encode(uplinks.payload, 'hex') as payload, uplinks.f_port, uplinks.f_cnt, uplinks.rssi,
  uplinks.snr, uplinks.latitude, uplinks.longitude, uplinks.data_rate, uplinks.frequency,
  ${deliveryLog} as client_api_log,
  uplinks.receptions`

const deviceColumns = `devices.device_eui, devices.type_id as device_type_id,
  devices.name as device_name, devices.network`

/**
 * Reads a page of the organization's uplinks: `[organization, size, offset]`. The statement lists
 * each ordinal. For a range with unknown ends, the planner assumes half a percent of the table and
 * hashes every device (5 million uplinks, 100,000 devices: 33 ms with the range, 0.1 ms with the
 * list).
 */
export const allUplinksQuery = `select ${keptCount('counter')} as total, ${columns}, ${deviceColumns}
  from organization_counters as counter
  cross join lateral (
    select array(
      select generate_series(
        greatest(counter.uplink_count - $3 - $2 + 1, counter.first_ordinal),
        counter.uplink_count - $3
      )
    ) as ordinals
    offset 0
  ) as page
  left join uplinks on uplinks.organization_id = counter.organization_id
    and uplinks.ordinal = any(page.ordinals)
  left join devices on devices.organization_id = $1 and devices.id = uplinks.device_id
  where counter.organization_id = $1
  order by uplinks.ordinal desc`

/**
 * Returns a page of the organization's uplinks, newest first. The counter and the ordinals come
 * from one snapshot, so the total is exact. Any page costs one index range, however far back it is.
 */
export async function listAll(
  db: Queryable,
  organizationId: number,
  page: Page,
): Promise<UplinkPage> {
  const rows = await db.query<StoredUplink & { total: number }>(allUplinksQuery, [
    organizationId,
    page.size,
    (page.number - 1) * page.size,
  ])
  return pageOf(rows)
}

/**
 * Reads a page of one device's uplinks: `[organization, id, eui, size, offset]`.
 *
 * The condition compares with one id, not with "this id or that EUI". For the second form, the
 * planner estimates a much higher cost with unknown values than with known ones. The statement
 * would then be planned again each time (1.9 ms instead of 0.9 ms).
 */
export const deviceUplinksQuery = `select ${keptCount('states')} as total, ${columns}, ${deviceColumns}
  from devices
  join device_states as states on states.organization_id = devices.organization_id
    and states.device_id = devices.id
  left join lateral ${byOrdinals('uplinks.*', {
    device: 'devices.id',
    first: 'greatest(states.uplink_count - $5::bigint - $4::bigint + 1, states.first_ordinal)',
    last: 'states.uplink_count - $5',
  })} as uplinks on true
  where devices.organization_id = $1 and devices.deleted_at is null
    and devices.id = coalesce(
      $2, (
        select named.id from devices as named
        where named.organization_id = $1 and named.eui = $3 and named.deleted_at is null
      )
    )
  order by uplinks.device_ordinal desc`

/** Returns a page of one device's uplinks, newest first; undefined when there is no such device. */
export async function listOfDevice(
  db: Queryable,
  organizationId: number,
  device: { id: number | null; eui: string | null },
  page: Page,
): Promise<UplinkPage | undefined> {
  const rows = await db.query<StoredUplink & { total: number }>(deviceUplinksQuery, [
    organizationId,
    device.id,
    device.eui,
    page.size,
    (page.number - 1) * page.size,
  ])
  return rows.length === 0 ? undefined : pageOf(rows)
}

/** An empty page is one row that contains only the total. */
function pageOf(rows: (StoredUplink & { total: number })[]): UplinkPage {
  return {
    total: rows[0]?.total ?? 0,
    uplinks: rows.filter((row) => (row.id as number | null) !== null),
  }
}

/** Uplinks for a CSV, newest first. What belongs to one uplink has the same place in each list. */
export interface CsvUplinks {
  euis: string[]
  /** Hexadecimal. */
  payloads: string[]
  times: Moment[]
  /** See `messageOf`. */
  messages: (string | null)[]
}

/**
 * Reads the uplinks with ordinals above `after`, up to and including `upTo`. They come as one row
 * (docs/decisions/0003-the-server-writes-the-csv.md). With a join in place of the subselect, the
 * planner reads all uplinks of each device where the tables are not analysed yet.
 */
export async function readCsvUplinks(
  db: Queryable,
  organizationId: number,
  range: { after: number; upTo: number },
): Promise<CsvUplinks> {
  const rows = await db.query<{
    euis: string | null
    payloads: string
    times: string
    messages: (string | null)[]
  }>(
    `select string_agg(device_eui, ',') as euis, string_agg(encode(payload, 'hex'), ',') as payloads,
       string_agg(event_time::text, ',') as times, json_agg(decoded_message) as messages
     from (
       select uplinks.payload, uplinks.event_time, uplinks.decoded_message,
         coalesce(
           (
             select device_eui from devices
             where devices.organization_id = $1 and devices.id = uplinks.device_id
           ), ''
         ) as device_eui
       from uplinks
       where uplinks.organization_id = $1
         and uplinks.ordinal = any(array(select generate_series($2::bigint + 1, $3::bigint)))
       order by uplinks.ordinal desc
     ) as uplink`,
    [organizationId, range.after, range.upTo],
  )
  const [row] = rows
  if (!row || row.euis === null) return { euis: [], payloads: [], times: [], messages: [] }
  return {
    euis: row.euis.split(','),
    payloads: row.payloads.split(','),
    times: row.times.split(','),
    messages: row.messages,
  }
}
