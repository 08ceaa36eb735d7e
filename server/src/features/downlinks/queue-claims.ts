import type { Queryable } from '../../db/connect.ts'
import { claimFromNow } from '../connections/attempts.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import type { Lane } from '../connections/lane-queries.ts'
import { type AwaitedQueues, claimDue, type DueQueue } from './queue-claim-queries.ts'
import {
  claimQueue,
  lockQueues,
  type QueueClaim,
  queueTopic,
  releaseClaims,
} from './queue-queries.ts'

/**
 * Records in one transaction what was done under claims on queues of one organization, and gives the
 * claims back. What is still queued is due at `nextAttemptAt`, or keeps its time. Those who wait for
 * the queues are woken. Returns the ids of the devices for which downlinks are still queued.
 */
export async function releaseQueues(
  { db, now, signals }: Pick<ConnectionServices, 'db' | 'now' | 'signals'>,
  claims: readonly QueueClaim[],
  nextAttemptAt?: Date,
  note?: (tx: Queryable) => Promise<unknown>,
): Promise<Set<number>> {
  const organizationId = claims[0]?.organization_id ?? 0
  const deviceIds = claims.map(({ device_id }) => device_id)
  const withMore = await db.transaction(async (tx) => {
    // In this order, in one round trip.
    const [, , withMore] = await Promise.all([
      lockQueues(tx, organizationId, deviceIds),
      note?.(tx),
      releaseClaims(tx, organizationId, claims, { now: now(), nextAttemptAt }),
    ])
    return withMore
  })
  for (const id of deviceIds) signals.tell(queueTopic(id))
  return withMore
}

/** How long a cancel waits for the queue while others speak with the network about it. */
const patienceMilliseconds = 10_000

/** Claims a queue, due or not, as soon as it is free. */
export function claimPatiently(
  services: ConnectionServices,
  organizationId: number,
  deviceId: number,
): Promise<QueueClaim | undefined> {
  const claim = () => claimQueue(services.db, organizationId, deviceId, claimFromNow(services))
  return services.signals.waitFor(queueTopic(deviceId), claim, patienceMilliseconds)
}

/**
 * Claims the oldest downlinks that are due, of some devices or of a lane, each of another device. The
 * network is called outside any transaction: should the process die between its answer and our
 * writing it down, the next attempt looks for the downlink in the network's queue first.
 */
export function claimQueues(
  by: Pick<ConnectionServices, 'now' | 'presence'>,
  db: Queryable,
  what: Lane | AwaitedQueues,
  most: number,
): Promise<DueQueue[]> {
  return claimDue(db, what, claimFromNow(by), most)
}
