import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

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

/** Ends the sessions of a user beyond these many, those first that were not used for longest. */
export async function endSessionsBeyond(
  db: Queryable,
  userId: number,
  most: number,
  now: Moment,
): Promise<void> {
  await db.query(
    `update sessions set ended_at = $3
     where id in (
       select id from sessions
       where user_id = $1 and ended_at is null
       order by last_used_at desc, id desc
       offset $2
     )`,
    [userId, most, now],
  )
}

/** Deletes up to `most` sessions that no token can revive, and returns how many. */
export async function deleteDeadSessions(
  db: Queryable,
  now: Moment,
  most: number,
): Promise<number> {
  const rows = await db.query<{ id: number }>(
    `delete from sessions
     where id in (
       select sessions.id from sessions
       where sessions.refreshable_until <= $1 or sessions.ended_at is not null
       limit $2
     )
     returning id`,
    [now, most],
  )
  return rows.length
}
