type NetworkErrorKind = 'refused' | 'not_yet' | 'unauthorized' | 'slow_down' | 'unreachable'

/** What a failed call is about. It says nothing about anything else. */
export type NetworkErrorSubject = 'account' | 'gateway' | 'device' | 'downlink'

interface NetworkErrorDetails {
  /** Set only by a network's client that knows more than the called method shows. */
  about?: NetworkErrorSubject
  /** Whether the network has certainly not done what was asked. */
  isUndone?: boolean
  /** With `slow_down`: how long the network asks to wait, in milliseconds. */
  retryAfterMs?: number
  /** With `slow_down`: the time between two calls that the network's limit allows, if known. */
  intervalMs?: number
}

/**
 * A call to a network that failed. `refused`: the network said no, and repeating the call will not
 * help. `not_yet`: it said no for now, for example because no base station has heard the device.
 * `unauthorized`: the account may not do this. `slow_down`: the network takes no more calls for a
 * while. `unreachable`: try again later. The message is in the network's own words and fit for the
 * account's owner.
 */
export class NetworkError extends Error {
  readonly kind: NetworkErrorKind
  /**
   * Undefined until the wrapper around the connection (`features/accounts/connections/error-subject.ts`) sets
   * it: by the method that was called, or by the account's `check()` if it may be either.
   */
  about: NetworkErrorSubject | undefined
  /** False by default when the network is unreachable: only its answer may have been lost. */
  readonly isUndone: boolean
  readonly retryAfterMs: number | undefined
  readonly intervalMs: number | undefined
  /** Why the network still has what it refused to complete. The caller removes it later. */
  leftBehind: string | undefined

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

/**
 * Whether a call has certainly failed; after an outage or a request to slow down it may be made
 * again.
 */
export function isFinal(error: unknown): boolean {
  return error instanceof NetworkError && error.kind !== 'unreachable' && error.kind !== 'slow_down'
}

/**
 * Undoes a registration that the network refused to complete, and throws the refusal, which says
 * so if the network could not undo it.
 */
export async function undo(refusal: unknown, remove: () => Promise<unknown>): Promise<never> {
  await remove().catch((error) => {
    if (!(refusal instanceof NetworkError)) throw error
    refusal.leftBehind = String(error)
  })
  throw refusal
}

/** The answer of a network, or of something on the way there, to a call that failed. */
interface FailedAnswer {
  /** The network's name, for the message. */
  name: string
  /** The host that was called, for the message. */
  host: string
  /** Of HTTP; the codes of other protocols are translated to their usual counterparts. */
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

/**
 * Judges an answer, for all networks. A 403 and an error of the server may be about any subject.
 */
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
 * The Things Stack says how many calls may come at once, and in how many seconds that many may come
 * again (pkg/ratelimit/result.go, by github.com/throttled/throttled).
 */
function readInterval(headers: Headers): number | undefined {
  const limit = Number(headers['x-rate-limit-limit'])
  const taken = limit - Number(headers['x-rate-limit-available'] ?? 0)
  const seconds = Number(headers['x-rate-limit-reset'])
  return taken > 0 && seconds > 0 ? (seconds * 1000) / taken : undefined
}

/** An hour: a network that asks for more is called again after it. */
const longestRetryMs = 3_600_000

/**
 * The wait in milliseconds that `Retry-After` (RFC 9110), The Things Stack's own header
 * (pkg/ratelimit/result.go) or a header of draft-ietf-httpapi-ratelimit-headers asks for. APIs send
 * seconds from now or a time.
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

/** In lower case; the first one that is present counts. */
const retryHeaders = [
  'retry-after',
  'x-rate-limit-retry',
  'ratelimit-reset',
  'x-ratelimit-reset',
  'x-rate-limit-reset',
]

/** A number above this is a time (2001-09-09) and not a duration. */
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
