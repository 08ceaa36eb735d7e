import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { withBattery } from '../../../uplinks/rows/by-time.ts'
import type { HealthDevice } from './device-queries.ts'

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
