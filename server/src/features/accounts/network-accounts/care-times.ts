import type { CareRow } from './care-queries.ts'

// When the callback of an account is looked at again.

export const hourMilliseconds = 60 * 60 * 1000
export const dayMilliseconds = 24 * hourMilliseconds
/**
 * A callback that its network may have paused: after so long without an uplink it is looked at, and again
 * so soon after it was freed. With the interval of the job that makes less than 30 s.
 */
export const soonMilliseconds = 15_000

/** A day later, less up to an hour at random: that spreads accounts that were due together. */
export function tomorrow(now: Date): Date {
  return new Date(now.getTime() + dayMilliseconds - Math.random() * hourMilliseconds)
}

/**
 * The next look at a callback that its network pauses after failures. The pauses between the looks double
 * from the last uplink, or from the look that freed the callback: whatever the rhythm of the devices, only
 * one or two of their uplinks can fail before a look finds it out. While uplinks come, there is no look:
 * their end makes it due (`isQuiet`).
 */
export function nextLook(row: Pick<CareRow, 'callbackHeardAt' | 'checkedAt'>, now: Date): Date {
  const since = Math.max(row.callbackHeardAt ?? 0, row.checkedAt ?? 0)
  const isHeard = (row.callbackHeardAt ?? 0) > now.getTime() - soonMilliseconds
  if (isHeard || since === 0) return tomorrow(now)
  const pause = Math.max(soonMilliseconds, 2 * (now.getTime() - since))
  return new Date(Math.min(now.getTime() + pause, tomorrow(now).getTime()))
}

/** The next try to reach a network that may have paused the callback: soon, unless it is long away. */
export function nextTry({ callbackHeardAt }: Pick<CareRow, 'callbackHeardAt'>, now: Date): Date {
  const silence = now.getTime() - (callbackHeardAt ?? 0)
  const pause = Math.min(Math.max(soonMilliseconds, silence / 100), hourMilliseconds)
  return new Date(now.getTime() + pause)
}
