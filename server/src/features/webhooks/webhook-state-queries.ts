import type { Queryable } from '../../db/connect.ts'

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
