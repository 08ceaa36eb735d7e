import type { Database, Queryable } from '../../db/connect.ts'
import { readBriefly } from '../../db/read-briefly.ts'
import { numberArray, textArray } from '../../db/statements.ts'
import { findBacklog, notRolledUp } from '../rollups/rollup-queries.ts'
import { between } from '../rows/by-ordinal.ts'
import { inHour, inRange } from '../rows/by-time.ts'
import { numbersOf } from '../rows/numbers.ts'
import { mostUplinks } from './measurement-queries.ts'
import { day, hour, type Parts } from './steps.ts'

export const aggregates = ['min', 'avg', 'max', 'count', 'last'] as const
export type Aggregate = (typeof aggregates)[number]

/** A measurement of a device. Those with the same place are one series: their values are summed up together. */
export interface SeriesKey {
  device_id: number
  name: string
  isNested: boolean
  place: number
}

/** What is known of one part of the range: the place of the series and of the part, then the values. */
export type PointRow = [number, number, ...number[]]

interface Asked {
  series: readonly SeriesKey[]
  parts: Parts
  step: number
  aggregate: readonly Aggregate[]
}

/** Uplinks that are not rolled up yet and that one request may read. */
export const mostBehind = 100_000
export const behind =
  `More than ${mostBehind.toLocaleString('en-US')} uplinks are not summed up yet. Please try again in some` +
  ' minutes.'
/** Hours of all series that are read from uplinks, because a day of the time zone begins within them. */
export const mostSplitHours = 40_000

/**
 * The points of each series. Steps of an hour or more come from rollups and the uplinks that are not
 * rolled up yet, shorter ones from uplinks. `too_many` when there is more than one request may cost,
 * `behind` when too many uplinks are not rolled up yet.
 */
export function readPoints(
  db: Database,
  organizationId: number,
  asked: Asked,
): Promise<PointRow[] | 'too_many' | 'behind'> {
  return readBriefly(db, 'too_many', (tx) => {
    // A plan for any number of devices would look up row by row what fills whole pages.
    tx.send('set local plan_cache_mode = force_custom_plan')
    return asked.step < hour
      ? readFromUplinks(tx, organizationId, asked)
      : readFromRollups(tx, organizationId, asked)
  })
}

/** `$1` to `$8`: organization, ids of devices, from, to, names, whether they are nested, the parts and the places. */
function valuesOf(organizationId: number, { series, parts }: Asked): unknown[] {
  const [from = parts.end] = parts.starts
  return [
    organizationId,
    numberArray(series.map(({ device_id }) => device_id)),
    new Date(from),
    new Date(parts.end),
    textArray(series.map(({ name }) => name)),
    `{${series.map(({ isNested }) => isNested).join()}}`,
    timeArray(parts.starts),
    numberArray(series.map(({ place }) => place)),
  ]
}

function timeArray(times: readonly number[]): string {
  return textArray(times.map((time) => new Date(time).toISOString()))
}

const seriesKeys = `unnest($2::bigint[], $5::text[], $6::boolean[], $8::bigint[])
  as series (device_id, name, is_nested, place)`

/** SQL: the part in which a time is. */
const bucketOf = (time: string) => `width_bucket(${time}, $7::timestamptz[]) - 1 as bucket`

/** Columns of an uplink and a number of it, as of a rollup. */
const ofNumber = `${bucketOf('uplinks.event_time')}, 1 as count, number.value as sum,
  number.value::double precision as lowest, number.value::double precision as highest,
  number.value::double precision as last, uplinks.event_time as last_at, uplinks.ordinal`
const uplinkColumns = `uplinks.ordinal, uplinks.device_id, uplinks.event_time,
  uplinks.decoded_object`
const isInTime = 'uplinks.event_time >= $3::timestamptz and uplinks.event_time < $4::timestamptz'
const numbers = `lateral ${numbersOf('uplinks.decoded_object', 'series.is_nested')}`

async function readFromUplinks(
  tx: Queryable,
  organizationId: number,
  asked: Asked,
): Promise<PointRow[] | 'too_many'> {
  const values = valuesOf(organizationId, asked)
  const [from, to] = [values[2], values[3]]
  const ofSeries = inRange(uplinkColumns, { device: 'series.device_id' })
  const [found] = await tx.query<{ count: number }>(
    `select count(*) from (
       select from unnest($2::bigint[]) as series (device_id)
       cross join lateral ${ofSeries} as uplinks
       limit $5
     ) as uplink`,
    [organizationId, values[1], from, to, mostUplinks + 1],
  )
  if ((found?.count ?? 0) > mostUplinks) return 'too_many'
  const numbersInTime = `select series.place, ${ofNumber}
    from ${seriesKeys}
    cross join lateral ${ofSeries} as uplinks
    cross join ${numbers} as number
    where number.key = series.name`
  return readRows(tx, summed(numbersInTime, asked.aggregate), values)
}

async function readFromRollups(
  tx: Queryable,
  organizationId: number,
  asked: Asked,
): Promise<PointRow[] | 'too_many' | 'behind'> {
  const { series, parts, aggregate } = asked
  const backlog = await findBacklog(tx, organizationId)
  if (backlog && backlog.up_to - backlog.after > mostBehind) return 'behind'
  const borders = [...parts.starts, parts.end]
  const isDaily = borders.every((at) => at % day === 0)
  const split = splitHours(borders)
  if (split.length * series.length > mostSplitHours) return 'too_many'
  const text = `with backlog as materialized (${notRolledUp}), part as (
      select series.place, ${bucketOf('rollups.start')}, sum(rollups.count) as count,
        sum(rollups.sum) as sum, min(rollups.lowest) as lowest, max(rollups.highest) as highest,
        ${aggregate.includes('last') ? ofLast : noLast}, 0::bigint as ordinal
      from ${isDaily ? 'daily_rollups' : 'hourly_rollups'} as rollups
      join ${seriesKeys} on series.device_id = rollups.device_id
        and series.name collate "C" = rollups.name
      where rollups.organization_id = $1 and rollups.device_id = any($2::bigint[])
        and rollups.name = any($5::text[])
        and rollups.start >= $3 and rollups.start < $4
        ${split.length > 0 ? 'and rollups.start <> all($9::timestamptz[])' : ''}
      group by 1, 2
      ${split.length > 0 ? `union all ${ofSplitHours}` : ''}
      union all ${ofBacklog}
    )`
  const values = valuesOf(organizationId, asked)
  if (split.length > 0) values.push(timeArray(split))
  return readRows(tx, `${text} ${summed('select * from part', aggregate)}`, values)
}

/** Without the last values, which have an order, processes of the database share the work. */
const noLast = 'null::double precision as last, null::timestamptz as last_at'
const ofLast = `(array_agg(rollups.last order by rollups.last_at desc))[1] as last,
        max(rollups.last_at) as last_at`

/** Hours in which a part begins or ends: in some time zones midnight is not at a whole hour of UTC. */
export function splitHours(borders: readonly number[]): number[] {
  return borders.filter((at) => at % hour !== 0).map((at) => at - (at % hour))
}

const ofSplitHours = `
  select series.place, ${ofNumber}
  from ${seriesKeys}
  cross join unnest($9::timestamptz[]) as split (hour)
  cross join lateral ${inHour(uplinkColumns, 'series.device_id', 'split.hour')} as uplinks
  cross join ${numbers} as number
  where ${isInTime} and number.key = series.name
    and uplinks.ordinal <= (select after from backlog)`

const ofBacklog = `
  select series.place, ${ofNumber}
  from ${between(
    uplinkColumns,
    '(select after from backlog)',
    '(select up_to from backlog)',
  )} as uplinks
  join ${seriesKeys} on series.device_id = uplinks.device_id
  cross join ${numbers} as number
  where ${isInTime} and number.key = series.name`

/** See `readBuckets` of `measurement-queries.ts` on small averages. */
const expressions: Record<Aggregate, string> = {
  min: 'min(part.lowest)',
  avg: `case when abs(sum(part.sum) / sum(part.count)) < 3e-324 then 0
    else (sum(part.sum) / sum(part.count))::double precision end`,
  max: 'max(part.highest)',
  count: 'sum(part.count)::double precision',
  last: '(array_agg(part.last order by part.last_at desc, part.ordinal desc))[1]',
}

function summed(parts: string, aggregate: readonly Aggregate[]): string {
  const values = aggregate.map((name) => expressions[name])
  return `select json_agg(json_build_array(place, bucket, ${values.map((_, at) => `value_${at}`).join()})
      order by place, bucket) as points
    from (
      select part.place, part.bucket, ${values.map((value, at) => `${value} as value_${at}`).join()}
      from (${parts}) as part
      group by 1, 2
    ) as point`
}

/** In one row: as rows of their own, 50,000 points would take the driver as long as the database. */
async function readRows(
  tx: Queryable,
  text: string,
  values: readonly unknown[],
): Promise<PointRow[]> {
  const [row] = await tx.query<{ points: PointRow[] | null }>(text, values)
  return row?.points ?? []
}
