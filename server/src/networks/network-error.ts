type NetworkErrorKind = 'refused' | 'not_yet' | 'unauthorized' | 'slow_down' | 'unreachable'

/** What a failed call tells something of: of nothing else should anything be taken from it. */
export type NetworkErrorSubject = 'account' | 'gateway' | 'device' | 'downlink'

interface NetworkErrorDetails {
  /** Set only by a network's client that knows better than the called method tells. */
  about?: NetworkErrorSubject
  /** Whether the network has certainly not done what it was asked. */
  isUndone?: boolean
  /** How long the network wants to be left alone, in milliseconds; of `slow_down`. */
  retryAfterMs?: number
  /** The time from call to call that its allowance comes to, where it says so; of `slow_down`. */
  intervalMs?: number
}

/**
 * A call to a network that failed. `refused`: the network said no, and saying it again will not
 * help; `not_yet`: it said no for now (no base station has heard the device, say); `unauthorized`:
 * the account may not do this; `slow_down`: it takes no more calls for a while; `unreachable`: try
 * again later. The message is in the network's own words and fit for the account's owner.
 */
export class NetworkError extends Error {
  readonly kind: NetworkErrorKind
  /**
   * Undefined until the wrapper around the connection (`features/network-accounts/subject.ts`) says
   * it by the method that was called, or asks the account's `check()` where it may be either.
   */
  about: NetworkErrorSubject | undefined
  /** By default not so when it is unreachable: its answer alone may have been lost. */
  readonly isUndone: boolean
  readonly retryAfterMs: number | undefined
  readonly intervalMs: number | undefined

  constructor(kind: NetworkErrorKind, message: string, details: NetworkErrorDetails = {}) {
    super(message)
    this.name = 'NetworkError'
    this.kind = kind
    this.about = details.about
    this.isUndone = details.isUndone ?? kind !== 'unreachable'
    this.retryAfterMs = details.retryAfterMs
    this.intervalMs = details.intervalMs
  }
}

/** Whether a call has certainly failed; after an outage or a request to slow down it may be made again. */
export function isFinal(error: unknown): boolean {
  return error instanceof NetworkError && error.kind !== 'unreachable' && error.kind !== 'slow_down'
}

/** What a network, or something on the way there, answered to a call that it did not carry out. */
interface FailedAnswer {
  /** The network's name, for the message. */
  name: string
  /** The host that was called, for the message. */
  host: string
  /** Of HTTP; another protocol's codes are given by their usual counterparts. */
  status: number
  headers?: Headers
  /** The network's own words, its innermost ones, without secrets and without a full stop. */
  words: string | undefined
}

type Headers = Readonly<Record<string, unknown>>

/** The parts of a `NetworkError`. */
export interface ReadError extends NetworkErrorDetails {
  kind: NetworkErrorKind
  message: string
}

/** The one place where an answer is judged. A 403 and an error of the server may be about either. */
export function readFailedAnswer(answer: FailedAnswer, now = Date.now()): ReadError {
  const { name, host, status } = answer
  const words = answer.words ?? `status ${status}`
  if (status === 401) {
    const message = `${name} does not accept the account: ${words}.`
    return { kind: 'unauthorized', message, about: 'account' }
  }
  if (status === 403) {
    return {
      kind: 'unauthorized',
      message: `${name} does not allow this to the account: ${words}.`,
    }
  }
  if (status === 429) {
    const message = `${name} asks to slow down: ${words}.`
    return { kind: 'slow_down', message, about: 'account', ...readPace(answer.headers ?? {}, now) }
  }
  if ((status >= 400 && status < 500 && status !== 408) || status === 501) {
    return { kind: 'refused', message: `${name} refused: ${words}.` }
  }
  const isAnswered = status === 500 && answer.words !== undefined
  const problem = status < 400 ? `it answered with a redirect (${status})` : words
  const message = isAnswered
    ? `${name} at ${host} answered with an error: ${words}.`
    : `${name} at ${host} could not be reached: ${problem}.`
  return { kind: 'unreachable', message, isUndone: status === 503 }
}

function readPace(headers: Headers, now: number): NetworkErrorDetails {
  const retryAfterMs = readRetryAfter(headers, now)
  const intervalMs = readInterval(headers)
  return {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(intervalMs === undefined ? {} : { intervalMs }),
  }
}

/**
 * The Things Stack gives the number of calls that may come at once, and the seconds in which all of
 * them may again (pkg/ratelimit/result.go, by github.com/throttled/throttled).
 */
function readInterval(headers: Headers): number | undefined {
  const limit = Number(headers['x-rate-limit-limit'])
  const taken = limit - Number(headers['x-rate-limit-available'] ?? 0)
  const seconds = Number(headers['x-rate-limit-reset'])
  return taken > 0 && seconds > 0 ? (seconds * 1000) / taken : undefined
}

/** An hour: who asks for more is asked again then. */
const longestRetryMs = 3_600_000

/**
 * `Retry-After` (RFC 9110), The Things Stack's own (pkg/ratelimit/result.go), and what APIs make of
 * draft-ietf-httpapi-ratelimit-headers: seconds from now, or of the clock. In milliseconds.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  for (const name of retryHeaders) {
    const value = headers[name]
    const text = String(Array.isArray(value) ? value[0] : (value ?? '')).trim()
    const milliseconds = readMoment(text, now)
    if (milliseconds !== undefined) return Math.min(longestRetryMs, Math.max(0, milliseconds))
  }
  return undefined
}

/** In lower case, the first that is there counts. */
const retryHeaders = [
  'retry-after',
  'x-rate-limit-retry',
  'ratelimit-reset',
  'x-ratelimit-reset',
  'x-rate-limit-reset',
]

/** A number above this is a moment and no duration: 2001-09-09. */
const firstMoment = 1_000_000_000

function readMoment(text: string, now: number): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) {
    const seconds = Number(text)
    if (seconds < firstMoment) return seconds * 1000
    return (seconds > firstMoment * 1000 ? seconds : seconds * 1000) - now
  }
  const moment = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? undefined : moment - now
}
