// Refusals of well-formed calls: a right is missing, the calls exceed the rate limit, or the
// network has an internal error about one device or gateway.

import type { Right } from '../src/networks/capabilities.ts'
import type { FarAnswer, FarCall } from './far-call.ts'

/** The current restrictions. A test can change them at any time. */
export interface Restrictions {
  /** The rights that the account's key, user or token lacks. */
  denied: readonly Right[]
  /** How many calls a minute are accepted; undefined for no limit. */
  callsPerMinute: number | undefined
  /** How many calls exceeded this limit since the start. */
  tooManyCalls: number
  /** EUIs of devices and gateways, upper-case. Every call about them ends in an internal error. */
  failing: Set<string>
}

/** The right that a call needs, and the answer if that right is missing. */
export interface NeededRight {
  right: Right
  refusal: FarAnswer
}

/** Makes these refusals in the network's form. A network leaves out those that it does not have. */
export interface RestrictedAnswers {
  rightOf?(call: FarCall): NeededRight | undefined
  /** By default an answer in the form of RFC 6585, section 4, as proxies give it. */
  slowDown?(seconds: number, callsPerMinute: number): FarAnswer
  internalError?(): FarAnswer
}

export function createRestrictions(): Restrictions {
  return { denied: [], callsPerMinute: undefined, tooManyCalls: 0, failing: new Set() }
}

const minute = 60_000

/** Counts calls. If a call comes too soon, returns the number of seconds to wait. */
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

/**
 * Returns the refusal of a call that lacks a right, or that is about a failing device or gateway.
 */
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

/** The answer that proxies give. */
export function tooManyRequests(seconds: number): FarAnswer {
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { message: 'Too Many Requests' },
  }
}
