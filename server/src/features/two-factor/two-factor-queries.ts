import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'

export interface NewTwoFactor {
  sealedSecret: Buffer
  /** Of the code that proved the secret. */
  lastStep: number
  recoveryHashes: readonly Buffer[]
}

export async function hasTwoFactor(db: Queryable, userId: number): Promise<boolean> {
  const rows = await db.query('select 1 from two_factors where user_id = $1', [userId])
  return rows.length > 0
}

/** The user's second factor, locked until the transaction ends, so that each code works once. */
export async function lockTwoFactor(
  tx: Queryable,
  userId: number,
): Promise<{ sealed_secret: Buffer; last_step: number } | undefined> {
  const rows = await tx.query<{ sealed_secret: Buffer; last_step: number }>(
    'select sealed_secret, last_step from two_factors where user_id = $1 for update',
    [userId],
  )
  return rows[0]
}

export async function saveLastStep(tx: Queryable, userId: number, step: number): Promise<void> {
  await tx.query('update two_factors set last_step = $2 where user_id = $1', [userId, step])
}

/** Turns two-factor on, or replaces the secret and all recovery codes where it is on. */
export async function enableTwoFactor(
  tx: Queryable,
  userId: number,
  factor: NewTwoFactor,
  now: Moment,
): Promise<void> {
  await tx.query(
    `insert into two_factors (user_id, sealed_secret, last_step, enabled_at)
     values ($1, $2, $3, $4)
     on conflict (user_id) do update
     set sealed_secret = excluded.sealed_secret, last_step = excluded.last_step,
       enabled_at = excluded.enabled_at`,
    [userId, factor.sealedSecret, factor.lastStep, now],
  )
  await tx.query('delete from recovery_codes where user_id = $1', [userId])
  await tx.query('insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])', [
    userId,
    factor.recoveryHashes,
  ])
}

/** Removes the secret and the recovery codes; false when two-factor was off. */
export async function disableTwoFactor(tx: Queryable, userId: number): Promise<boolean> {
  const rows = await tx.query('delete from two_factors where user_id = $1 returning user_id', [
    userId,
  ])
  return rows.length > 0
}

/** False when the user has no such code, or has used it. */
export async function spendRecoveryCode(
  tx: Queryable,
  userId: number,
  codeHash: Buffer,
): Promise<boolean> {
  const rows = await tx.query(
    'delete from recovery_codes where user_id = $1 and code_hash = $2 returning user_id',
    [userId, codeHash],
  )
  return rows.length > 0
}
