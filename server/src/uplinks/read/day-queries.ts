import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'

/** A measurement of a device on one day (UTC). */
export interface MeasuredDay {
  /** The beginning of the day. */
  time: Moment
  average: number
  min: number
  max: number
  count: number
  /** The last value of the day, and its time. */
  last: number
  last_time: Moment
}

/** The days since a time that are rolled up, in order of time. */
export function readDays(
  db: Queryable,
  organizationId: number,
  { deviceId, name, since }: { deviceId: number; name: string; since: Date },
): Promise<MeasuredDay[]> {
  return db.query<MeasuredDay>(
    `select start as time, (sum / count)::double precision as average, lowest as min,
       highest as max, count, last, last_at as last_time
     from daily_rollups
     where organization_id = $1 and device_id = $2 and name = $3 and start >= $4
     order by start`,
    [organizationId, deviceId, name, since],
  )
}
