import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { atOrdinal } from '../../../uplinks/rows/by-ordinal.ts'
import type { MqttSettings } from './mqtt-settings.ts'
import type { WebhookEvent, WebhookState } from './webhook-kinds.ts'

/** The present secret becomes the former one. */
export async function rotate(
  db: Queryable,
  organizationId: number,
  webhook: { id: number; sealed: Buffer; sealedFormer: Buffer; until: Date; now: Date },
): Promise<void> {
  const { id, sealed, sealedFormer, until, now } = webhook
  await db.query(
    `update webhooks
     set sealed_secret = $3, sealed_former_secret = $4, former_until = $5, updated_at = $6
     where organization_id = $1 and id = $2`,
    [organizationId, id, sealed, sealedFormer, until, now],
  )
}

export async function pause(
  db: Queryable,
  organizationId: number,
  { id, now }: { id: number; now: Date },
): Promise<void> {
  await db.query(
    `update webhooks set state = 'paused', state_message = null, updated_at = $3
     where organization_id = $1 and id = $2`,
    [organizationId, id, now],
  )
}

/** Goes on where it was, as if nothing had failed; with `skips`, with the next uplink. */
export async function resume(
  tx: Queryable,
  organizationId: number,
  { id, now, skips }: { id: number; now: Date; skips: boolean },
): Promise<void> {
  await tx.query(
    `update webhooks
     set state = 'active', state_message = null, failures = 0, failing_since = null,
       next_attempt_at = null, updated_at = $3,
       uplink_ordinal = case when $4 then counter.uplink_count else webhooks.uplink_ordinal end
     from organization_counters as counter
     where webhooks.organization_id = $1 and webhooks.id = $2
       and counter.organization_id = webhooks.organization_id`,
    [organizationId, id, now, skips],
  )
  await tx.query(
    `update webhook_deliveries
     set state = case when $4 then 'dead' else state end, attempts = 0, first_failed_at = null,
       next_attempt_at = $3
     where organization_id = $1 and webhook_id = $2 and state = 'waiting'`,
    [organizationId, id, now, skips],
  )
}

/** What a member chooses. */
export interface WebhookValues {
  name: string
  url: string
  events: WebhookEvent[]
  group_id: number | null
  type_id: number | null
  network: string | null
  tag: string | null
  /** Of a broker; null where the address is that of a server. */
  mqtt: MqttSettings | null
}

export interface StoredWebhook extends WebhookValues {
  organization_id: number
  id: number
  state: WebhookState
  state_message: string | null
  sealed_secret: Buffer
  sealed_former_secret: Buffer | null
  former_until: Moment | null
  sealed_login: Buffer | null
  uplink_ordinal: number
  replay_ordinal: number | null
  replay_until: number | null
  failures: number
  failing_since: Moment | null
  next_attempt_at: Moment | null
  last_success_at: Moment | null
  last_failure_at: Moment | null
  last_failure: string | null
  created_at: Moment
  updated_at: Moment
  /** When what it has announced is compared with the devices. */
  announcements_due_at: Moment | null
}

/** A webhook, and how much it has still to send. */
export interface ListedWebhook extends StoredWebhook {
  waiting: number
  dead: number
  oldest_waiting_at: Moment | null
}

/** SQL: the columns of `StoredWebhook`. */
export const webhookColumns = `webhooks.organization_id, webhooks.id, webhooks.name, webhooks.url,
  webhooks.events, webhooks.group_id, webhooks.type_id, webhooks.network, webhooks.tag, webhooks.state,
  webhooks.state_message, webhooks.sealed_secret, webhooks.sealed_former_secret,
  webhooks.former_until, webhooks.mqtt, webhooks.sealed_login, webhooks.uplink_ordinal, webhooks.replay_ordinal, webhooks.replay_until,
  webhooks.failures, webhooks.failing_since, webhooks.next_attempt_at, webhooks.last_success_at,
  webhooks.last_failure_at, webhooks.last_failure, webhooks.created_at, webhooks.updated_at,
  webhooks.announcements_due_at`

/** Uplinks behind the cursor count as they are: which of them the filters let pass is not known. */
const listed = `select ${webhookColumns},
    kept.waiting + backlog.size as waiting, kept.dead,
    least(kept.oldest, (
      select received_at
      from ${atOrdinal(
        'uplinks.received_at',
        'greatest(webhooks.uplink_ordinal + 1, counter.first_ordinal)',
      )} as oldest
      where backlog.size > 0
    )) as oldest_waiting_at
  from webhooks
  join organization_counters as counter on counter.organization_id = webhooks.organization_id
  cross join lateral (
    select case when webhooks.events @> array['uplink']
      then counter.uplink_count - greatest(webhooks.uplink_ordinal, counter.first_ordinal - 1)
      else 0 end as size
  ) as backlog
  cross join lateral (
    select count(*) filter (where state = 'waiting') as waiting,
      count(*) filter (where state = 'dead') as dead,
      min(happened_at) filter (where state = 'waiting') as oldest
    from webhook_deliveries as deliveries
    where deliveries.organization_id = $1
      and deliveries.webhook_id = webhooks.id and deliveries.state <> 'delivered'
  ) as kept
  where webhooks.organization_id = $1`

export function list(db: Queryable, organizationId: number): Promise<ListedWebhook[]> {
  return db.query<ListedWebhook>(`${listed} order by webhooks.id`, [organizationId])
}

export async function find(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<ListedWebhook | undefined> {
  const rows = await db.query<ListedWebhook>(`${listed} and webhooks.id = $2`, [organizationId, id])
  return rows[0]
}

/** Locks a webhook until the transaction ends. */
export async function lock(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredWebhook | undefined> {
  const rows = await tx.query<StoredWebhook>(
    `select ${webhookColumns} from webhooks where organization_id = $1 and id = $2 for update`,
    [organizationId, id],
  )
  return rows[0]
}

/** Locks the organization's webhooks against others that are made at once, and counts them. */
export async function countLocked(tx: Queryable, organizationId: number): Promise<number> {
  await tx.query('select from organizations where id = $1 for no key update', [organizationId])
  const rows = await tx.query<{ count: number }>(
    'select count(*) from webhooks where organization_id = $1',
    [organizationId],
  )
  return rows[0]?.count ?? 0
}

/** The id of a new webhook: its secret is sealed under it. */
export async function allotId(tx: Queryable): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('webhooks', 'id')) as id`,
  )
  return rows[0]?.id ?? 0
}

/** It begins with the next uplink. */
export async function insert(
  tx: Queryable,
  organizationId: number,
  webhook: WebhookValues & { id: number; sealed: Buffer; sealedLogin: Buffer | null; now: Date },
): Promise<void> {
  await tx.query(
    `insert into webhooks (
       organization_id, id, name, url, events, group_id, type_id, network, tag, mqtt, sealed_secret,
       sealed_login, uplink_ordinal, created_at, updated_at
     )
     overriding system value
     select organization_id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, uplink_count, $13, $13
     from organization_counters where organization_id = $1`,
    [
      organizationId,
      webhook.id,
      ...valuesOf(webhook),
      webhook.sealed,
      webhook.sealedLogin,
      webhook.now,
    ],
  )
}

/** A webhook that begins to want uplinks gets those from now on. */
export async function update(
  db: Queryable,
  organizationId: number,
  webhook: WebhookValues & { id: number; sealedLogin: Buffer | null; now: Date },
): Promise<void> {
  await db.query(
    `update webhooks
     set name = $3, url = $4, events = $5, group_id = $6, type_id = $7, network = $8, tag = $9,
       mqtt = $10, sealed_login = $11,
       uplink_ordinal = case when webhooks.events @> array['uplink'] then webhooks.uplink_ordinal
         else counter.uplink_count end,
       updated_at = $12
     from organization_counters as counter
     where webhooks.organization_id = $1 and webhooks.id = $2
       and counter.organization_id = webhooks.organization_id`,
    [organizationId, webhook.id, ...valuesOf(webhook), webhook.sealedLogin, webhook.now],
  )
}

function valuesOf(webhook: WebhookValues): unknown[] {
  const { name, url, events, group_id, type_id, network, tag, mqtt } = webhook
  return [name, url, events, group_id, type_id, network, tag, mqtt]
}

/** Returns whether there was one. */
export async function remove(db: Queryable, organizationId: number, id: number): Promise<boolean> {
  const rows = await db.query(
    'delete from webhooks where organization_id = $1 and id = $2 returning id',
    [organizationId, id],
  )
  return rows.length > 0
}
