import type { Presence } from '../../db/presence.ts'
import { waitAfter } from '../../networks/back-off.ts'
import type { NetworkError } from '../../networks/network-error.ts'
import type { Claiming } from './lane-queries.ts'

/** Longer than the deadlines of all calls of one attempt: no two processes make the same call at once. */
const claimMilliseconds = 60_000

/** A claim of this process that begins now. */
export function claimFromNow(by: { now(): Date; presence: Presence }): Claiming {
  const now = by.now()
  const claimedUntil = new Date(now.getTime() + claimMilliseconds)
  return { now, claimedUntil, claimedBy: by.presence.id }
}

/** Whether another attempt would be refused as well. What concerns the whole account can be mended. */
export function isFinal({ kind, about }: NetworkError): boolean {
  return kind === 'refused' && about !== 'account'
}

const backOff = { firstMs: 2_500, longestMs: 375_000 }

/** When to try again: at the time that the network asks for, or else after a longer pause each time. */
export function nextAttemptAt(now: Date, attempts: number, error?: NetworkError): Date {
  const asked = error?.kind === 'slow_down' ? error.retryAfterMs : undefined
  return new Date(now.getTime() + (asked ?? waitAfter(backOff, attempts)))
}
