import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'

/** When the session ends unless it is renewed; undefined when it has been ended. */
export async function findSessionEnd(
  db: Queryable,
  sessionId: number,
): Promise<Moment | undefined> {
  const rows = await db.query<{ expires_at: Moment }>(
    'select expires_at from sessions where id = $1 and ended_at is null',
    [sessionId],
  )
  return rows[0]?.expires_at
}

/** Ends the session that has this token, expired or not, and returns its user. */
export async function endSessionByToken(
  db: Queryable,
  tokenHash: Buffer,
  now: Moment,
): Promise<number | undefined> {
  const rows = await db.query<{ user_id: number }>(
    `update sessions set ended_at = $2 where token_hash = $1 and ended_at is null
     returning user_id`,
    [tokenHash, now],
  )
  return rows[0]?.user_id
}
