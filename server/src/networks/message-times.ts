// Readers of the times of the networks' JSON messages.
import { findNumber, type JsonObject } from './message-fields.ts'
import { leaveOut } from './unread.ts'

const timestamp =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * An RFC 3339 time as ISO 8601 in UTC with microseconds, `2022-07-18T09:34:15.775023Z`.
 * Nanoseconds are cut off, so that a time never moves into the future. Undefined if there is none
 * that can be: no network server is older than LoRa, but clocks that were never set begin with the
 * year 1, 1970 or 1980.
 */
export function readTime(parent: JsonObject, name: string): string | undefined {
  const value = parent[name]
  if (value === undefined) return undefined
  const [, local = '', fraction = '', offset = ''] =
    (typeof value === 'string' && value.length <= 40 && timestamp.exec(value)) || []
  const isLast = last.local === local && last.offset === offset
  const seconds = isLast ? last.seconds : secondsInUtc(local, offset)
  if (!/^[2-9]/.test(seconds)) return leaveOut(name, value)
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}

/** Many uplinks come in one second. */
let last = { local: '', offset: '', seconds: '' }

/** The time in UTC; empty if there is no such time. */
function secondsInUtc(local: string, offset: string): string {
  const instant = Date.parse(`${local}Z`)
  // Date.parse takes 30 February for 2 March.
  const isReal = !Number.isNaN(instant) && toSeconds(instant) === local
  last = { local, offset, seconds: isReal ? shift(local, instant, offset) : '' }
  return last.seconds
}

function toSeconds(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19)
}

function shift(local: string, instant: number, offset: string): string {
  if (offset === 'Z' || offset === '+00:00') return local
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))
  return toSeconds(instant - (offset.startsWith('-') ? -minutes : minutes) * 60_000)
}

/** A smaller number of milliseconds would be in 1973: it is seconds. */
const fewestMilliseconds = 100_000_000_000

/** Milliseconds or seconds since 1970 as ISO 8601 in UTC with microseconds. */
export function readMilliseconds(parent: JsonObject, name: string): string | undefined {
  const time = findNumber(parent, name)
  if (time === undefined) return undefined
  const milliseconds = time < fewestMilliseconds ? time * 1000 : time
  if (milliseconds < earliest || milliseconds >= latest) return leaveOut(name, time)
  return toTime(Math.round(milliseconds * 1000))
}

/** 2000, as in `readTime`, and the last year that every database and program can hold. */
const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(9999, 0)

function toTime(microseconds: number): string {
  const seconds = new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)
  return `${seconds}.${String(microseconds % 1_000_000).padStart(6, '0')}Z`
}
