import type { Queryable } from '../../db/connect.ts'
import { byOrdinals } from './by-ordinal.ts'

/**
 * Uplinks in the order of their arrival, numbered from 1 without gaps: those of an organization, or
 * of one of its devices. Its begin is gone where the organization does not keep them for ever.
 */
export interface Series {
  organizationId: number
  deviceId: number | undefined
}

/** SQL: the number of an uplink in the series. */
export function positionOn({ deviceId }: Series): string {
  return deviceId === undefined ? 'uplinks.ordinal' : 'uplinks.device_ordinal'
}

/**
 * SQL: `columns` of `uplinks`, of the series of organization `$1` and device `$2`, with the numbers `first` to
 * `last`. The series of an organization names `$2` as well, so that its type is known.
 */
export function ofSeries(
  { deviceId }: Series,
  columns: string,
  first: string,
  last: string,
): string {
  if (deviceId !== undefined) {
    return byOrdinals(columns, { device: '$2::bigint', first, last })
  }
  return `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1 and $2::bigint is null
      and uplinks.ordinal >= ${first} and uplinks.ordinal <= ${last}
  )`
}

/**
 * SQL: the same of one uplink. As a range, the planner would expect many in a large table, and read all of
 * the organization instead.
 */
export function oneOfSeries(series: Series, columns: string, number: string): string {
  if (series.deviceId !== undefined) return ofSeries(series, columns, number, number)
  return `(
    select ${columns} from uplinks
    where uplinks.organization_id = $1 and $2::bigint is null and uplinks.ordinal = ${number}
  )`
}

/** The numbers of the first and the last uplink that are kept. */
export interface SeriesEnds {
  first: number
  /** One below `first` where none is kept. */
  top: number
}

/** SQL: how many uplinks are kept, from a row of `organization_counters` or `device_states`. */
export const keptCount = (row: string) => `${row}.uplink_count - ${row}.first_ordinal + 1`

export async function findEnds(db: Queryable, series: Series): Promise<SeriesEnds> {
  const rows =
    series.deviceId === undefined
      ? await db.query<SeriesEnds>(
          `select first_ordinal as first, uplink_count as top
           from organization_counters where organization_id = $1`,
          [series.organizationId],
        )
      : await db.query<SeriesEnds>(
          `select first_ordinal as first, uplink_count as top
           from device_states where organization_id = $1 and device_id = $2`,
          [series.organizationId, series.deviceId],
        )
  return rows[0] ?? { first: 1, top: 0 }
}

/**
 * For each time, the number of the first uplink that was stored at that time or later; `top + 1`
 * where there is none. There is no index by time, which every stored uplink would pay for: times
 * rise with the numbers, so halving finds the place in 27 steps among 100 million uplinks.
 *
 * The time of storing is that of the transaction's begin, and transactions wait for each other, so
 * neighbours may be out of order by milliseconds.
 */
export async function findPositions(
  db: Queryable,
  series: Series,
  { first, top }: SeriesEnds,
  times: readonly Date[],
): Promise<number[]> {
  const uplink = oneOfSeries(series, 'uplinks.received_at', 'middle.at')
  const rows = await db.query<{ found: number }>(
    `select found.low as found
     from unnest($4::timestamptz[]) with ordinality as asked (time, place)
     cross join lateral (
       with recursive search as (
         select $5::bigint as low, $3::bigint + 1 as high
         union all
         select case when uplink.received_at < asked.time then middle.at + 1 else search.low end,
           case when uplink.received_at < asked.time then search.high else middle.at end
         from search
         cross join lateral (select (search.low + search.high) / 2 as at) as middle
         cross join lateral ${uplink} as uplink
         where search.low < search.high
       )
       select search.low from search order by search.high - search.low limit 1
     ) as found
     order by asked.place`,
    [series.organizationId, series.deviceId ?? null, top, times, first],
  )
  return rows.map(({ found }) => found)
}
