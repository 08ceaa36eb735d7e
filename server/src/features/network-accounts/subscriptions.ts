import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import { endLife, showLife } from '../../db/processes.ts'
import type { Sealer } from '../../db/seal.ts'
import { type Signals, tell } from '../../db/signals.ts'
import { findNetwork } from '../../networks/index.ts'
import { followBroker } from '../../networks/mqtt/subscription.ts'
import type { Subscription } from '../../networks/network.ts'
import type { Outside } from '../../networks/outside.ts'
import type { IngestQueue } from '../uplinks/ingest-queue.ts'
import { type BrokerHealth, createBrokerHealth } from './broker-health.ts'
import { brokersTopic } from './broker-signals.ts'
import { createBrokerSink } from './broker-sink.ts'
import { openValues } from './connections.ts'
import { createSessionEnder } from './ending-sessions.ts'
import type { SignsOfLife } from './signs-of-life.ts'
import {
  type FollowedAccount,
  findFollowed,
  listHeld,
  releaseHeld,
  takeFree,
} from './subscription-queries.ts'
import type { UplinkTimes } from './uplink-times.ts'

/** The messages that come by subscription (MQTT), from the accounts that name a broker. */
export interface Subscriptions {
  /** Follows the brokers in the background until `close`: at once when an account changes. */
  start(): void
  /** Begins and ends subscriptions as the accounts stand now. */
  refresh(): Promise<void>
  close(): Promise<void>
}

interface Dependencies {
  db: Database
  ingestDb: Database
  sealer: Sealer
  signals: Signals
  log: FastifyBaseLogger
  now(): Date
  ingest: IngestQueue
  uplinkTimes: UplinkTimes
  outside: Outside
  signsOfLife: SignsOfLife
}

interface Followed {
  version: string
  health: BrokerHealth
  subscription: Subscription
}

/** Between two signs of life; seconds after which a process without one counts as dead. */
const lifeInterval = 1_500
const lifeSeconds = 5

/**
 * One process at a time follows an account's broker: a session there belongs to one client, and
 * two would push each other out. Another process takes the account when that one has died.
 */
export function createSubscriptions(dependencies: Dependencies): Subscriptions {
  const { db, sealer, signals, log, outside } = dependencies
  const holder = randomUUID()
  const open = new Map<number, Followed>()
  const ender = createSessionEnder(dependencies, holder)
  let shownAt = Number.NEGATIVE_INFINITY
  let isClosed = false
  let refreshing = Promise.resolve()
  let following: Promise<void> | undefined

  const live = async () => {
    if (performance.now() - shownAt < lifeInterval) return
    await showLife(db, holder, lifeSeconds)
    shownAt = performance.now()
  }
  const begin = (account: FollowedAccount) => {
    const broker = findNetwork(account.network)?.adapter?.readBroker?.(openValues(account, sealer))
    const health = createBrokerHealth(dependencies, account, broker?.topic ?? '')
    const sink = createBrokerSink(dependencies, callbackAccount(account), health)
    const session = broker && { broker, id: account.broker_session }
    // Without a broker there is nothing to wait for.
    if (!session) health.note(undefined)
    const subscription = session
      ? followBroker(session, sink, outside)
      : { close: async () => undefined }
    open.set(account.id, { version: account.updated_at, health, subscription })
  }
  const end = async (id: number) => {
    const subscription = open.get(id)?.subscription
    open.delete(id)
    await subscription?.close()
  }
  // One account that fails must not keep the others from being followed.
  const guard = async (id: number, act: () => unknown) => {
    try {
      await act()
    } catch (error) {
      log.error({ account: id, err: error }, 'broker subscription')
    }
  }
  const endGuarded = (id: number) => guard(id, () => end(id))
  const refreshNow = async () => {
    if (isClosed) return
    await live()
    await takeFree(db, holder)
    const held = await listHeld(db, holder)
    const versions = new Map(held.map((account) => [account.id, account.updated_at]))
    const changed = [...open].filter(([id, { version }]) => versions.get(id) !== version)
    await Promise.all(changed.map(([id]) => endGuarded(id)))
    const fresh = held.flatMap(({ id }) => (open.has(id) ? [] : [id]))
    const accounts = fresh.length > 0 ? await findFollowed(db, fresh) : []
    for (const account of accounts) await guard(account.id, () => begin(account))
    await ender.work()
    for (const { id, callback_heard_at } of held) {
      await open.get(id)?.health.look(callback_heard_at)
    }
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
      } catch (err) {
        log.warn({ err }, 'the brokers are not looked after')
        await delay(1_000)
      }
    }
  }
  return {
    start() {
      following ??= follow()
    },
    refresh,
    async close() {
      isClosed = true
      await tell(db, brokersTopic).catch(() => undefined)
      await following
      await refreshing
      await Promise.all([...open.keys()].map(endGuarded))
      await ender.close()
      await releaseHeld(db, holder)
      await endLife(db, holder)
      await tell(db, brokersTopic)
    },
  }
}

function callbackAccount(account: FollowedAccount) {
  return {
    id: account.id,
    organizationId: account.organization_id,
    rootId: account.root_id,
    network: account.network,
    isVendor: account.register_method === 'vendor',
  }
}
