import type { Presence } from '../../../db/presence.ts'
import { waitAfter } from '../../../networks/back-off.ts'
import type { NetworkError } from '../../../networks/network-error.ts'
import type { Claiming } from './lane-queries.ts'

/** Longer than all calls of one attempt may take: no two processes make the same call at once. */
const claimMilliseconds = 60_000

/** Returns a claim of this process that begins now. */
export function claimFromNow(by: { now(): Date; presence: Presence }): Claiming {
  const now = by.now()
  const claimedUntil = new Date(now.getTime() + claimMilliseconds)
  return { now, claimedUntil, claimedBy: by.presence.id }
}

/** Whether another attempt would be refused too. An error of the whole account can be corrected. */
export function isFinal({ kind, about }: NetworkError): boolean {
  return kind === 'refused' && about !== 'account'
}

const backOff = { firstMs: 2_500, longestMs: 375_000 }

/**
 * Returns the time of the next attempt: the one that the network requests, or else after a pause
 * that grows with each attempt.
 */
export function nextAttemptAt(now: Date, attempts: number, error?: NetworkError): Date {
  const asked = error?.kind === 'slow_down' ? error.retryAfterMs : undefined
  return new Date(now.getTime() + (asked ?? waitAfter(backOff, attempts)))
}
