/**
 * The service's four time formats (docs/contract.txt, 1.4). A moment is stored as PostgreSQL
 * writes a `timestamptz` in UTC (`2022-07-18 09:34:15.775023+00`), because a JavaScript date would
 * lose the microseconds.
 */
export type Moment = string

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The text of an absent time in records. */
export const noTime = '--'

/** `2022-07-18T09:34:15.775023Z`: `created_at`, `event_time`, `publishedAt`. */
export function isoTime(moment: Moment): string {
  const isWhole = moment.length === '2022-07-18 09:34:15.775023+00'.length
  if (isWhole) return `${moment.slice(0, 10)}T${moment.slice(11, 26)}Z`
  const fraction = moment[19] === '.' ? moment.slice(20, moment.lastIndexOf('+')) : ''
  return `${moment.slice(0, 10)}T${moment.slice(11, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}

let lastTime = Number.NaN
let lastText = ''

/**
 * The same for a JavaScript date. Every uplink needs it twice, and many come in one millisecond:
 * the last text is kept.
 */
export function isoTimeOf(date: Date): string {
  const time = date.getTime()
  if (time !== lastTime) {
    lastText = `${date.toISOString().slice(0, -1)}000Z`
    lastTime = time
  }
  return lastText
}

/** `2022-07-18 09:34:15`, or `--`: `last_seen`, `first_seen`. */
export function plainTime(moment: Moment | null): string {
  return moment === null ? noTime : `${moment.slice(0, 10)} ${moment.slice(11, 19)}`
}

/** `Jul 18, 2022 09:34:15 (UTC)`, or `--`: `lastmsg_time`, `isOnTrial`. */
export function longTime(moment: Moment | null): string {
  return moment === null ? noTime : `${monthDayYear(moment)} ${moment.slice(11, 19)} (UTC)`
}

/** `Jul 18, 2022 09:34 AM`: a gateway's `created_at` in lists. */
export function clockTime(moment: Moment): string {
  const hour = Number(moment.slice(11, 13))
  const twelve = String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0')
  return `${monthDayYear(moment)} ${twelve}:${moment.slice(14, 16)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** `1658136855`: whole seconds since 1970. */
export function unixTime(moment: Moment): string {
  return String(Math.floor(Date.parse(isoTime(moment)) / 1000))
}

/** A JavaScript date as a moment. */
export function momentOf(date: Date): Moment {
  return `${date.toISOString().slice(0, 23).replace('T', ' ')}+00`
}

function monthDayYear(moment: Moment): string {
  return `${months[Number(moment.slice(5, 7)) - 1]} ${moment.slice(8, 10)}, ${moment.slice(0, 4)}`
}
