import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

export async function insertReset(
  db: Queryable,
  tokenHash: Buffer,
  userId: number,
  expiresAt: Moment,
): Promise<void> {
  await db.query(
    'insert into password_resets (token_hash, user_id, expires_at) values ($1, $2, $3)',
    [tokenHash, userId, expiresAt],
  )
}

/** The user of a valid code. */
export async function findReset(
  db: Queryable,
  tokenHash: Buffer,
  now: Moment,
): Promise<{ user_id: number; email: string } | undefined> {
  const rows = await db.query<{ user_id: number; email: string }>(
    `select password_resets.user_id, users.email
     from password_resets
     join users on users.id = password_resets.user_id
     where password_resets.token_hash = $1 and password_resets.expires_at > $2`,
    [tokenHash, now],
  )
  return rows[0]
}

/** Removes a code; false when it has been used meanwhile. */
export async function spendReset(tx: Queryable, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    'delete from password_resets where token_hash = $1 returning user_id',
    [tokenHash],
  )
  return rows.length > 0
}

/** Removes codes that have expired. */
export async function removeOldResets(db: Queryable, now: Date): Promise<void> {
  await db.query('delete from password_resets where expires_at <= $1', [now])
}
