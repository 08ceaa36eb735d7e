import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { endLife, showLife } from '../../db/presence.ts'
import { type Signals, tell } from '../../db/signals.ts'
import { brokersTopic } from './broker-signals.ts'
import { createSessionEnder } from './ending-sessions.ts'
import { createFollowedBrokers, type FollowingDependencies } from './followed-brokers.ts'
import { listHeld, releaseHeld, takeFree } from './subscription-queries.ts'

/** The messages that come by subscription (MQTT), from the accounts that name a broker. */
export interface Subscriptions {
  /** Follows the brokers in the background until `close`: at once when an account changes. */
  start(): void
  /** Begins and ends subscriptions as the accounts stand now. */
  refresh(): Promise<void>
  close(): Promise<void>
}

interface Dependencies extends FollowingDependencies {
  signals: Signals
}

/** Milliseconds between two signs of life; seconds without one after which a process is dead. */
const lifeInterval = 1_500
const lifeSeconds = 5
/** Milliseconds until the next look after one that failed, for want of the database as a rule. */
const pauseAfterFailure = 2_000

/**
 * One process at a time follows an account's broker: a session there belongs to one client, and
 * two would push each other out. Another process takes the account when that one has died.
 */
export function createSubscriptions(dependencies: Dependencies): Subscriptions {
  const { db, signals, log } = dependencies
  const holder = randomUUID()
  const followed = createFollowedBrokers(dependencies)
  const ender = createSessionEnder(dependencies, holder)
  let isClosed = false
  let refreshing = Promise.resolve()
  let following: Promise<void> | undefined
  let living: NodeJS.Timeout | undefined

  const live = () => showLife(db, holder, lifeSeconds)
  const refreshNow = async () => {
    if (isClosed) return
    await takeFree(db, holder)
    await followed.become(await listHeld(db, holder))
    await ender.work()
  }
  const refresh = () => {
    const next = refreshing.then(refreshNow)
    refreshing = next.catch(() => undefined)
    return next
  }
  const follow = async () => {
    await live().catch(() => undefined)
    // Beside the looks, one of which may wait for messages that are being stored.
    living = setInterval(() => void live().catch(() => undefined), lifeInterval)
    const look = async () => {
      await refresh()
      return isClosed ? true : undefined
    }
    while (!isClosed) {
      try {
        await signals.waitFor(brokersTopic, look, Number.POSITIVE_INFINITY)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        log.warn({ reason }, 'the brokers are not looked after')
        await delay(pauseAfterFailure)
      }
    }
  }
  return {
    start() {
      following ??= follow()
    },
    async refresh() {
      await live()
      await refresh()
    },
    async close() {
      isClosed = true
      await tell(db, brokersTopic).catch(() => undefined)
      await following
      clearInterval(living)
      await refreshing
      await followed.close()
      await ender.close()
      await releaseHeld(db, holder)
      await endLife(db, holder)
      await tell(db, brokersTopic)
    },
  }
}
