import type { Formats } from '../../../server/src/lora/formats.ts'

/** "2026-03-01T12:30:00": a time in a zone. */
export function writeLocal(time: number, timeZone: string): string {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const
  return new Intl.DateTimeFormat('sv-SE', options).format(time).replace(' ', 'T')
}

/** The time that such a text means in the zone. */
export function readLocal(local: string, timeZone: string): number | undefined {
  const asUtc = Date.parse(`${local}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const offset = (time: number) => Date.parse(`${writeLocal(time, timeZone)}Z`) - time
  // The second step is for times close to a change of the clock.
  const guess = asUtc - offset(asUtc)
  return asUtc - offset(guess)
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const clock = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])\.?m\b\.?)?/i

interface Reading {
  timeZone: string
  /** Decides what 3/4/2026 is. */
  order: Formats['date']
  now: number
}

/**
 * The time that a person wrote in a zone: "1 Mar 2026, 12:30", "Mar 1, 2026, 2:30 PM", "2026-03-01 12:30:07",
 * "1.3.2026", "yesterday 9:00", or "12:30" for today; undefined where it cannot be read.
 */
export function readWritten(text: string, reading: Reading): number | undefined {
  const found = clock.exec(text)
  const day = readDay(found ? text.replace(found[0], ' ') : text, reading)
  const time = found ? readClock(found) : text.trim() === '' ? undefined : '00:00:00'
  return day && time ? readLocal(`${day}T${time}`, reading.timeZone) : undefined
}

function readClock([, hours = '', minutes = '', seconds = '00', half]: RegExpExecArray) {
  const isHalf = half !== undefined
  const given = Number(hours)
  if (given > (isHalf ? 12 : 23) || (isHalf && given === 0)) return undefined
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const hour = isHalf ? (given % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : given
  return `${two(hour)}:${minutes}:${seconds}`
}

/** "2026-03-01". */
function readDay(text: string, { timeZone, order, now }: Reading): string | undefined {
  const words = text
    .replace(/(\d)T/, '$1 ')
    .replaceAll(/[,\s]+/g, ' ')
    .trim()
    .toLowerCase()
  const today = (time = now) => writeLocal(time, timeZone).slice(0, 10)
  if (words === '' || words === 'today') return today()
  if (words === 'yesterday') return today(now - 86_400_000)
  const year = today().slice(0, 4)
  const named = /^(\d{1,2})\.? ([a-z]{3})[a-z]*\.?(?: (\d{4}))?$/.exec(words)
  if (named) return dayOf(named[3] ?? year, months.indexOf(named[2] ?? '') + 1, named[1])
  const american = /^([a-z]{3})[a-z]*\.? (\d{1,2})(?: (\d{4}))?$/.exec(words)
  if (american)
    return dayOf(american[3] ?? year, months.indexOf(american[1] ?? '') + 1, american[2])
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(words)
  if (iso) return dayOf(iso[1], iso[2], iso[3])
  const numbers = /^(\d{1,2})([./])(\d{1,2})[./](\d{4})$/.exec(words)
  if (!numbers) return undefined
  const [, first, sign, second, ofYear] = numbers
  const isMonthFirst = sign === '/' && order === 'month_day'
  return isMonthFirst ? dayOf(ofYear, first, second) : dayOf(ofYear, second, first)
}

/** Undefined for a day that is not in the calendar. */
function dayOf(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
) {
  const text = `${year}-${two(Number(month))}-${two(Number(day))}`
  const time = Date.parse(`${text}T00:00:00Z`)
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  return isReal ? text : undefined
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
