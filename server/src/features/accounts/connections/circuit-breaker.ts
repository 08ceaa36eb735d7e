import { waitAfter } from '../../../networks/back-off.ts'
import type { NetworkConnection } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'

/** The pauses in calls to a network that does not answer. */
interface BreakerTiming {
  /** The number of failures in a row that begins a pause. */
  failures: number
  firstPauseMs: number
  longestPauseMs: number
}

export const defaultTiming: BreakerTiming = {
  failures: 3,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
}

/**
 * A call that was not made because its network is known to be away. It gives no new information.
 */
export class NetworkPausedError extends NetworkError {
  constructor(lastMessage: string) {
    super('unreachable', `${lastMessage} The next attempt is made later.`, {
      about: 'account',
      isUndone: true,
    })
    this.name = 'NetworkPausedError'
  }
}

/** A connection, and a guarded one that makes no calls while the network is away. */
export interface GuardedConnection {
  connection: NetworkConnection
  guarded: NetworkConnection
  /** Ends the pause: the network is known to be back. */
  reset(): void
}

/**
 * Guards a connection. While its network is known to be away, calls fail at once, so that requests
 * for other accounts need not wait. After each pause, one call tests whether the network is back.
 * The pauses last about a quarter of the outage. Background work has its own pauses
 * (`pause-queries.ts`) and calls without the guard.
 *
 * Only `unreachable` errors about the account count as failures. After any other error (`refused`,
 * `not_yet`, or about one thing only) the network did answer.
 */
export function withBreaker(
  connection: NetworkConnection,
  now: () => number,
  timing: BreakerTiming = defaultTiming,
): GuardedConnection {
  let failures = 0
  let openUntil = 0
  let lastMessage = ''
  const backOff = { firstMs: timing.firstPauseMs, longestMs: timing.longestPauseMs, factor: 1.25 }
  const pauseAfter = () => waitAfter(backOff, failures - timing.failures + 1)

  const enter = () => {
    if (failures < timing.failures) return
    const rest = openUntil - now()
    if (rest > 0) throw new NetworkPausedError(lastMessage)
    // Other calls are refused while this call is in progress.
    openUntil = now() + pauseAfter()
  }
  const note = (error: unknown) => {
    const isAway = error instanceof NetworkError && error.kind === 'unreachable'
    if (!isAway || error.about !== 'account') {
      failures = 0
      return
    }
    failures += 1
    lastMessage = error.message
    if (failures >= timing.failures) openUntil = now() + pauseAfter()
  }
  const guard =
    <Arguments extends unknown[], Result>(call: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      enter()
      try {
        const result = await call(...args)
        failures = 0
        return result
      } catch (error) {
        note(error)
        throw error
      }
    }
  const reset = () => {
    failures = 0
  }
  return { connection, guarded: guardAll(connection, guard), reset }
}

type Guard = <Arguments extends unknown[], Result>(
  call: (...args: Arguments) => Promise<Result>,
) => (...args: Arguments) => Promise<Result>

/** Listings are not guarded: they are long, and the person who requested them waits. */
const unguarded = new Set(['close', 'listDevices', 'list'])

function guardAll<Calls extends object>(calls: Calls, guard: Guard): Calls {
  const guarded = Object.entries(calls).map(([name, value]) => {
    if (value === undefined || unguarded.has(name)) return [name, value]
    if (typeof value === 'object' && value !== null) return [name, guardAll(value, guard)]
    return [name, guard((...args: unknown[]) => value.apply(calls, args))]
  })
  return Object.fromEntries(guarded)
}
