import type { Formats } from '../../../server/src/lora/formats.ts'

/** Days of the calendar, as "2026-03-01", whatever the time zone. */

const dayMs = 86_400_000
/** As `Date` has them. */
const firstDays = { monday: 1, saturday: 6, sunday: 0 } as const

export const timeOfDay = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

export const addDays = (day: string, count: number) => dayOf(timeOfDay(day) + count * dayMs)

/** The same day of another month, or its last one. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + count, Math.min(date, last)))
}

export const startOfMonth = (day: string) => `${day.slice(0, 7)}-01`

export function startOfWeek(day: string, weekStart: Formats['week_start']): string {
  const after = (new Date(timeOfDay(day)).getUTCDay() - firstDays[weekStart] + 7) % 7
  return addDays(day, -after)
}

/** The weeks of the month of a day, with the days around it. */
export function weeksOf(day: string, weekStart: Formats['week_start']): string[][] {
  const first = startOfWeek(startOfMonth(day), weekStart)
  const last = addDays(addMonths(startOfMonth(day), 1), -1)
  const weeks: string[][] = []
  for (let at = first; at <= last; at = addDays(at, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(at, index)))
  }
  return weeks
}
