import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../../db/connect.ts'
import { living, type Presence } from '../../../db/presence.ts'
import { holdingFailures } from './webhook-kinds.ts'
import { type StoredWebhook, webhookColumns } from './webhook-queries.ts'

/** A webhook with work, by the tenant of its organization. */
export interface DueWebhook {
  organization_id: number
  id: number
  tenant_id: number
}

/** A webhook that only this process sends for, until it settles. */
export interface ClaimedWebhook extends StoredWebhook {
  claim: string
  /** Uplinks of the organization so far. */
  uplink_count: number
}

/** Longer than the longest portion: a live process never loses its claim. */
const claimSeconds = 120

/**
 * Seconds for which a webhook stays with the process that has sent its last portion, if its address
 * is a broker: two processes would end each other's connections there.
 */
export const idleLeaseSeconds = 30

/**
 * What this process holds is free to it: webhook-sender.ts begins none twice. Otherwise a claim whose
 * answer or release got lost with a connection would hold the webhook up for its whole time.
 */
const isFree = (holder: string) =>
  `(webhooks.claimed_until is null or webhooks.claimed_until < statement_timestamp()
  or (webhooks.claimed_by is not null and webhooks.claimed_by::text not in ${living})
  or webhooks.claimed_by = ${holder}::uuid)`

const isTried = (now: string, holder: string) =>
  `webhooks.state = 'active' and (webhooks.next_attempt_at is null
    or webhooks.next_attempt_at <= ${now}) and ${isFree(holder)}`

/**
 * Lists the webhooks that have something to send now. It runs a few times a second: a look into the
 * counters and at the end of two indexes for each webhook, at any number of uplinks.
 */
export function listDue(db: Queryable, now: Date, presence: Presence): Promise<DueWebhook[]> {
  return db.query<DueWebhook>(
    // The tenants apart, since webhooks may be on other machines (docs/scaling.md).
    `with due as materialized (
       select webhooks.organization_id, webhooks.id
       from webhooks
       join organization_counters as counter on counter.organization_id = webhooks.organization_id
       where ${isTried('$1', '$2')}
         and (
           (webhooks.events @> array['uplink'] and counter.uplink_count > webhooks.uplink_ordinal)
           or webhooks.replay_ordinal < webhooks.replay_until
           or webhooks.announcements_due_at <= $1
           or exists (
             select from webhook_deliveries as deliveries
             where deliveries.organization_id = webhooks.organization_id
               and deliveries.webhook_id = webhooks.id and deliveries.state = 'waiting'
               and (deliveries.next_attempt_at <= $1 or webhooks.failures >= ${holdingFailures})
           )
         )
     )
     select due.organization_id, due.id, organizations.tenant_id
     from due
     join organizations on organizations.id = due.organization_id
     order by due.organization_id, due.id`,
    [now, presence.id],
  )
}

/** Undefined where another process was quicker, or nothing is to be sent any more. */
export async function claim(
  db: Queryable,
  { organization_id, id }: DueWebhook,
  { now, presence }: { now: Date; presence: Presence },
): Promise<ClaimedWebhook | undefined> {
  const rows = await db.query<ClaimedWebhook>(
    `update webhooks
     set claim = $4, claimed_by = $5::uuid,
       claimed_until = statement_timestamp() + make_interval(secs => ${claimSeconds})
     from organization_counters as counter
     where webhooks.organization_id = $1 and webhooks.id = $2 and ${isTried('$3', '$5')}
       and counter.organization_id = webhooks.organization_id
     returning ${webhookColumns}, webhooks.claim, counter.uplink_count`,
    [organization_id, id, now, randomUUID(), presence.id],
  )
  return rows[0]
}

/** Frees the claim without an outcome, after an error. */
export async function release(db: Queryable, webhook: ClaimedWebhook): Promise<void> {
  await db.query(
    `update webhooks set claim = null, claimed_by = null, claimed_until = null
     where organization_id = $1 and id = $2 and claim = $3`,
    [webhook.organization_id, webhook.id, webhook.claim],
  )
}
