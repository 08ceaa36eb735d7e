import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Subscription } from '../../networks/mqtt/broker.ts'
import { followBroker } from '../../networks/mqtt/follow-broker.ts'
import type { Outside } from '../../networks/outside.ts'
import type { HeardAccounts } from '../callbacks/heard-accounts.ts'
import { openValues } from '../connections/connections.ts'
import { toSendingAccount } from '../connections/sending-account.ts'
import type { IngestQueue } from '../uplinks/ingest-queue.ts'
import { type BrokerHealth, createBrokerHealth } from './broker-health.ts'
import { createBrokerSink } from './broker-sink.ts'
import { type FollowedAccount, findFollowed, type Held } from './subscription-queries.ts'

/** The brokers that this process follows. */
export interface FollowedBrokers {
  /** Makes them those of these accounts, as the accounts stand now, and looks how they are. */
  become(held: readonly Held[]): Promise<void>
  close(): Promise<void>
}

export interface FollowingDependencies {
  db: Database
  ingestDb: Database
  sealer: Sealer
  log: FastifyBaseLogger
  now(): Date
  ingest: IngestQueue
  outside: Outside
  heardAccounts: HeardAccounts
}

interface Followed {
  version: string
  health: BrokerHealth
  subscription: Subscription
}

export function createFollowedBrokers(dependencies: FollowingDependencies): FollowedBrokers {
  const { db, log } = dependencies
  const followed = new Map<number, Followed>()
  // One account that fails must not keep the others from being followed.
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
        await guard(account.id, () => followed.set(account.id, begin(dependencies, account)))
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

function begin(dependencies: FollowingDependencies, account: FollowedAccount): Followed {
  const { sealer, outside } = dependencies
  const version = account.updated_at
  const broker = findNetwork(account.network)?.readBroker?.(openValues(account, sealer))
  const health = createBrokerHealth(dependencies, account, broker?.topic ?? '')
  if (!broker) {
    // There is nothing to wait for.
    health.note(undefined)
    return { version, health, subscription: { close: async () => undefined } }
  }
  const sink = createBrokerSink(dependencies, toSendingAccount(account), health)
  const session = { broker, id: account.broker_session }
  return { version, health, subscription: followBroker(session, sink, outside) }
}
