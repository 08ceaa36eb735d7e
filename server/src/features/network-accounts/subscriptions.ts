import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../db/connect.ts'
import type { Sealer } from '../../db/seal.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Subscription } from '../../networks/network.ts'
import type { Outside } from '../../networks/outside.ts'
import type { IngestQueue } from '../uplinks/ingest-queue.ts'
import { createBrokerSink } from './broker-sink.ts'
import { openValues } from './connections.ts'
import { endLeases, type LeasedAccount, leaseSubscriptions } from './subscription-queries.ts'

/** The messages that come by subscription (MQTT), from the accounts that name a broker. */
export interface Subscriptions {
  /** Begins and ends subscriptions as the accounts stand now, and renews this process's lease. */
  refresh(): Promise<void>
  close(): Promise<void>
}

interface Dependencies {
  db: Database
  ingestDb: Database
  sealer: Sealer
  log: FastifyBaseLogger
  now(): Date
  ingest: IngestQueue
  outside: Outside
}

const leaseMilliseconds = 30_000

/**
 * One process at a time follows an account's broker: a session there belongs to one client, and
 * two would push each other out. The lease passes on when its holder dies.
 */
export function createSubscriptions(dependencies: Dependencies): Subscriptions {
  const { db, sealer, now, log, outside } = dependencies
  const holder = randomUUID()
  const open = new Map<number, { version: string; subscription: Subscription }>()

  const begin = (account: LeasedAccount) => {
    const adapter = findNetwork(account.network)?.adapter
    const sink = createBrokerSink(dependencies, callbackAccount(account))
    const values = openValues(account, sealer)
    const subscription = adapter?.subscribe?.(values, account.uuid, sink, outside)
    if (subscription) open.set(account.id, { version: account.updated_at, subscription })
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
  return {
    async refresh() {
      const until = new Date(now().getTime() + leaseMilliseconds)
      const leased = await leaseSubscriptions(db, { holder, now: now(), until })
      const versions = new Map(leased.map((account) => [account.id, account.updated_at]))
      for (const [id, { version }] of open) if (versions.get(id) !== version) await endGuarded(id)
      for (const account of leased) {
        if (!open.has(account.id)) await guard(account.id, () => begin(account))
      }
    },
    async close() {
      await Promise.all([...open.keys()].map(endGuarded))
      await endLeases(db, holder)
    },
  }
}

function callbackAccount(account: LeasedAccount) {
  return {
    id: account.id,
    organizationId: account.organization_id,
    rootId: account.root_id,
    network: account.network,
    isVendor: account.register_method === 'vendor',
  }
}
