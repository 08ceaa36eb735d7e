import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

/** The newest that are kept of a webhook. */
const mostKept = 100_000

/** Deletes what is too old or too much, at most `limit` rows of each webhook. Returns how many. */
function deletion(table: 'webhook_attempts' | 'webhook_deliveries', time: string): string {
  return `with gone as (
      delete from ${table} using (
        select old.organization_id, old.webhook_id, old.id
        from webhooks
        cross join lateral (
          select kept.organization_id, kept.webhook_id, kept.id from ${table} as kept
          where kept.organization_id = webhooks.organization_id and kept.webhook_id = webhooks.id
            and (kept.${time} < $1 or kept.id <= (
              select newest.id from ${table} as newest
              where newest.organization_id = webhooks.organization_id
                and newest.webhook_id = webhooks.id
              order by newest.id desc
              offset ${mostKept} limit 1
            ))
          order by kept.id
          limit $2
        ) as old
      ) as old
      where ${table}.organization_id = old.organization_id
        and ${table}.webhook_id = old.webhook_id and ${table}.id = old.id
      returning ${table}.id
    )
    select count(*) from gone`
}

const deletions = [
  deletion('webhook_attempts', 'attempted_at'),
  deletion('webhook_deliveries', 'happened_at'),
]

export async function deleteOld(db: Queryable, before: Date, limit: number): Promise<number> {
  let count = 0
  for (const text of deletions) {
    const rows = await db.query<{ count: number }>(text, [before, limit])
    count += rows[0]?.count ?? 0
  }
  return count
}

/** What was tried and what waits, for people. */
export interface AttemptRow {
  id: number
  kind: string
  device_eui: string | null
  device_name: string | null
  ordinal: number | null
  delivery_id: number | null
  attempted_at: Moment
  is_delivered: boolean
  status: number | null
  duration_ms: number
  answer: string | null
}

/** A part of a list, newest first. */
export interface Part {
  /** Below this id. */
  before: number | undefined
  limit: number
}

export function listAttempts(
  db: Queryable,
  organizationId: number,
  webhookId: number,
  { before, limit, isFailed }: Part & { isFailed: boolean },
): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(
    `select attempts.id, attempts.kind, devices.device_eui, devices.name as device_name,
       attempts.ordinal, attempts.delivery_id, attempts.attempted_at, attempts.is_delivered,
       attempts.status, attempts.duration_ms, attempts.answer
     from (
       select * from webhook_attempts
       where organization_id = $1 and webhook_id = $2 and id < coalesce($3, 9223372036854775807)
         ${isFailed ? 'and not is_delivered' : ''}
       order by id desc
       limit $4
     ) as attempts
     left join devices on devices.organization_id = $1 and devices.id = attempts.device_id
     order by attempts.id desc`,
    [organizationId, webhookId, before, limit],
  )
}

export interface DeliveryRow {
  id: number
  kind: string
  device_eui: string | null
  device_name: string | null
  ordinal: number | null
  happened_at: Moment
  attempts: number
  next_attempt_at: Moment
  last_failure: string | null
}

export function listDeliveries(
  db: Queryable,
  organizationId: number,
  webhookId: number,
  { before, limit, state }: Part & { state: 'waiting' | 'dead' },
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(
    `select deliveries.id, deliveries.kind, devices.device_eui, devices.name as device_name,
       deliveries.ordinal, deliveries.happened_at, deliveries.attempts,
       greatest(deliveries.next_attempt_at, deliveries.happened_at) as next_attempt_at,
       deliveries.last_failure
     from (
       select * from webhook_deliveries
       where organization_id = $1 and webhook_id = $2 and state = $5
         and id < coalesce($3, 9223372036854775807)
       order by id desc
       limit $4
     ) as deliveries
     left join devices on devices.organization_id = $1 and devices.id = deliveries.device_id
     order by deliveries.id desc`,
    [organizationId, webhookId, before, limit, state],
  )
}
