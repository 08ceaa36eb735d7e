import type { Database, Queryable } from '../../../db/connect.ts'
import { readBriefly } from '../../../db/read-briefly.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { inRange, withBattery } from '../../../uplinks/rows/by-time.ts'
import type { HealthDevice } from './radio-queries.ts'

/** The readings of one day (UTC). */
export interface ReadDay {
  /** The beginning of the day. */
  time: Moment
  median: number
  min: number
  max: number
  count: number
  /** The last reading of the day, and its time. */
  last: number
  last_time: Moment
}

/** Readings beyond this number are not read. A sensor sends one a day, and at most one an hour. */
export const mostReadings = 20_000

/**
 * Returns the readings since a time by days, in order of time. The cost does not depend on the other
 * uplinks of the device.
 */
export const batteryQuery = `with readings as materialized (
    select event_time, device_ordinal,
      case when jsonb_typeof(decoded_object -> 'battery') = 'number'
        then (decoded_object -> 'battery')::numeric end as battery
    from ${withBattery('uplinks.*', mostReadings)} as uplinks
  )
  select date_trunc('day', event_time) as time,
    percentile_cont(0.5) within group (order by battery::double precision) as median,
    min(battery)::double precision as min, max(battery)::double precision as max,
    count(*) as count,
    (array_agg(battery::double precision order by event_time desc, device_ordinal desc))[1] as last,
    max(event_time) as last_time
  from readings
  where battery between 0 and 100000
  group by 1
  order by 1`

export function readBattery(
  db: Queryable,
  organizationId: number,
  { id }: Pick<HealthDevice, 'id'>,
  { since, until }: { since: Date; until: Date },
): Promise<ReadDay[]> {
  return db.query<ReadDay>(batteryQuery, [organizationId, id, since, until])
}

/** Uplinks of one hour that were sent alike. */
export interface SentAlike {
  /** Hours since 1970. */
  hour: number
  /** Hz. */
  frequency: number | null
  data_rate: string | null
  payload_bytes: number
  uplinks: number
}

export interface SentUplinks {
  count: number
  /** When the first one was sent, in milliseconds. */
  first: number | null
  sent: SentAlike[] | null
}

/** Only the newest uplinks of a range are read beyond this number. It bounds the request. */
export const mostSent = 20_000

/** The newest uplinks of the range: `inRange` finds them in this order. */
export const airtimeQuery = `with frames as materialized (
    select uplinks.*
    from ${inRange(
      `uplinks.event_time, uplinks.frequency, uplinks.data_rate,
      octet_length(uplinks.payload) as payload_bytes`,
      { newestFirst: true },
    )} as uplinks
    limit ${mostSent}
  ), sent as (
    select floor(extract(epoch from event_time) / 3600)::bigint as hour, frequency, data_rate,
      payload_bytes, count(*) as uplinks
    from frames group by 1, 2, 3, 4
  )
  select (select count(*) from frames) as count,
    (select floor(extract(epoch from min(event_time)) * 1000)::bigint from frames) as first,
    (select json_agg(sent order by hour) from sent) as sent`

/** Returns what the device sent in the range, or `too_much` when it takes too long. */
export function readSent(
  db: Database,
  organizationId: number,
  { id }: Pick<HealthDevice, 'id'>,
  { since, until }: { since: Date; until: Date },
): Promise<SentUplinks | 'too_much'> {
  return readBriefly(db, 'too_much', async (tx) => {
    const [sent] = await tx.query<SentUplinks>(airtimeQuery, [organizationId, id, since, until])
    return sent as SentUplinks
  })
}
