import { Tooltip } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { t, usedLanguage } from '../languages/text.ts'
import { formatTime, useFormats } from './formats.ts'
import { useTimeZone } from './time-zone.ts'

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const relativeFormat = new Intl.RelativeTimeFormat(usedLanguage(), {
  numeric: 'auto',
  // Narrow French is "-1 min".
  style: usedLanguage() === 'fr' ? 'short' : 'narrow',
})

/** "3 min ago"; "now" within the last 45 seconds. */
export function relativeTime(time: Date, now: number): string {
  const seconds = (time.getTime() - now) / 1000
  if (Math.abs(seconds) < 45) return t('now')
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length * 0.95)
      return relativeFormat.format(Math.round(seconds / length), unit)
  }
  return relativeFormat.format(Math.sign(seconds), 'minute')
}

/** The exact time in a time zone, with the zone's name: "1 Mar 2026, 12:59:07 CET". */
export function exactTime(time: Date, timeZone: string): string {
  return formatTime(time, { date: 'full', clock: 'seconds', zone: true }, timeZone)
}

/** "12:59:07", with the date where it is not today's: "1 Mar, 12:59:07", "1 Mar 2026, 12:59:07". */
export function clockTime(time: Date, now: Date, timeZone: string): string {
  const isSame = (date: 'full' | 'year') =>
    formatTime(time, { date }, timeZone) === formatTime(now, { date }, timeZone)
  const date = isSame('full') ? {} : ({ date: isSame('year') ? 'day' : 'full' } as const)
  return formatTime(time, { ...date, clock: 'seconds' }, timeZone)
}

/** A time of a log, with its age on hover. Rows are many, so it has no tooltip component. */
export function Clock({ value }: { value: string }) {
  useFormats()
  const timeZone = useTimeZone()
  const time = new Date(value)
  return (
    <time
      dateTime={value}
      title={exactTime(time, timeZone)}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = `${relativeTime(time, Date.now())} · ${exactTime(time, timeZone)}`
      }}
    >
      {clockTime(time, new Date(), timeZone)}
    </time>
  )
}

interface TimeProps {
  /** ISO 8601. */
  value: string | null | undefined
  /** What stands in place of no time. */
  none?: string
  /** Shows the exact time, and the relative one on hover. */
  exact?: boolean
}

/** A time, relative to now, with the exact one in the user's zone and in UTC on hover. */
export function Time({ value, none = t('never'), exact = false }: TimeProps) {
  const now = useNow()
  useFormats()
  const timeZone = useTimeZone()
  const time = value ? new Date(value) : undefined
  if (!time || Number.isNaN(time.getTime())) return <span>{none}</span>
  const written = exactTime(time, timeZone)
  const relative = relativeTime(time, now)
  const utc = time
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
  return (
    <Tooltip label={`${exact ? relative : written} · ${utc}`}>
      <time dateTime={time.toISOString()}>{exact ? written : relative}</time>
    </Tooltip>
  )
}

let tickNow = Date.now()
const listeners = new Set<() => void>()

// One timer for all times on the page.
setInterval(() => {
  tickNow = Date.now()
  for (const listener of listeners) listener()
}, 10_000)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The current time in milliseconds, renewed every 10 seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => tickNow)
}
