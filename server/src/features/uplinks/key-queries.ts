import type { Queryable } from '../../db/connect.ts'
import { isDistributed } from '../../db/distribution/is-distributed.ts'
import type { Uplink } from '../../networks/network-message.ts'

/*
 * Whether an uplink is a repeat is seen in the unique index `uplinks_key`: hour, a hash of the
 * device and the deduplication key, organization. The uplinks of a fleet thus enter it close together,
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

/** SQL: the hour of a time. */
const hourOf = (time: string) => `date_bin('1 hour', ${time}, timestamptz 'epoch')`

/** SQL: the hash of a device and a key. */
const hashOf = (device: string, key: string) => `hashtextextended(${key}, ${device})`

const halfAnHour = `interval '30 minutes'`

/**
 * SQL: the hours that are searched for an uplink received at `time`: times of the same uplink differ
 * by less than half an hour, unless it was dated when it came, perhaps again and again for a week.
 * The planner expects ten hours of this, and 1,000 of the series alone.
 */
const hoursAround = (time: string, isDatedHere: string) => `unnest(
      case when ${isDatedHere} then array(
        select generate_series(
          ${hourOf(`${time} - interval '7 days'`)}, ${hourOf(`${time} + ${halfAnHour}`)},
          interval '1 hour'
        )
      )
      else array[${hourOf(`${time} - ${halfAnHour}`)}, ${hourOf(`${time} + ${halfAnHour}`)}]
      end
    )`

const entry = `${hourOf('uplinks.event_time')},
        ${hashOf('uplinks.device_id', 'uplinks.deduplication_key')}, uplinks.organization_id`

/**
 * SQL: at most one uplink in each hour, as `next`, that has the key in `incoming` (`UplinkKey`). No
 * other index begins like this one, and only this one has its order: so the planner takes it while
 * statistics are missing or old, too. With equal columns it would read a table that was small when
 * it planned. Without the end of the range, the scan looks at all entries of the page.
 */
export const storedAs = `${hoursAround('incoming.time', 'incoming.is_dated_here')} as hour
    cross join lateral (
      select ${hashOf('incoming.device_id', 'incoming.key')} as hash offset 0
    ) as wanted
    cross join lateral (
      select uplinks.*
      from uplinks
      where (${entry}) >= (hour, wanted.hash, incoming.organization_id)
        and (${entry}) <= (hour, wanted.hash, incoming.organization_id)
      order by ${entry}
      limit 1
    ) as next`

/** SQL: whether `next` is the uplink of `incoming`. */
export const isSame = `next.organization_id = incoming.organization_id
    and next.device_id = incoming.device_id and next.deduplication_key = incoming.key`

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

const keyColumns = 'next.device_id, next.deduplication_key as key'
const [storedKeys, spreadKeys] = [storedByKey(keyColumns), spreadByKey(keyColumns)]

/** Returns those of the keys that are stored already, as `device_id key`. */
export async function findStored(tx: Queryable, keys: readonly UplinkKey[]): Promise<Set<string>> {
  const stored = await tx.query<{ device_id: number; key: string }>(
    (await isDistributed(tx)) ? spreadKeys : storedKeys,
    [JSON.stringify(keys)],
  )
  return new Set(stored.map(({ device_id, key }) => `${device_id} ${key}`))
}
