import { isoTime, type Moment } from '../../../http/timestamps.ts'
import type { OwnDeclaration } from '../../../sensors/own-measurements.ts'

/**
 * When a battery will be empty, by its own readings. The slope is the median of the slopes from any
 * day of the first third to any day of the last third (after Theil, 1950), so single wrong readings
 * do not move it. Neighbouring days are not compared: readings come in steps of 0.1 V, and most of
 * those slopes would be 0. The range is where eight of ten slopes are.
 */

/** The average reading of a day. */
export interface BatteryDay {
  /** Milliseconds. */
  time: number
  level: number
}

/** The measurement that is the battery of a device, and what its readings mean. */
export interface BatteryScale {
  name: string
  unit: 'V' | '%'
  /** Readings times this are in the unit. */
  factor: number
  /** Below it the battery is low; undefined where the sensor does not say. */
  low?: number
  /** Where the sensor stops; undefined where nobody said so. */
  empty?: number
  /** A day that is higher by so much is the first one of a new battery. */
  replacement: number
}

const ofVolts = { unit: 'V', replacement: 0.3 } as const
const ofPercent = { unit: '%', replacement: 15 } as const

/**
 * Of built-in types: the sensors stop at about 2.5 V, and set their own flag below 2.8 V (manual of
 * RBS3010NA0EBN0, p. 12-15).
 */
export const builtInBattery = {
  ...{ name: 'battery', ...ofVolts, factor: 1 },
  ...{ low: 2.8, empty: 2.5 },
} satisfies BatteryScale

/** Of an own type: what its owner, or the codec, says of the quantity `battery`. */
export function batteryOf({
  name,
  quantity,
  unit,
  min,
}: Pick<OwnDeclaration, 'name' | 'quantity' | 'unit' | 'min'>): BatteryScale | undefined {
  if (quantity !== 'battery') return undefined
  if (unit === '%') return { name, ...ofPercent, factor: 1, empty: min ?? 0 }
  if (unit !== 'V' && unit !== 'mV') return undefined
  const factor = unit === 'mV' ? 0.001 : 1
  return { name, ...ofVolts, factor, ...(min === undefined ? {} : { empty: min * factor }) }
}

/** The days as the battery has them in its unit. */
export function daysOf(
  days: readonly { time: Moment; average: number }[],
  { factor }: BatteryScale,
): BatteryDay[] {
  return days.map(({ time, average }) => ({
    time: Date.parse(isoTime(time)),
    level: average * factor,
  }))
}

export type BatteryTrend =
  /** Fewer days, or a shorter time, than a trend needs. */
  | { state: 'too_few_readings' }
  /** A quarter of the slopes or more does not fall, or the battery lasts longer than can be said. */
  | { state: 'not_falling' }
  | { state: 'empty' }
  | {
      state: 'falling'
      perYear: number
      /** Times in milliseconds; `emptyTo` is undefined where it is too far away to be said. */
      emptyAt: number
      emptyFrom: number
      emptyTo: number | undefined
    }

const day = 24 * 60 * 60 * 1000
const year = 365.25 * day

const fewestDays = 10
const shortestTime = 30 * day
/** Batteries of sensors last up to ten years. A later date would be made up. */
const horizon = 15 * year

/** Pairs of days grow with the square of the days: 200 make 4,489. */
const mostPoints = 200

/** Returns the days of the present battery. The days are in order of time. */
export function sinceReplacement(
  days: readonly BatteryDay[],
  { replacement }: BatteryScale,
): readonly BatteryDay[] {
  for (let index = days.length - 1; index > 0; index -= 1) {
    const [before, after] = [
      days.slice(Math.max(0, index - 3), index),
      days.slice(index, index + 3),
    ]
    const step = (days[index]?.level ?? 0) - (days[index - 1]?.level ?? 0)
    const rise = medianLevel(after) - medianLevel(before)
    if (isAtLeast(step, replacement) && isAtLeast(rise, replacement)) return days.slice(index)
  }
  return days
}

/** Binary fractions: 3.1 - 2.8 is a little less than 0.3. */
function isAtLeast(value: number, limit: number): boolean {
  return value > limit - 1e-9
}

/** The trend of one battery. The days are in order of time. */
export function trendOf(days: readonly BatteryDay[], empty: number, now: number): BatteryTrend {
  const [first, last] = [days[0], days.at(-1)]
  if (last && last.level <= empty) return { state: 'empty' }
  if (!first || !last || days.length < fewestDays || last.time - first.time < shortestTime) {
    return { state: 'too_few_readings' }
  }
  const points = thin(days)
  const slopes = slopesOf(points)
  if (partOf(slopes, 0.75) >= 0) return { state: 'not_falling' }
  const slope = partOf(slopes, 0.5)
  const endBy = (slope: number) => emptyTime(points, { slope, empty }, now)
  const emptyAt = endBy(slope)
  if (emptyAt > now + horizon) return { state: 'not_falling' }
  const emptyFrom = Math.min(emptyAt, endBy(partOf(slopes, 0.1)))
  // A battery that does not fall has no end.
  const slowest = partOf(slopes, 0.9)
  const latest = slowest >= 0 ? Infinity : endBy(slowest)
  const emptyTo = latest > now + horizon ? undefined : Math.max(emptyAt, latest)
  return { state: 'falling', perYear: slope * year, emptyAt, emptyFrom, emptyTo }
}

/** Medians of neighbouring days, if there are too many days. */
function thin(days: readonly BatteryDay[]): readonly BatteryDay[] {
  const size = Math.ceil(days.length / mostPoints)
  if (size <= 1) return days
  return Array.from({ length: Math.ceil(days.length / size) }, (_, index) => {
    const part = days.slice(index * size, (index + 1) * size)
    return { time: median(part.map(({ time }) => time)), level: medianLevel(part) }
  })
}

/** The slopes from the first third of the time to the last, by size, in units per millisecond. */
function slopesOf(points: readonly BatteryDay[]): number[] {
  const [begin, end] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0]
  const third = (end - begin) / 3
  const last = points.filter(({ time }) => time >= end - third)
  return points
    .filter(({ time }) => time <= begin + third)
    .flatMap((one) => last.map((other) => (other.level - one.level) / (other.time - one.time)))
    .sort((one, other) => one - other)
}

/** The slope below which this part of the slopes is. */
function partOf(slopes: readonly number[], part: number): number {
  return slopes[Math.round(part * (slopes.length - 1))] ?? 0
}

/** When a line of this slope through the middle of the points reaches the limit; not before now. */
function emptyTime(
  points: readonly BatteryDay[],
  { slope, empty }: { slope: number; empty: number },
  now: number,
): number {
  const middle = median(points.map(({ time }) => time))
  const level = median(points.map(({ time, level }) => level - slope * (time - middle)))
  return Math.max(now, Math.round(middle + (empty - level) / slope))
}

function medianLevel(days: readonly BatteryDay[]): number {
  return median(days.map(({ level }) => level))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}
