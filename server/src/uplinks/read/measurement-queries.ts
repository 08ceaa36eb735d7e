import type { Database, Queryable } from '../../db/connect.ts'
import { readBriefly } from '../../db/read-briefly.ts'
import { ownType } from '../../features/fleet/inventory/device-queries.ts'
import { type Reference, referredDevice } from '../../features/fleet/inventory/references.ts'
import type { Moment } from '../../http/timestamps.ts'
import type { OwnType } from '../../sensors/own-measurements.ts'
import type { ReadingValue } from '../../sensors/sensor.ts'
import { inRange, isAt } from '../rows/by-time.ts'
import { numbersOf } from '../rows/numbers.ts'
import { keptCount } from '../rows/series.ts'

export interface MeasuredDevice {
  id: number
  type_id: number
  /** Of a type of the organization; null for a built-in one. */
  own_type: OwnType | null
  /** Its uplinks that are kept. */
  uplinks: number
}

/** Returns the device if the organization has it. */
export async function findDevice(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<MeasuredDevice | undefined> {
  const devices = await db.query<MeasuredDevice>(
    `select devices.id, devices.type_id, ${ownType} as own_type,
       ${keptCount('states')} as uplinks
     from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  return devices[0]
}

interface MeasurementRange {
  device: MeasuredDevice
  /** Included. */
  from: Date
  /** Not included. */
  to: Date
  /** The largest number of buckets. All have the same length. */
  points: number
  /** Keys of `decoded_object`, or paths within it. Undefined selects all with numbers. */
  keys: readonly string[] | undefined
  /** Whether the values can be within objects and lists, as a codec of an organization may give them. */
  isNested: boolean
}

/** The values of one measurement in one bucket. A bucket is never empty. */
export interface Bucket {
  key: string
  /** The time at which the bucket begins. */
  time: Moment
  min: number
  max: number
  average: number
  count: number
  /** The time of the last value. */
  last: Moment
}

export interface Latest {
  key: string
  value: number
  time: Moment
  /** What a codec gave, which says more of it; null for built-in sensors. */
  decoded_object: Record<string, ReadingValue> | null
}

/**
 * A range with more uplinks is refused. Reading 100,000 takes half a second (two measurements in
 * each; 2 cores). One uplink per second for a day is still below this limit.
 */
export const mostUplinks = 100_000

/** If a request names no keys, it gets at most this many, in the order of their names. */
export const mostKeys = 50

/**
 * Returns the buckets and the latest value of each measurement, or `too_many` when the range holds
 * more than one request may cost. See `inRange` for how the uplinks are found.
 */
export function readMeasurements(
  db: Database,
  organizationId: number,
  range: MeasurementRange,
): Promise<{ buckets: Bucket[]; latest: Latest[] } | 'too_many'> {
  return readBriefly(db, 'too_many', async (tx) => {
    if (await hasTooManyUplinks(tx, organizationId, range)) return 'too_many'
    const buckets = await readBuckets(tx, organizationId, range)
    return { buckets, latest: await readLatest(tx, organizationId, range, lastBuckets(buckets)) }
  })
}

/** Most devices do not have as many uplinks as would be refused. */
export async function hasTooManyUplinks(
  tx: Queryable,
  organizationId: number,
  { device, from, to }: Pick<MeasurementRange, 'device' | 'from' | 'to'>,
): Promise<boolean> {
  if (device.uplinks <= mostUplinks) return false
  const rows = await tx.query<{ count: number }>(
    `select count(*) from (
       select from ${inRange('uplinks.ordinal')} as uplinks limit $5
     ) as uplink`,
    [organizationId, device.id, from, to, mostUplinks + 1],
  )
  return (rows[0]?.count ?? 0) > mostUplinks
}

/**
 * The values are `numeric` until the end, because a sum of doubles could overflow and fail the
 * request. An average below the smallest double would fail it too, so it becomes 0. Only numbers
 * close to that limit have such an average.
 */
function readBuckets(
  tx: Queryable,
  organizationId: number,
  { device, from, to, points, keys, isNested }: MeasurementRange,
): Promise<Bucket[]> {
  const width = Math.ceil(((to.getTime() - from.getTime()) * 1000) / points)
  return tx.query<Bucket>(
    `with bucket as (
       select entry.key, date_bin($5::interval, uplinks.event_time, $3::timestamptz) as time,
         min(entry.value) as lowest, max(entry.value) as highest,
         avg(entry.value) as average, count(*) as count,
         max(uplinks.event_time) as last
       from ${inRange('uplinks.event_time, uplinks.decoded_object')} as uplinks
       cross join lateral ${numbersOf('uplinks.decoded_object', `${isNested}`)} as entry
       where $6::text[] is null or entry.key = any($6::text[])
       group by entry.key, 2
     )
     select key, time, lowest::double precision as min, highest::double precision as max,
       case when abs(average) < 3e-324 then 0 else average::double precision end as average,
       count, last
     from bucket
     where key in (select distinct key from bucket order by key limit $7)
     order by key, time`,
    [organizationId, device.id, from, to, `${width} microseconds`, keys ?? null, mostKeys],
  )
}

/** Returns the bucket with the latest value of each measurement. */
function lastBuckets(buckets: readonly Bucket[]): Bucket[] {
  return [...new Map(buckets.map((bucket) => [bucket.key, bucket])).values()]
}

/** If several uplinks have the same time, the one that arrived last counts. */
function readLatest(
  tx: Queryable,
  organizationId: number,
  { device, isNested }: MeasurementRange,
  buckets: readonly Bucket[],
): Promise<Latest[]> {
  return tx.query<Latest>(
    `select bucket.key, latest.value, bucket.last as time, latest.decoded_object
     from unnest($3::text[], $4::timestamptz[]) as bucket (key, last)
     cross join lateral (
       select number.value::double precision as value,
         ${isNested ? 'of_moment.decoded_object' : 'null::jsonb as decoded_object'}
       from (
         select uplinks.decoded_object, uplinks.device_ordinal
         from uplinks
         where uplinks.organization_id = $1 and ${isAt('uplinks', '$2::bigint', 'bucket.last')}
         offset 0
       ) as of_moment
       cross join lateral ${numbersOf('of_moment.decoded_object', `${isNested}`)} as number
       where number.key = bucket.key
       order by of_moment.device_ordinal desc
       limit 1
     ) as latest`,
    [organizationId, device.id, buckets.map(({ key }) => key), buckets.map(({ last }) => last)],
  )
}
