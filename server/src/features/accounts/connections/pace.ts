import type { Queryable } from '../../../db/connect.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { Pace } from '../../../networks/pace.ts'
import { slowDown, takeTurn } from './pace-queries.ts'
import { usualSlowDownMs } from './pause-queries.ts'

interface Dependencies {
  db: Queryable
  now(): Date
  sleep(milliseconds: number): Promise<unknown>
}

/** The longest wait of a call for its turn, because a request or task waits for the call. */
const patienceMs = 5_000
/** How long this process may miss that another process was asked to slow down. */
const unpacedMs = 2_000
/** Calls before a rest of this length say nothing about the limit of the network. */
const restMs = 5_000
const windowMs = 60_000
const mostRemembered = 2_000

/**
 * The pace of one account, kept in the database for all processes. It follows the limit that the
 * network reports. If it reports none, the pace follows the number of calls that the network
 * accepted before it asked to slow down.
 */
export function createPace({ db, now, sleep }: Dependencies, accountId: number): Pace {
  const made: number[] = []
  let isPaced = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let lastWords = 'The network asks to slow down.'
  const time = () => now().getTime()

  const note = () => {
    const current = time()
    const isOld = (at: number) => at < current - windowMs
    while (made.length > mostRemembered || (made[0] !== undefined && isOld(made[0]))) made.shift()
    made.push(current)
  }
  return {
    now: time,
    async wait() {
      if (isPaced || time() - lookedAt >= unpacedMs) {
        const asked = time()
        const turn = await takeTurn(db, accountId, now(), new Date(asked + patienceMs))
        lookedAt = asked
        isPaced = turn !== undefined
        const waitMs = turn ? turn.getTime() - asked : 0
        if (waitMs > patienceMs) {
          const details = { about: 'account', isUndone: true, retryAfterMs: waitMs } as const
          throw new NetworkError('slow_down', lastWords, details)
        }
        if (waitMs > 0) await sleep(waitMs)
      }
      note()
    },
    async slowDown(error, began) {
      isPaced = true
      lastWords = error.message
      const place = made.lastIndexOf(began)
      if (place >= 0) made.splice(place, 1)
      const pauseMs = error.retryAfterMs ?? usualSlowDownMs
      const known = {
        pauseMs,
        statedMs: error.intervalMs,
        estimatedMs: estimateInterval(made, time(), pauseMs),
        began: new Date(began),
      }
      await slowDown(db, accountId, known, now())
    },
  }
}

/**
 * Estimates the interval from the calls since the last rest: this is all that the network allows in
 * that time.
 */
function estimateInterval(made: readonly number[], now: number, pauseMs: number): number {
  let first = made.length - 1
  while (first > 0 && (made[first] ?? 0) - (made[first - 1] ?? 0) < restMs) first -= 1
  const count = made.length - Math.max(0, first)
  return (pauseMs + now - (made[first] ?? now)) / Math.max(1, count)
}
