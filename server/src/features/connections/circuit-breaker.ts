import { waitAfter } from '../../networks/back-off.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'

/** How long a network that does not answer is left alone. */
interface BreakerTiming {
  /** Failures in a row after which it is. */
  failures: number
  firstPauseMs: number
  longestPauseMs: number
}

export const defaultTiming: BreakerTiming = {
  failures: 3,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
}

/** A call that was not made, since its network is known to be away: nothing new about it. */
export class NetworkPausedError extends NetworkError {
  constructor(lastMessage: string) {
    super('unreachable', `${lastMessage} The next attempt is made later.`, {
      about: 'account',
      isUndone: true,
    })
    this.name = 'NetworkPausedError'
  }
}

/** A connection, and another one that leaves its network alone while it is away. */
export interface GuardedConnection {
  connection: NetworkConnection
  guarded: NetworkConnection
  /** The network is known to be back. */
  reset(): void
}

/**
 * Guards a connection so that calls fail at once while its network is known to be away: one dead
 * account must not take the time of those who wait for others. After each pause one call tries
 * whether it is back; the pauses last about a quarter of the outage. The background, which has pauses
 * of its own (`pause-queries.ts`), calls without the guard. What is refused, or not done yet, was answered, and so was what is
 * about one thing alone: only `unreachable` that is about the account counts.
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
    // Whoever comes while this call is under way is turned away.
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

/** Listings are left as they are: they are long, and asked for by people who wait for them. */
const unguarded = new Set(['close', 'listDevices', 'list'])

function guardAll<Calls extends object>(calls: Calls, guard: Guard): Calls {
  const guarded = Object.entries(calls).map(([name, value]) => {
    if (value === undefined || unguarded.has(name)) return [name, value]
    if (typeof value === 'object' && value !== null) return [name, guardAll(value, guard)]
    return [name, guard((...args: unknown[]) => value.apply(calls, args))]
  })
  return Object.fromEntries(guarded)
}
