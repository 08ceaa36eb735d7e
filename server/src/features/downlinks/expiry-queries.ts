import type { Queryable } from '../../db/connect.ts'
import { historyColumns, queueHistory } from '../outgoing/events/webhook-event-queries.ts'
import type { Closable } from './close-in-batches.ts'

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
