import type { Queryable } from '../../db/connect.ts'
import { isDistributed } from '../../db/distribution/is-distributed.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { keyOf } from '../inventory/uplink-columns.ts'

/*
 * Whether an uplink is a repeat is seen in the index `uplinks_repeat`: one number, the hour above 40
 * bits of a hash of device and deduplication key. The uplinks of a fleet thus enter it close together,
 * and the log of a checkpoint has few of its pages (docs/decisions/0032-keys-by-the-hour.md).
 */

/** The key of an uplink that may be stored already. */
export interface UplinkKey {
  organization_id: number
  device_id: number
  key: string
  /** `receivedAt` of the uplink. */
  time: string
  /** See `Uplink`. */
  is_dated_here: boolean
}

export function uplinkKeyOf(
  { id, organization_id }: { id: number; organization_id: number },
  { deduplicationKey, receivedAt, isDatedHere }: Uplink,
): UplinkKey {
  return {
    organization_id,
    device_id: id,
    key: deduplicationKey,
    time: receivedAt,
    is_dated_here: isDatedHere === true,
  }
}

/** SQL: the hour of a time, counted from 1970. */
const hourOf = (time: string) =>
  `floor(date_part('epoch', ${time} at time zone 'UTC') / 3600)::bigint`

/** SQL: 40 bits of a hash of a device and a key. */
const hashOf = (device: string, key: string) =>
  `(hashtextextended(${key}, ${device}) & 1099511627775)`

const halfAnHour = `interval '30 minutes'`

/**
 * SQL: the hours that are searched for an uplink received at `time`: times of the same uplink differ
 * by less than half an hour, unless it was dated when it came, perhaps again and again for a week.
 * The planner expects ten hours of this, and 1,000 of the series alone.
 */
const hoursAround = (time: string, isDatedHere: string) => `unnest(
      case when ${isDatedHere} then array(
        select generate_series(
          ${hourOf(`(${time} - interval '7 days')`)}, ${hourOf(`(${time} + ${halfAnHour})`)}
        )
      )
      else array[${hourOf(`(${time} - ${halfAnHour})`)}, ${hourOf(`(${time} + ${halfAnHour})`)}]
      end
    )`

/** As the index has it (db/migrations/0040-small-index-of-keys.sql). */
const entry = `((${hourOf('uplinks.event_time')} << 40)
        | ${hashOf('uplinks.device_id', keyOf('uplinks'))})`

/** Of one hour: at 1,000 uplinks a second in the whole database, six pairs share the 40 bits. */
const mostAlike = 4

/**
 * SQL: the uplinks, as `next`, that may have the key in `incoming` (`UplinkKey`): see `isSame`. No
 * other index has this order: so the planner takes it while statistics are missing or old, too. With
 * an equal sign it would read a table that was small when it planned. Without the end of the range,
 * the scan looks at all entries of the page.
 */
export const storedAs = `${hoursAround('incoming.time', 'incoming.is_dated_here')} as hour
    cross join lateral (
      select (hour << 40) | ${hashOf('incoming.device_id', 'incoming.key')} as entry offset 0
    ) as wanted
    cross join lateral (
      select uplinks.*
      from uplinks
      where ${entry} >= wanted.entry and ${entry} <= wanted.entry
      order by ${entry}
      limit ${mostAlike}
    ) as next`

/** SQL: whether `next` is the uplink of `incoming`. */
export const isSame = `next.organization_id = incoming.organization_id
    and next.device_id = incoming.device_id and ${keyOf('next')} = incoming.key`

/**
 * Returns a statement that reads `columns` of the stored uplinks whose keys (`UplinkKey`) `$1`
 * lists as JSON. It returns a row twice if its key is listed twice.
 */
export function storedByKey(columns: string): string {
  return `select ${columns}
    from json_to_recordset($1::json) as incoming (
      organization_id bigint, device_id bigint, key text, time timestamptz, is_dated_here boolean
    )
    cross join lateral ${storedAs}
    where ${isSame}`
}

/** The same where uplinks are on several machines: each looks for its own, device by device. */
export function spreadByKey(columns: string): string {
  return `select ${columns}
    from json_to_recordset($1::json) as incoming (
      organization_id bigint, device_id bigint, key text, time timestamptz, is_dated_here boolean
    )
    join uplinks as next on ${isSame}
      and next.event_time <= incoming.time + interval '31 minutes'
      and next.event_time >= incoming.time
        - case when incoming.is_dated_here then interval '7 days' else interval '31 minutes' end`
}

const keyColumns = `next.device_id, ${keyOf('next')} as key`
const [storedKeys, spreadKeys] = [storedByKey(keyColumns), spreadByKey(keyColumns)]

/** Returns those of the keys that are stored already, as `device_id key`. */
export async function findStored(tx: Queryable, keys: readonly UplinkKey[]): Promise<Set<string>> {
  const stored = await tx.query<{ device_id: number; key: string }>(
    (await isDistributed(tx)) ? spreadKeys : storedKeys,
    [JSON.stringify(keys)],
  )
  return new Set(stored.map(({ device_id, key }) => `${device_id} ${key}`))
}
