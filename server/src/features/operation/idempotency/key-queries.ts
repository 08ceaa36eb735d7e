import type { Queryable } from '../../../db/connect.ts'
import { living } from '../../../db/presence.ts'

/** A request as it is stored, with its texts sealed. */
interface StoredRequest {
  claim: string
  is_claimed: boolean
  sealed_request: Buffer
  answer_status: number | null
  sealed_answer: Buffer | null
}

export interface Claim {
  scope: Buffer
  claim: string
  now: Date
  claimedUntil: Date
  /** The process (`db/presence.ts`). */
  claimedBy: string | null
  expiresAt: Date
}

/** Claims a key that is free or has expired; false for any other. */
export async function claim(
  db: Queryable,
  organizationId: number,
  request: Claim & { sealedRequest: Buffer },
): Promise<boolean> {
  const rows = await db.query(
    `insert into idempotency_keys as known
       (organization_id, scope, claim, claimed_until, claimed_by, expires_at, sealed_request)
     values ($1, $2, $3, $4, $8, $5, $6)
     on conflict (organization_id, scope) do update
     set claim = excluded.claim, claimed_until = excluded.claimed_until,
       claimed_by = excluded.claimed_by, expires_at = excluded.expires_at,
       sealed_request = excluded.sealed_request, answer_status = null, sealed_answer = null
     where known.expires_at <= $7
     returning claim`,
    [
      organizationId,
      request.scope,
      request.claim,
      request.claimedUntil,
      request.expiresAt,
      request.sealedRequest,
      request.now,
      request.claimedBy,
    ],
  )
  return rows.length > 0
}

export async function find(
  db: Queryable,
  organizationId: number,
  scope: Buffer,
  now: Date,
): Promise<StoredRequest | undefined> {
  const rows = await db.query<StoredRequest>(
    `select claim, sealed_request, answer_status, sealed_answer,
       claimed_until > $3 and (claimed_by is null or claimed_by::text in ${living}) as is_claimed
     from idempotency_keys where organization_id = $1 and scope = $2`,
    [organizationId, scope, now],
  )
  return rows[0]
}

/**
 * Takes over the request of a server process that is taken for dead; false when another process
 * did.
 */
export async function takeOver(
  db: Queryable,
  organizationId: number,
  request: Claim & { previousClaim: string },
): Promise<boolean> {
  const rows = await db.query(
    `update idempotency_keys set claim = $4, claimed_until = $5, expires_at = $6,
       claimed_by = $7
     where organization_id = $1 and scope = $2 and claim = $3 and answer_status is null
     returning claim`,
    [
      organizationId,
      request.scope,
      request.previousClaim,
      request.claim,
      request.claimedUntil,
      request.expiresAt,
      request.claimedBy,
    ],
  )
  return rows.length > 0
}

/** Stores the answer, or only its status, unless another process has taken the claim over. */
export async function setAnswer(
  db: Queryable,
  organizationId: number,
  request: { scope: Buffer; claim: string; status: number; sealedAnswer: Buffer | null },
): Promise<void> {
  await db.query(
    `update idempotency_keys set answer_status = $4, sealed_answer = $5
     where organization_id = $1 and scope = $2 and claim = $3`,
    [organizationId, request.scope, request.claim, request.status, request.sealedAnswer],
  )
}

export async function remove(
  db: Queryable,
  organizationId: number,
  { scope, claim: held }: { scope: Buffer; claim: string },
): Promise<void> {
  await db.query(
    'delete from idempotency_keys where organization_id = $1 and scope = $2 and claim = $3',
    [organizationId, scope, held],
  )
}

/** What a key takes besides its answer, with its place in the indexes. */
export const bytesOfKey = 512

const bytesOfRow = `${bytesOfKey} + coalesce(octet_length(sealed_answer), 0)`

/** The bytes of the answered keys of each organization of a tenant, or of all. */
export function sumBytes(
  db: Queryable,
  tenantId: number | undefined,
): Promise<{ organization_id: number; tenant_id: number; bytes: number }[]> {
  return db.query(
    // Apart, since the keys may be on other machines (docs/scaling.md).
    `with chosen as materialized (
       select id, tenant_id from organizations where $1::bigint is null or tenant_id = $1
     ), summed as materialized (
       select organization_id, sum(${bytesOfRow})::bigint as bytes
       from idempotency_keys
       where answer_status is not null
         and ($1::bigint is null or organization_id in (select id from chosen))
       group by organization_id
     )
     select summed.organization_id, chosen.tenant_id, summed.bytes
     from summed
     join chosen on chosen.id = summed.organization_id`,
    [tenantId ?? null],
  )
}

/** Removes the oldest answered keys of an organization, so that these bytes are left. */
export async function removeOldest(
  db: Queryable,
  organizationId: number,
  bytes: number,
): Promise<void> {
  await db.query(
    // As an array: a join of a table that has just grown may run the sums again for each key.
    `delete from idempotency_keys
     where organization_id = $1 and scope = any(array(
       select scope from (
         select scope, sum(${bytesOfRow}) over (order by expires_at desc, scope) as bytes
         from idempotency_keys
         where organization_id = $1 and answer_status is not null
       ) as newest
       where bytes > $2
     ))`,
    [organizationId, bytes],
  )
}

/** Removes at most `limit` expired keys and returns how many. */
export async function removeExpired(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from idempotency_keys where (organization_id, scope) in (
       select organization_id, scope from idempotency_keys
       where expires_at <= $1 order by expires_at limit $2
     )
     returning 1`,
    [now, limit],
  )
  return rows.length
}
