import type { Formats } from '../../../lora/formats.ts'
import { beginOfWeek, type TimeRange } from '../../../uplinks/read/steps.ts'

/** What a report covers, and when it is sent. */

export const periods = ['weekly', 'monthly'] as const
export type Period = (typeof periods)[number]

/** Where the days of an organization begin, and its weeks. */
export interface Calendar {
  timeZone: string
  weekStart: Formats['week_start']
}

/** On the first day after its period, a report is sent at this hour. */
const hourOfSending = 6

/** The last week or month that is over. */
export function lastPeriod(period: Period, calendar: Calendar, now: Date): TimeRange {
  const { timeZone } = calendar
  const end = beginOf(period, calendar, now)
  const begin = end.subtract(period === 'weekly' ? { weeks: 1 } : { months: 1 })
  return { from: midnight(begin, timeZone), to: midnight(end, timeZone) }
}

/** When the report of the next period is due: after the given time. */
export function nextSending(period: Period, calendar: Calendar, after: Date): Date {
  const length = period === 'weekly' ? { weeks: 1 } : { months: 1 }
  let date = beginOf(period, calendar, after)
  while (timeOf(date, calendar.timeZone) <= after) date = date.add(length)
  return timeOf(date, calendar.timeZone)
}

/** The first day of the week or month that is going on. */
function beginOf(period: Period, { timeZone, weekStart }: Calendar, now: Date): Temporal.PlainDate {
  const date = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
  if (period === 'monthly') return date.with({ day: 1 })
  return beginOfWeek(date, weekStart)
}

function midnight(date: Temporal.PlainDate, timeZone: string): Date {
  return new Date(date.toZonedDateTime({ timeZone }).epochMilliseconds)
}

function timeOf(date: Temporal.PlainDate, timeZone: string): Date {
  const plainTime = Temporal.PlainTime.from({ hour: hourOfSending })
  return new Date(date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds)
}
