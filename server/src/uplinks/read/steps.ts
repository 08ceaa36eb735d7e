import { invalid } from '../../http/errors.ts'
import type { Formats } from '../../lora/formats.ts'

/** The range of a request, and the parts that it is divided into. */

const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** Milliseconds of each step; a day of a time zone may have an hour more or less. */
const lengths = {
  '1m': minute,
  '5m': 5 * minute,
  '10m': 10 * minute,
  '15m': 15 * minute,
  '30m': 30 * minute,
  '1h': hour,
  '2h': 2 * hour,
  '3h': 3 * hour,
  '6h': 6 * hour,
  '12h': 12 * hour,
  '1d': day,
  '1w': 7 * day,
} as const

export type Step = keyof typeof lengths
export const steps = Object.keys(lengths) as [Step, ...Step[]]

export interface TimeRange {
  /** Included. */
  from: Date
  /** Not included. */
  to: Date
}

/**
 * The range of a request; without an end, it ends now, and without a beginning it has 24 hours.
 *
 * @throws HttpError 422 where it does not begin before its end.
 */
export function toRange(
  sent: { from?: Date | undefined; to?: Date | undefined },
  now: Date,
): TimeRange {
  const to = sent.to ?? now
  const from = sent.from ?? new Date(to.getTime() - day)
  if (from >= to) throw invalid({ from: ['The from must be before the to.'] })
  return { from, to }
}

/** About how many parts of this length a range has. */
export const countSteps = ({ from, to }: TimeRange, step: Step) =>
  Math.ceil((to.getTime() - from.getTime()) / lengths[step])

/** The shortest step, of those allowed, with at most so many parts; the longest where none is. */
export function chooseStep(range: TimeRange, most: number, shortest: number): Step {
  const fits = (step: Step) => lengths[step] >= shortest && countSteps(range, step) <= most
  return steps.find(fits) ?? '1w'
}

export const lengthOf = (step: Step): number => lengths[step]

/** The parts of a range: where each begins, and where the last one ends, in milliseconds since 1970. */
export interface Parts {
  starts: number[]
  end: number
}

/**
 * Divides a range that is widened to whole steps. Steps up to an hour are those of UTC; longer ones begin
 * at midnight in the time zone, and weeks on their first day.
 */
export function divide({ from, to }: TimeRange, step: Step, zone: Zone): Parts {
  const borders = lengths[step] <= hour ? inUtc(from, to, step) : inZone(from, to, step, zone)
  return { starts: borders.slice(0, -1), end: borders.at(-1) ?? to.getTime() }
}

export interface Zone {
  timeZone: string
  weekStart: Formats['week_start']
}

/** As `dayOfWeek` has it. */
const firstDays = { monday: 1, saturday: 6, sunday: 7 } as const

/** The first day of the week that a day is in. */
export function beginOfWeek(
  date: Temporal.PlainDate,
  weekStart: Formats['week_start'],
): Temporal.PlainDate {
  return date.subtract({ days: (date.dayOfWeek - firstDays[weekStart] + 7) % 7 })
}

function inUtc(from: Date, to: Date, step: Step): number[] {
  const length = lengths[step]
  const first = Math.floor(from.getTime() / length)
  const last = Math.ceil(to.getTime() / length)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * length)
}

function inZone(from: Date, to: Date, step: Step, { timeZone, weekStart }: Zone): number[] {
  const length = lengths[step]
  const begin = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(timeZone)
  let date = begin.toPlainDate()
  if (length > day) date = beginOfWeek(date, weekStart)
  const days = Math.max(1, length / day)
  const times = Array.from({ length: Math.max(1, day / length) }, (_, index) =>
    Temporal.PlainTime.from({ hour: (index * length) / hour }),
  )
  const borders: number[] = []
  while ((borders.at(-1) ?? 0) < to.getTime()) {
    for (const plainTime of times) {
      const { epochMilliseconds: at } = date.toZonedDateTime({ timeZone, plainTime })
      // In spring, the clock may leave out the time at which a step begins.
      if (at > (borders.at(-1) ?? Number.NEGATIVE_INFINITY)) borders.push(at)
    }
    date = date.add({ days })
  }
  const first = borders.findLastIndex((at) => at <= from.getTime())
  const last = borders.findIndex((at) => at >= to.getTime())
  return borders.slice(Math.max(0, first), last + 1)
}
