import type { Queryable } from '../../db/connect.ts'
import { isOfAny } from '../../db/distribution/places.ts'
import { numberArray, textArray } from '../../db/statements.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import { normalizeEui } from '../../lora/eui.ts'
import type { Uplink } from '../../networks/network-message.ts'
import { entryOf, hashOf, windowEntry, windowNumber, windowOf } from '../rows/by-time.ts'

/**
 * The longest time between a message without a time and its repeat, in milliseconds: a restart, or
 * a lost connection. Equal frames further apart count as separate uplinks.
 */
const longestAgo = 10 * 60 * 1000

/**
 * Returns the key of the first copy of a repeated message without a time, or the own key of the
 * message if there is no earlier copy. The keys of such copies differ only in their ends, which are
 * their times of arrival.
 */
export async function findFirstKey(
  db: Queryable,
  account: SendingAccount,
  { devEui, deduplicationKey, receivedAt }: Uplink,
): Promise<string> {
  const stem = deduplicationKey.slice(0, -receivedAt.length)
  const earliest = new Date(Date.parse(receivedAt) - longestAgo).toISOString()
  const [first] = await db.query<{ key: string }>(
    `select uplinks.deduplication_key as key
     from (
       select id, organization_id from devices
       where not $3 and organization_id = $2 and eui = $1 and deleted_at is null
       union all
       select id, organization_id from devices
       where $3 and register_method = 'vendor' and network = $7 and eui = $1 and deleted_at is null
       union all
       select id, organization_id from devices
       where $3 and other_method = 'vendor' and other_network = $7 and eui = $1
         and deleted_at is null
     ) as named
     cross join generate_series(
       ${windowOf('$4::timestamptz')}, ${windowOf('$5::timestamptz')}
     ) as place (number)
     join uplinks on uplinks.organization_id = named.organization_id
       and ${windowEntry('uplinks')} = ${entryOf('place.number', 'named.id')}
     where uplinks.event_time >= $4::timestamptz and uplinks.event_time <= $5::timestamptz
       and starts_with(uplinks.deduplication_key, $6)
     order by uplinks.event_time desc
     limit 1`,
    [
      normalizeEui(devEui),
      account.organizationId,
      account.isVendor,
      earliest,
      receivedAt,
      stem,
      account.network,
    ],
  )
  return first?.key ?? deduplicationKey
}

/*
 * Whether an uplink is a repeat is seen in the index `uplinks_window` (uplinks/rows/by-time.ts), by the window
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

/** Seconds by which the times of the same uplink differ at most. */
const usualSpan = 30 * 60
/** The same before an uplink that was dated when it came, perhaps again and again for a week. */
const spanOfDated = 7 * 24 * 3600

/** SQL: the range of time that is searched for an uplink in `incoming`. */
const earliest = `(incoming.time
      - case when incoming.is_dated_here then interval '${spanOfDated} seconds'
        else interval '${usualSpan} seconds' end)`
const latest = `(incoming.time + interval '${usualSpan} seconds')`
const windows = `generate_series(${windowOf(earliest)}, ${windowOf(latest)})`

const entry = windowEntry('uplinks')
const hash = hashOf('uplinks.deduplication_key')

/** Of one device and window: with 100,000 uplinks there, one in 170 shares its hash with another. */
const mostAlike = 8

/**
 * SQL: the uplinks of one window, as `next`, that may have the key in `incoming` (`UplinkKey`): see
 * `isSame`. No other index has this order: so the planner takes it while statistics are missing or
 * old, too. With an equal sign for the hash it would read a table that was small when it planned.
 * Without the end of the range, the scan looks at all entries of the page. `within` is for Citus.
 */
const storedIn = (window: string, within = '') => `cross join lateral (
      select ${entryOf(window, 'incoming.device_id')} as entry, ${hashOf('incoming.key')} as hash
      offset 0
    ) as wanted
    cross join lateral (
      select uplinks.*
      from uplinks
      where ${entry} = wanted.entry and ${hash} >= wanted.hash and ${hash} <= wanted.hash ${within}
      order by ${hash}
      limit ${mostAlike}
    ) as next`

/**
 * SQL: the same in all windows of `incoming`. The planner expects ten windows of the array, and 1,000 of
 * only the series.
 */
export const storedAs = `unnest(array(select ${windows})) as number
    ${storedIn('number')}`

/** SQL: whether `next` is the uplink of `incoming`. */
export const isSame = `next.organization_id = incoming.organization_id
    and next.device_id = incoming.device_id and next.deduplication_key = incoming.key
    and next.event_time >= ${earliest} and next.event_time <= ${latest}`

/** The parameters are those of `keyValues`. A row is returned twice if its key is listed twice. */
export function readingByKey(columns: string): string {
  return `select ${columns}
    from unnest(
      $1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::boolean[]
    ) as incoming (organization_id, device_id, number, key, time, is_dated_here)
    ${storedIn('incoming.number', `and ${isOfAny('uplinks.organization_id', '$7')}`)}
    where ${isSame}`
}

/** A row for each key and each window that is searched for it, as arrays of columns. */
function keyValues(keys: readonly UplinkKey[]): string[] {
  const rows: UplinkKey[] = []
  // Made here, a window costs a fifth of what it costs as a series in SQL.
  const numbers: number[] = []
  for (const key of keys) {
    const seconds = Date.parse(key.time) / 1000
    const last = windowNumber(seconds + usualSpan)
    let number = windowNumber(seconds - (key.is_dated_here ? spanOfDated : usualSpan))
    for (; number <= last; number += 1) {
      rows.push(key)
      numbers.push(number)
    }
  }
  return [
    numberArray(rows.map(({ organization_id }) => organization_id)),
    numberArray(rows.map(({ device_id }) => device_id)),
    numberArray(numbers),
    textArray(rows.map(({ key }) => key)),
    textArray(rows.map(({ time }) => time)),
    `{${rows.map(({ is_dated_here }) => is_dated_here).join()}}`,
    numberArray([...new Set(keys.map(({ organization_id }) => organization_id))]),
  ]
}

/** Reads stored uplinks by their keys. The statement is one of `readingByKey`. */
export function readByKey<Row>(
  tx: Queryable,
  keys: readonly UplinkKey[],
  statement: string,
): Promise<Row[]> {
  return tx.query<Row>(statement, keyValues(keys))
}

const storedKeys = readingByKey(`next.device_id, next.deduplication_key as key`)

/** The text by which an uplink is found among those of a batch. */
export function keyOf(deviceId: number, deduplicationKey: string): string {
  return `${deviceId} ${deduplicationKey}`
}

/** Returns those of the keys that are stored already, as `keyOf` gives them. */
export async function findStored(tx: Queryable, keys: readonly UplinkKey[]): Promise<Set<string>> {
  const stored = await readByKey<{ device_id: number; key: string }>(tx, keys, storedKeys)
  return new Set(stored.map(({ device_id, key }) => keyOf(device_id, key)))
}
