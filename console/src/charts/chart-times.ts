import type { TimeParts } from '../../../server/src/lora/formats.ts'
import { formatTime } from '../ui/formats.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The labels of the ticks of a time axis that are `step` milliseconds apart, in a time zone. */
export function tickLabels(ticks: readonly number[], step: number, timeZone: string): string[] {
  const write = (tick: number, parts: TimeParts) => formatTime(tick, parts, timeZone)
  if (step >= 28 * day) return ticks.map((tick) => write(tick, { date: 'month' }))
  if (step >= day) return ticks.map((tick) => write(tick, { date: 'day' }))
  const clock = step >= minute ? 'minutes' : 'seconds'
  let shown = ''
  return ticks.map((tick) => {
    const today = write(tick, { date: 'day' })
    const text = write(tick, { clock })
    // The date stands below the first tick of each day.
    const label = today === shown ? text : `${text}\n${today}`
    shown = today
    return label
  })
}

/** The time of a value: "1 Mar 2026, 12:59 CET"; only the day if parts are days. */
export function pointTime(time: number, timeZone: string, width = 0): string {
  if (width >= day) return formatTime(time, { date: 'full' }, timeZone)
  const clock = width >= minute ? 'minutes' : 'seconds'
  return formatTime(time, { date: 'full', clock, zone: true }, timeZone)
}
