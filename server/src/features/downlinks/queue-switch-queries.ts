import type { Queryable } from '../../db/connect.ts'
import { historyColumns, queueHistory } from '../outgoing/events/webhook-event-queries.ts'
import type { Closable } from './close-in-batches.ts'
import type { QueueClaim } from './queue-queries.ts'

/**
 * SQL: a queued downlink whose time has passed. The network certainly does not have it: a claim for
 * a hand-over makes the oldest downlink of a queue uncertain. It is the condition of the index
 * `downlinks_expiring`.
 */
function expired(now: string): string {
  return `state = 'queued' and not is_uncertain and expires_at is not null and expires_at <= ${now}`
}

/** The devices of downlinks that are to expire, those of the earliest times first. */
export function findExpired(db: Queryable, now: Date, limit: number): Promise<Closable[]> {
  return db.query<Closable>(
    `select organization_id, device_id from downlinks
     where ${expired('$1')}
     order by expires_at
     limit $2`,
    [now, limit],
  )
}

/** Closes what has expired for these devices. Their queues must be locked. Returns how many. */
export async function closeExpiredOf(
  tx: Queryable,
  organizationId: number,
  { deviceIds, now, reason }: { deviceIds: readonly number[]; now: Date; reason: string },
): Promise<number> {
  const [result] = await tx.query<{ count: number }>(
    `with closed as (
       update downlinks set state = 'expired', closed_at = now()
       where organization_id = $1 and device_id = any($2::bigint[]) and ${expired('$3')}
       returning organization_id, device_id, id
     ), noted as (
       insert into downlink_history (organization_id, device_id, downlink_id, event_name, reason)
       select organization_id, device_id, id, 'event_expired', $4 from closed
       order by id
       returning ${historyColumns}
     ), told as (${queueHistory('noted')})
     select count(*) from closed`,
    [organizationId, deviceIds, now, reason],
  )
  return result?.count ?? 0
}

/** An account's network and register method. */
interface Place {
  network: string
  register_method: string
}

/**
 * Locks a device's queue for this transaction. Returns the key of the network where it is; undefined
 * if the device never had a queue. While the device moves, it is not always the one of a message.
 */
export async function lockPlaceOfQueue(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<string | undefined> {
  const [queue] = await tx.query<Pick<Place, 'network'>>(
    `select network from downlink_queues
     where organization_id = $1 and device_id = $2
     for update`,
    [organizationId, deviceId],
  )
  return queue?.network
}

/**
 * Hands the queue of a device that moves to its new network, once that has heard the device. What the
 * old network holds and has not reported as sent is queued again, in the old order: it drops it with
 * the device. Returns false while a call about the queue is under way.
 */
export async function switchQueue(
  tx: Queryable,
  { organization_id, device_id }: Omit<QueueClaim, 'claim'>,
  { network, register_method }: Place,
  now: Date,
): Promise<boolean> {
  const key = [organization_id, device_id]
  await tx.query(
    `insert into downlink_queues (organization_id, device_id, network, register_method)
     select organization_id, id, network, register_method from devices
     where organization_id = $1 and id = $2
     on conflict (organization_id, device_id) do nothing`,
    key,
  )
  const [queue] = await tx.query<Place & { is_claimed: boolean }>(
    `select network, register_method, coalesce(claimed_until >= $3, false) as is_claimed
     from downlink_queues where organization_id = $1 and device_id = $2
     for update`,
    [...key, now],
  )
  if (!queue || queue.is_claimed) return false
  if (queue.network === network && queue.register_method === register_method) return true
  await tx.query(
    `update downlinks set state = 'queued', is_uncertain = false, missing_since = null
     where organization_id = $1 and device_id = $2 and state = 'handed_over'`,
    key,
  )
  await tx.query(
    `update downlink_queues set network = $3, register_method = $4, checked_at = null,
       next_attempt_at = case when exists (
         select from downlinks
         where organization_id = $1 and device_id = $2 and state = 'queued'
       ) then $5::timestamptz end
     where organization_id = $1 and device_id = $2`,
    [...key, network, register_method, now],
  )
  await tx.query('delete from downlink_checks where organization_id = $1 and device_id = $2', key)
  return true
}
