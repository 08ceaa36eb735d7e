import type { Queryable } from '../../../db/connect.ts'
import { type ClaimedWebhook, idleLeaseSeconds } from './claim-queries.ts'
import type { OutgoingEvent } from './outgoing-event.ts'
import type { Attempt } from './post-message.ts'
import type { Sent } from './send-portion.ts'
import { describe, type Kept, type Settlement } from './settlement.ts'

/**
 * Moves the cursors, notes how the receiver is, and frees the claim. Returns false where the claim
 * is lost: the outcome of the portion is not stored then, and it is sent again.
 */
export async function settleWebhook(
  tx: Queryable,
  webhook: ClaimedWebhook,
  settlement: Settlement,
  now: Date,
): Promise<boolean> {
  const { sent, failures, newsTo, replayTo, heldUntil, disabled } = settlement
  const failure = sent.findLast(({ attempt }) => !attempt.isDelivered)?.attempt
  const hasSuccess = sent.some(({ attempt }) => attempt.isDelivered)
  const rows = await tx.query(
    `update webhooks
     set uplink_ordinal = greatest(uplink_ordinal, $4),
       replay_ordinal = case when replay_until = $6::bigint and replay_ordinal = $7::bigint
         then nullif($5::bigint, $6::bigint) else replay_ordinal end,
       replay_until = case when replay_until = $6::bigint and replay_ordinal = $7::bigint
         and $5::bigint >= $6::bigint then null else replay_until end,
       failures = case when $8::boolean then $9::integer else failures end,
       failing_since = case when not $8 then failing_since when $9 = 0 then null
         when $10::boolean then $11 else coalesce(failing_since, $11) end,
       next_attempt_at = case when $8 or $12::timestamptz is not null then $12
         else next_attempt_at end,
       last_success_at = case when $10 then $11 else last_success_at end,
       last_failure_at = case when $13::text is null then last_failure_at
         else $11::timestamptz end,
       last_failure = coalesce($13, last_failure),
       state = case when state = 'active' and $14::text is not null then 'disabled' else state end,
       state_message = case when state = 'active' then $14 else state_message end,
       claim = null, claimed_by = case when mqtt is not null then claimed_by end,
       claimed_until = case when mqtt is not null and claimed_by is not null
         then lease.idle_until end
     from (
       -- Citus takes no time of now within a case.
       select statement_timestamp() + make_interval(secs => ${idleLeaseSeconds}) as idle_until
     ) as lease
     where organization_id = $1 and id = $2 and claim = $3
     returning id`,
    [
      webhook.organization_id,
      webhook.id,
      webhook.claim,
      newsTo,
      replayTo,
      webhook.replay_until,
      webhook.replay_ordinal,
      sent.length > 0,
      failures,
      hasSuccess,
      now,
      heldUntil,
      failure ? describe(failure) : null,
      disabled ?? null,
    ],
  )
  return rows.length > 0
}

/** Uplinks that are delivered need no row any more; other events keep theirs, for a replay. */
export async function noteDelivered(
  tx: Queryable,
  { organization_id, id }: ClaimedWebhook,
  { delivered, dropped }: Pick<Settlement, 'delivered' | 'dropped'>,
): Promise<void> {
  const ordinals = delivered.flatMap(({ source, ordinal }) =>
    source === 'news' ? [] : (ordinal ?? []),
  )
  if (ordinals.length > 0 || dropped.length > 0) {
    await tx.query(
      `delete from webhook_deliveries
       where organization_id = $1 and webhook_id = $2
         and (ordinal = any($3::bigint[]) or id = any($4::bigint[]))`,
      [organization_id, id, ordinals, dropped],
    )
  }
  const others = delivered.flatMap((event) => (event.ordinal === undefined ? rowOf(event) : []))
  if (others.length === 0) return
  await tx.query(
    `update webhook_deliveries
     set state = 'delivered', attempts = attempts + 1, first_failed_at = null, last_failure = null
     where organization_id = $1 and webhook_id = $2 and id = any($3::bigint[])`,
    [organization_id, id, others],
  )
}

function rowOf({ source }: OutgoingEvent): number[] {
  return typeof source === 'object' ? [source.id] : []
}

/** Stores what is tried again, or not any more. */
export async function keep(
  tx: Queryable,
  webhook: ClaimedWebhook,
  kept: readonly Kept[],
  now: Date,
): Promise<void> {
  const known = kept.filter(({ event }) => typeof event.source === 'object')
  const added = kept.filter(({ event }) => typeof event.source !== 'object')
  if (added.length > 0) await insertRows(tx, webhook, added, now)
  if (known.length > 0) await updateRows(tx, webhook, known, now)
}

/** A replayed uplink may have a row already: it is tried from the beginning. */
async function insertRows(
  tx: Queryable,
  { organization_id, id }: ClaimedWebhook,
  kept: readonly Kept[],
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into webhook_deliveries (
       organization_id, webhook_id, kind, device_id, ordinal, happened_at, state, attempts,
       first_failed_at, next_attempt_at, last_failure
     )
     select $1, $2, 'uplink', given.*
     from (
       select device_id, ordinal, happened_at, state, attempts,
         case when attempts > 0 then $3::timestamptz end, next_attempt_at, failure
       from unnest(
         $4::bigint[], $5::bigint[], $6::timestamptz[], $7::text[], $8::integer[],
         $9::timestamptz[], $10::text[]
       ) with ordinality as given (
         device_id, ordinal, happened_at, state, attempts, next_attempt_at, failure, position
       )
       order by position
     ) as given
     on conflict (organization_id, webhook_id, ordinal) where ordinal is not null do update
     set state = excluded.state, attempts = excluded.attempts,
       first_failed_at = excluded.first_failed_at, next_attempt_at = excluded.next_attempt_at,
       last_failure = excluded.last_failure`,
    [
      organization_id,
      id,
      now,
      kept.map(({ event }) => event.device.device_id),
      kept.map(({ event }) => event.ordinal),
      kept.map(({ event }) => event.happenedAt),
      ...columnsOf(kept),
    ],
  )
}

async function updateRows(
  tx: Queryable,
  { organization_id, id }: ClaimedWebhook,
  kept: readonly Kept[],
  now: Date,
): Promise<void> {
  await tx.query(
    `update webhook_deliveries as deliveries
     set state = given.state, attempts = given.attempts,
       first_failed_at = coalesce(deliveries.first_failed_at, $3),
       next_attempt_at = given.next_attempt_at, last_failure = given.failure
     from unnest($4::bigint[], $5::text[], $6::integer[], $7::timestamptz[], $8::text[])
       as given (id, state, attempts, next_attempt_at, failure)
     where deliveries.organization_id = $1 and deliveries.webhook_id = $2
       and deliveries.id = given.id`,
    [organization_id, id, now, kept.flatMap(({ event }) => rowOf(event)), ...columnsOf(kept)],
  )
}

function columnsOf(kept: readonly Kept[]): unknown[][] {
  return [
    kept.map(({ state }) => state),
    kept.map(({ attempts }) => attempts),
    kept.map(({ nextAttemptAt }) => nextAttemptAt),
    kept.map(({ failure }) => failure ?? null),
  ]
}

/** Makes everything that waits due, after the receiver is back. */
export async function makeDue(
  tx: Queryable,
  { organization_id, id }: ClaimedWebhook,
  now: Date,
): Promise<void> {
  await tx.query(
    `update webhook_deliveries set next_attempt_at = $3
     where organization_id = $1 and webhook_id = $2 and state = 'waiting' and next_attempt_at > $3`,
    [organization_id, id, now],
  )
}

export async function insertAttempts(
  db: Queryable,
  { organization_id, id }: Pick<ClaimedWebhook, 'organization_id' | 'id'>,
  sent: readonly Sent[],
): Promise<void> {
  await db.query(
    `insert into webhook_attempts (
       organization_id, webhook_id, kind, device_id, ordinal, delivery_id, attempted_at,
       is_delivered, status, duration_ms, answer
     )
     select $1, $2, given.*
     from unnest(
       $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::timestamptz[], $8::boolean[],
       $9::integer[], $10::integer[], $11::text[]
     ) as given`,
    [
      organization_id,
      id,
      sent.map(({ event }) => event.kind),
      sent.map(({ event }) => event.device.device_id),
      sent.map(({ event }) => event.ordinal ?? null),
      sent.map(({ event }) => rowOf(event)[0] ?? null),
      sent.map(({ attempt }) => attempt.at),
      sent.map(({ attempt }) => attempt.isDelivered),
      sent.map(({ attempt }) => attempt.status ?? null),
      sent.map(({ attempt }) => attempt.durationMs),
      sent.map(({ attempt }) => attempt.answer || null),
    ],
  )
}

/** The lock lets a deletion of the webhook wait. After one, nothing is stored. */
export async function insertTest(
  tx: Queryable,
  { organization_id, id }: Pick<ClaimedWebhook, 'organization_id' | 'id'>,
  attempt: Attempt,
): Promise<void> {
  const held = await tx.query(
    'select from webhooks where organization_id = $1 and id = $2 for key share',
    [organization_id, id],
  )
  if (held.length === 0) return
  const { at, isDelivered, status, durationMs, answer } = attempt
  await tx.query(
    `insert into webhook_attempts (
       organization_id, webhook_id, kind, attempted_at, is_delivered, status, duration_ms, answer
     )
     values ($1, $2, 'test', $3, $4, $5, $6, $7)`,
    [organization_id, id, at, isDelivered, status ?? null, durationMs, answer || null],
  )
}
