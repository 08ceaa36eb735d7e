import type { Queryable } from '../../../db/connect.ts'
import { findEnds, findPositions } from '../../../uplinks/rows/series.ts'

/** What is sent once more. The times are those of arrival. */
export interface Range {
  from: Date
  to: Date
}

/**
 * Finds the ordinals of the uplinks that arrived in a range: ordinals follow the order of arrival, but
 * for the moments in which two transactions run at once.
 */
export async function findOrdinals(
  db: Queryable,
  organizationId: number,
  { from, to }: Range,
): Promise<{ after: number; upTo: number }> {
  const series = { organizationId, deviceId: undefined }
  const [first = 1, next = 1] = await findPositions(db, series, await findEnds(db, series), [
    from,
    to,
  ])
  return { after: first - 1, upTo: next - 1 }
}

/** Returns false where a replay is under way. */
export async function beginReplay(
  db: Queryable,
  organizationId: number,
  webhookId: number,
  { after, upTo }: { after: number; upTo: number },
): Promise<boolean> {
  const rows = await db.query(
    `update webhooks set replay_ordinal = $3, replay_until = $4
     where organization_id = $1 and id = $2 and replay_until is null
     returning id`,
    [organizationId, webhookId, after, upTo],
  )
  return rows.length > 0
}

/** Sends the other events of a range once more. Returns how many these are. */
export async function repeatEvents(
  db: Queryable,
  organizationId: number,
  webhookId: number,
  { from, to, now }: Range & { now: Date },
): Promise<number> {
  const rows = await db.query(
    `update webhook_deliveries
     set state = 'waiting', attempts = 0, first_failed_at = null, next_attempt_at = $5
     where organization_id = $1 and webhook_id = $2 and ordinal is null and state <> 'waiting'
       and happened_at >= $3 and happened_at < $4
     returning id`,
    [organizationId, webhookId, from, to, now],
  )
  return rows.length
}

/** Tries dead letters again: one, or all without an id. Returns how many these are. */
export async function reviveDead(
  db: Queryable,
  organizationId: number,
  webhookId: number,
  { id, now }: { id?: number; now: Date },
): Promise<number> {
  const rows = await db.query(
    `update webhook_deliveries
     set state = 'waiting', attempts = 0, first_failed_at = null, next_attempt_at = $4
     where organization_id = $1 and webhook_id = $2 and state = 'dead'
       and ($3::bigint is null or id = $3)
     returning id`,
    [organizationId, webhookId, id ?? null, now],
  )
  return rows.length
}

/** Makes one waiting delivery due. Returns whether there is one. */
export async function hurry(
  db: Queryable,
  organizationId: number,
  webhookId: number,
  { id, now }: { id: number; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    `update webhook_deliveries set next_attempt_at = least(next_attempt_at, $4)
     where organization_id = $1 and webhook_id = $2 and id = $3 and state = 'waiting'
     returning id`,
    [organizationId, webhookId, id, now],
  )
  return rows.length > 0
}
