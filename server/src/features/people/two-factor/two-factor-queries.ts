import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

interface NewTwoFactor {
  sealedSecret: Buffer
  /** The time step of the code that proved the secret. */
  lastStep: number
  recoveryHashes: readonly Buffer[]
}

/** What a user can prove a login with, besides the password. Two-factor is on where there is any. */
export interface TwoFactorState {
  hasAuthenticator: boolean
  passkeyCount: number
  recoveryCodeCount: number
}

export async function findTwoFactorState(db: Queryable, userId: number): Promise<TwoFactorState> {
  const [row] = await db.query<{ has_authenticator: boolean; passkeys: number; codes: number }>(
    `select exists (select from two_factors where user_id = $1) as has_authenticator,
       (select count(*) from passkeys where user_id = $1) as passkeys,
       (select count(*) from recovery_codes where user_id = $1) as codes`,
    [userId],
  )
  return {
    hasAuthenticator: row?.has_authenticator ?? false,
    passkeyCount: row?.passkeys ?? 0,
    recoveryCodeCount: row?.codes ?? 0,
  }
}

export function isOn({ hasAuthenticator, passkeyCount }: TwoFactorState): boolean {
  return hasAuthenticator || passkeyCount > 0
}

/** The user's second factor, locked until the transaction ends so that each code works once. */
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

/** Enables two-factor, or replaces the secret and all recovery codes. */
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
  await replaceRecoveryCodes(tx, userId, factor.recoveryHashes)
}

export async function replaceRecoveryCodes(
  tx: Queryable,
  userId: number,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query('delete from recovery_codes where user_id = $1', [userId])
  await tx.query('insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])', [
    userId,
    hashes,
  ])
}

/** Removes the secret, the passkeys and the recovery codes; false when two-factor was off. */
export async function disableTwoFactor(tx: Queryable, userId: number): Promise<boolean> {
  const secrets = await tx.query('delete from two_factors where user_id = $1 returning user_id', [
    userId,
  ])
  const passkeys = await tx.query('delete from passkeys where user_id = $1 returning id', [userId])
  await tx.query('delete from recovery_codes where user_id = $1', [userId])
  return secrets.length + passkeys.length > 0
}

/** Removes a recovery code; false when the user has no such code. */
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

/** A `token_2fa`, and the only session that may send it, with its user. */
export interface TokenHolder {
  tokenHash: Buffer
  sessionId: number
  userId: number
}

/** The progress of a set-up. */
interface TokenRow {
  sealed_secret: Buffer | null
  verified_step: number | null
  recovery_hashes: Buffer[] | null
  passkey_challenge: string | null
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

/** The row of a valid token, locked until the transaction ends. */
export async function lockToken(
  tx: Queryable,
  holder: TokenHolder,
  now: Moment,
): Promise<TokenRow | undefined> {
  const rows = await tx.query<TokenRow>(
    `select sealed_secret, verified_step, recovery_hashes, passkey_challenge from two_factor_tokens
     where token_hash = $1 and session_id = $2 and expires_at > $3
     for update`,
    [holder.tokenHash, holder.sessionId, now],
  )
  return rows[0]
}

/** Stores the secret to prove. An earlier secret and its proof are removed. */
export async function saveSecret(
  db: Queryable,
  holder: TokenHolder,
  sealedSecret: Buffer,
  now: Moment,
): Promise<boolean> {
  const rows = await db.query(
    `update two_factor_tokens
     set sealed_secret = $4, verified_step = null, recovery_hashes = null, passkey_challenge = null
     where token_hash = $1 and session_id = $2 and expires_at > $3
     returning user_id`,
    [holder.tokenHash, holder.sessionId, now, sealedSecret],
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

/** Stores what a new passkey is to sign; null once it was tried. */
export async function savePasskeyChallenge(
  tx: Queryable,
  { tokenHash }: TokenHolder,
  challenge: string | null,
): Promise<void> {
  await tx.query('update two_factor_tokens set passkey_challenge = $2 where token_hash = $1', [
    tokenHash,
    challenge,
  ])
}

export async function deleteToken(tx: Queryable, holder: TokenHolder): Promise<void> {
  await tx.query('delete from two_factor_tokens where token_hash = $1', [holder.tokenHash])
}

/** Removes set-ups and logins with a passkey that were not finished in time. */
export async function removeOldSetups(db: Queryable, now: Date): Promise<void> {
  await db.query('delete from passkey_challenges where expires_at <= $1', [now])
  await db.query('delete from two_factor_tokens where expires_at <= $1', [now])
}
