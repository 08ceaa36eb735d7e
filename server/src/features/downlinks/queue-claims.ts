import type { Queryable } from '../../db/connect.ts'
import { claimFromNow } from '../accounts/connections/attempts.ts'
import type { ConnectionServices } from '../accounts/connections/connections.ts'
import type { Lane } from '../accounts/connections/lane-queries.ts'
import { type AwaitedQueues, claimDue, type DueQueue } from './queue-claim-queries.ts'
import {
  claimQueue,
  lockQueues,
  type QueueClaim,
  queueTopic,
  releaseClaims,
} from './queue-queries.ts'

/**
 * Records the results of work under claims on queues of one organization, and releases the claims,
 * in one transaction. Downlinks that are still queued become due at `nextAttemptAt`, or keep their
 * time. Wakes the waiters for the queues. Returns the ids of the devices that still have queued
 * downlinks.
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
    // In this order and in one round trip.
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

/** How long a cancel waits for a queue that is claimed. */
const patienceMilliseconds = 10_000

/** Claims a queue as soon as it is free, even if it is not due. Undefined if it stays claimed. */
export function claimPatiently(
  services: ConnectionServices,
  organizationId: number,
  deviceId: number,
): Promise<QueueClaim | undefined> {
  const claim = () => claimQueue(services.db, organizationId, deviceId, claimFromNow(services))
  return services.signals.waitFor(queueTopic(deviceId), claim, patienceMilliseconds)
}

/**
 * Claims the oldest due downlinks of some devices or of a lane, at most one per device. The network
 * is called outside any transaction. If the process stops between the network's answer and the
 * write to the database, the next attempt first looks for the downlink in the network's queue.
 */
export function claimQueues(
  by: Pick<ConnectionServices, 'now' | 'presence'>,
  db: Queryable,
  what: Lane | AwaitedQueues,
  most: number,
): Promise<DueQueue[]> {
  return claimDue(db, what, claimFromNow(by), most)
}
