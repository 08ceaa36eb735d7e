// Refusals of calls that are well formed: a right is missing, the pace is too quick, or the network
// has an internal error about one device or gateway.

import type { Right } from '../src/networks/capabilities.ts'
import type { FarAnswer, FarCall } from './far-call.ts'

/** The current restrictions; a test changes them at any time. */
export interface Restrictions {
  /** What the account's key, user or token may not do. */
  denied: readonly Right[]
  /** Calls that are let through in a minute; undefined lets all through. */
  callsPerMinute: number | undefined
  /** Calls that were not, so far. */
  tooManyCalls: number
  /** EUIs of devices and gateways, upper-case, about which every call ends in an internal error. */
  failing: Set<string>
}

/** The right that a call needs, and the answer where it is missing. */
export interface NeededRight {
  right: Right
  refusal: FarAnswer
}

/** The form of these refusals; a network leaves out those that it does not have. */
export interface RestrictedAnswers {
  rightOf?(call: FarCall): NeededRight | undefined
  /** By default that of RFC 6585, section 4, as proxies give it. */
  slowDown?(seconds: number, callsPerMinute: number): FarAnswer
  internalError?(): FarAnswer
}

export function createRestrictions(): Restrictions {
  return { denied: [], callsPerMinute: undefined, tooManyCalls: 0, failing: new Set() }
}

const minute = 60_000

/** Counts calls, and returns the seconds to wait for a call that comes too soon. */
export function createPace(limit: Pick<Restrictions, 'callsPerMinute'>) {
  let taken: number[] = []
  return (now = Date.now()): number | undefined => {
    const { callsPerMinute } = limit
    taken = callsPerMinute === undefined ? [] : taken.filter((time) => time > now - minute)
    if (callsPerMinute === undefined) return undefined
    if (taken.length >= callsPerMinute) {
      return Math.max(1, Math.ceil(((taken[0] ?? now - minute) + minute - now) / 1000))
    }
    taken.push(now)
    return undefined
  }
}

/** The answer to a call that lacks a right, or that is about a failing device or gateway. */
export function restrict(
  { denied, failing }: Restrictions,
  { rightOf, internalError }: RestrictedAnswers,
  call: FarCall,
): FarAnswer | undefined {
  const needed = rightOf?.(call)
  if (needed && denied.includes(needed.right)) return needed.refusal
  if (failing.size === 0) return undefined
  const said = `${call.path} ${JSON.stringify(call.query)} ${call.text}`
  const digits = said.replace(/[-:]/g, '').toUpperCase()
  const isFailing = [...failing].some((eui) => digits.includes(eui))
  if (!isFailing) return undefined
  return internalError?.() ?? { status: 500, body: { message: 'Internal server error' } }
}

/** As proxies give it. */
export function tooManyRequests(seconds: number): FarAnswer {
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { message: 'Too Many Requests' },
  }
}
