import type { Queryable } from '../../../db/connect.ts'
import { type MeasuredDay, readDays } from '../../../uplinks/read/day-queries.ts'
import {
  type BatteryScale,
  type BatteryTrend,
  builtInBattery,
  daysOf,
  sinceReplacement,
  trendOf,
} from './battery-trend.ts'

const twoYears = 731 * 24 * 60 * 60 * 1000

export interface BatteryForecast {
  /** With readings, of the last two years. */
  days: MeasuredDay[]
  /** The first day of the present battery, in milliseconds; undefined without readings. */
  since: number | undefined
  /** Undefined where nobody said when the battery is empty. */
  trend: BatteryTrend | undefined
}

/** The readings of a device's battery, and when it will be empty by them. */
export async function forecastBattery(
  db: Queryable,
  organizationId: number,
  { deviceId, scale }: { deviceId: number; scale: BatteryScale | undefined },
  now: Date,
): Promise<BatteryForecast> {
  const since = new Date(now.getTime() - twoYears)
  const name = scale?.name ?? builtInBattery.name
  const days = await readDays(db, organizationId, { deviceId, name, since })
  if (scale?.empty === undefined) return { days, since: undefined, trend: undefined }
  const present = sinceReplacement(daysOf(days, scale), scale)
  return { days, since: present[0]?.time, trend: trendOf(present, scale.empty, now.getTime()) }
}
