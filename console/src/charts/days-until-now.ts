import type { Formats } from '../../../server/src/lora/formats.ts'
import { t } from '../languages/text.ts'
import { addDays, startOfMonth, startOfWeek } from '../ui/days.ts'
import { readLocal, writeLocal } from '../ui/written-time.ts'

/** Whole days, weeks and months up to now, and the last whole week, in the zone of the user. */
export function daysUntilNow(timeZone: string, weekStart: Formats['week_start'], now = Date.now()) {
  const today = writeLocal(now, timeZone).slice(0, 10)
  const week = startOfWeek(today, weekStart)
  const begin = (day: string) => readLocal(`${day}T00:00:00`, timeZone) ?? now
  const until = (day: string, to = now) => ({ from: begin(day), to })
  return [
    { label: t('Today'), ...until(today) },
    { label: t('Yesterday'), ...until(addDays(today, -1), begin(today)) },
    { label: t('This week'), ...until(week) },
    { label: t('Last week'), ...until(addDays(week, -7), begin(week)) },
    { label: t('This month'), ...until(startOfMonth(today)) },
  ]
}
