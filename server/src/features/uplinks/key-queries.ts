import type { Queryable } from '../../db/connect.ts'
import { isDistributed } from '../../db/distribution/is-distributed.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { keyOf } from '../inventory/uplink-columns.ts'
import { entryOf, hashOf, windowEntry, windowOf } from './window-queries.ts'

/*
 * Whether an uplink is a repeat is seen in the index `uplinks_window` (window-queries.ts), by the window
 * of its time, its device, and the hash of its deduplication key.
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

/*
 * SQL: the range of time that is searched for an uplink in `incoming`: times of the same uplink differ
 * by half an hour at most, unless it was dated when it came, perhaps again and again for a week.
 */
const earliest = `(incoming.time
      - case when incoming.is_dated_here then interval '7 days' else interval '30 minutes' end)`
const latest = `(incoming.time + interval '30 minutes')`
const windows = `generate_series(${windowOf(earliest)}, ${windowOf(latest)})`

const entry = windowEntry('uplinks')
const hash = hashOf(keyOf('uplinks'))

/** Of one device and window: with 100,000 uplinks there, one in 170 shares its hash with another. */
const mostAlike = 8

/**
 * SQL: the uplinks, as `next`, that may have the key in `incoming` (`UplinkKey`): see `isSame`. No
 * other index has this order: so the planner takes it while statistics are missing or old, too. With
 * an equal sign for the hash it would read a table that was small when it planned. Without the end of
 * the range, the scan looks at all entries of the page. It expects ten windows of the array, and 1,000 of
 * the series alone.
 */
export const storedAs = `unnest(array(select ${windows})) as number
    cross join lateral (
      select ${entryOf('number', 'incoming.device_id')} as entry, ${hashOf('incoming.key')} as hash
      offset 0
    ) as wanted
    cross join lateral (
      select uplinks.*
      from uplinks
      where ${entry} = wanted.entry and ${hash} >= wanted.hash and ${hash} <= wanted.hash
      order by ${hash}
      limit ${mostAlike}
    ) as next`

/** SQL: whether `next` is the uplink of `incoming`. */
export const isSame = `next.organization_id = incoming.organization_id
    and next.device_id = incoming.device_id and ${keyOf('next')} = incoming.key
    and next.event_time >= ${earliest} and next.event_time <= ${latest}`

/** SQL: joins `next` where uplinks are on several machines: each looks for its own. */
export const spreadAs = `cross join lateral ${windows} as place (number)
    join uplinks as next on ${isSame}
      and ${windowEntry('next')} = ${entryOf('place.number', 'incoming.device_id')}
      and ${hashOf(keyOf('next'))} = ${hashOf('incoming.key')}`

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

/** The same where uplinks are on several machines. */
export function spreadByKey(columns: string): string {
  return `select ${columns}
    from json_to_recordset($1::json) as incoming (
      organization_id bigint, device_id bigint, key text, time timestamptz, is_dated_here boolean
    )
    ${spreadAs}`
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
