import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import type { Presence } from '../../db/presence.ts'
import type { Sealer } from '../../db/seal.ts'
import { type Signals, tell } from '../../db/signals.ts'
import { openValues } from '../../features/accounts/connections/connections.ts'
import { toSendingAccount } from '../../features/accounts/connections/sending-account.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Subscription } from '../../networks/mqtt/broker.ts'
import { followBroker } from '../../networks/mqtt/follow-broker.ts'
import type { Outside } from '../../networks/outside.ts'
import type { StoreDeviceEvent } from '../receive/device-events.ts'
import type { HeardAccounts } from '../receive/heard-accounts.ts'
import type { IngestQueue } from '../store/ingest-queue.ts'
import { type BrokerHealth, brokersTopic, createBrokerHealth } from './broker-health.ts'
import { createBrokerSink } from './broker-sink.ts'
import { createSessionEnder } from './ending-sessions.ts'
import { createHeldMessages, type HeldMessages } from './held-messages.ts'
import {
  type FollowedAccount,
  findFollowed,
  type Held,
  listHeld,
  releaseHeld,
  takeFree,
} from './subscription-queries.ts'

/** Receives messages by subscription (MQTT) for the accounts that name a broker. */
export interface Subscriptions {
  /**
   * Follows the brokers in the background until `close`. Reacts at once when an account changes.
   */
  start(): void
  /** Begins and ends subscriptions to match the current accounts. */
  refresh(): Promise<void>
  close(): Promise<void>
}

interface Dependencies {
  db: Database
  ingestDb: Database
  sealer: Sealer
  log: FastifyBaseLogger
  now(): Date
  signals: Signals
  presence: Presence
  ingest: IngestQueue
  outside: Outside
  heardAccounts: HeardAccounts
  storeDeviceEvent: StoreDeviceEvent
}

/**
 * Milliseconds between a failed look at the accounts and the next one. Usually the database is
 * away.
 */
const pauseAfterFailure = 2_000

/**
 * Only one process at a time follows an account's broker: a session belongs to one client, and two
 * clients would disconnect each other. When the process dies, another one takes the account.
 */
export function createSubscriptions(dependencies: Dependencies): Subscriptions {
  const { db, signals, log, presence } = dependencies
  const followed = createFollowedBrokers(dependencies)
  const ender = createSessionEnder(dependencies)
  let isClosed = false
  let refreshing = Promise.resolve()
  let following: Promise<void> | undefined

  const refreshNow = async () => {
    if (isClosed) return
    const holder = presence.id ?? (await presence.show())
    await takeFree(db, holder)
    await followed.become(await listHeld(db, holder))
    await ender.work(holder)
  }
  const refresh = () => {
    const next = refreshing.then(refreshNow)
    refreshing = next.catch(() => undefined)
    return next
  }
  const follow = async () => {
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
      presence.start()
      following ??= follow()
    },
    async refresh() {
      await presence.show()
      await refresh()
    },
    async close() {
      isClosed = true
      await tell(db, brokersTopic).catch(() => undefined)
      await following
      await refreshing
      await followed.close()
      await ender.close()
      if (presence.id) await releaseHeld(db, presence.id)
      await tell(db, brokersTopic)
    },
  }
}

/** The brokers that this process follows. */
interface FollowedBrokers {
  /**
   * Follows exactly the brokers of these accounts, in their current version, and checks their
   * health.
   */
  become(held: readonly Held[]): Promise<void>
  close(): Promise<void>
}

interface Followed {
  version: string
  health: BrokerHealth
  subscription: Subscription
}

function createFollowedBrokers(dependencies: Dependencies): FollowedBrokers {
  const { db, log } = dependencies
  const heldMessages = createHeldMessages()
  const followed = new Map<number, Followed>()
  // An account that fails must not stop the subscriptions of the others.
  const guard = async (id: number, act: () => unknown) => {
    try {
      await act()
    } catch (error) {
      log.error({ account: id, err: error }, 'broker subscription')
    }
  }
  const end = (id: number) =>
    guard(id, () => {
      const subscription = followed.get(id)?.subscription
      followed.delete(id)
      return subscription?.close()
    })
  return {
    async become(held) {
      const versions = new Map(held.map(({ id, updated_at }) => [id, updated_at]))
      const changed = [...followed].filter(([id, { version }]) => versions.get(id) !== version)
      await Promise.all(changed.map(([id]) => end(id)))
      const fresh = held.flatMap(({ id }) => (followed.has(id) ? [] : [id]))
      for (const account of fresh.length > 0 ? await findFollowed(db, fresh) : []) {
        await guard(account.id, () =>
          followed.set(account.id, begin({ ...dependencies, heldMessages }, account)),
        )
      }
      for (const { id, callback_heard_at } of held) {
        await followed.get(id)?.health.look(callback_heard_at)
      }
    },
    async close() {
      await Promise.all([...followed.keys()].map(end))
    },
  }
}

function begin(
  dependencies: Dependencies & { heldMessages: HeldMessages },
  account: FollowedAccount,
): Followed {
  const { sealer, outside } = dependencies
  const version = account.updated_at
  const broker = findNetwork(account.network)?.readBroker?.(openValues(account, sealer))
  const health = createBrokerHealth(dependencies, account, broker?.topic ?? '')
  if (!broker) {
    // The account names no broker, so no request has to wait for one.
    health.note(undefined)
    return { version, health, subscription: { close: async () => undefined } }
  }
  const sink = createBrokerSink(dependencies, toSendingAccount(account), health)
  const session = { broker, id: account.broker_session }
  return { version, health, subscription: followBroker(session, sink, outside) }
}
