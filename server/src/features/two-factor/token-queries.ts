import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'

/** A `token_2fa` and who must be the one to send it. */
export interface TokenHolder {
  tokenHash: Buffer
  sessionId: number
  userId: number
}

/** How far the set-up of a token has come. */
export interface TokenRow {
  sealed_secret: Buffer | null
  verified_step: number | null
  recovery_hashes: Buffer[] | null
}

export async function insertToken(
  db: Queryable,
  holder: TokenHolder,
  expiresAt: Moment,
): Promise<void> {
  await db.query(
    `insert into two_factor_tokens (token_hash, session_id, user_id, expires_at)
     values ($1, $2, $3, $4)`,
    [holder.tokenHash, holder.sessionId, holder.userId, expiresAt],
  )
}

/** The token's row while it holds, locked until the transaction ends. */
export async function lockToken(
  tx: Queryable,
  holder: TokenHolder,
  now: Moment,
): Promise<TokenRow | undefined> {
  const rows = await tx.query<TokenRow>(
    `select sealed_secret, verified_step, recovery_hashes from two_factor_tokens
     where token_hash = $1 and session_id = $2 and user_id = $3 and expires_at > $4
     for update`,
    [holder.tokenHash, holder.sessionId, holder.userId, now],
  )
  return rows[0]
}

/** Gives the token a secret to prove; one from before, and its proof, are forgotten. */
export async function saveSecret(
  db: Queryable,
  holder: TokenHolder,
  sealedSecret: Buffer,
  now: Moment,
): Promise<boolean> {
  const rows = await db.query(
    `update two_factor_tokens
     set sealed_secret = $5, verified_step = null, recovery_hashes = null
     where token_hash = $1 and session_id = $2 and user_id = $3 and expires_at > $4
     returning user_id`,
    [holder.tokenHash, holder.sessionId, holder.userId, now, sealedSecret],
  )
  return rows.length > 0
}

export async function saveProof(
  tx: Queryable,
  holder: TokenHolder,
  proof: { step: number; recoveryHashes: readonly Buffer[] },
): Promise<void> {
  await tx.query(
    'update two_factor_tokens set verified_step = $2, recovery_hashes = $3 where token_hash = $1',
    [holder.tokenHash, proof.step, proof.recoveryHashes],
  )
}

export async function deleteToken(tx: Queryable, holder: TokenHolder): Promise<void> {
  await tx.query('delete from two_factor_tokens where token_hash = $1', [holder.tokenHash])
}

export async function deleteOldTokens(db: Queryable, now: Moment): Promise<void> {
  await db.query('delete from two_factor_tokens where expires_at <= $1', [now])
}
