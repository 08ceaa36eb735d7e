import type { Queryable } from '../../db/connect.ts'
import type { Permission } from '../../http/endpoint.ts'
import type { Moment } from '../../http/timestamps.ts'

export interface NewSession {
  tokenHash: Buffer
  createdAt: Moment
  expiresAt: Moment
  refreshableUntil: Moment
}

/** A session that holds, and what its user is to one organization: nulls when no member. */
export interface Admission {
  session_id: number
  user_id: number
  is_owner: boolean | null
  permissions: Permission[] | null
  /** The root of the organization's tree. */
  root_id: number | null
}

/** A token, by its hash, that wants to act for an organization. */
export interface AdmissionKey {
  /** Hexadecimal. */
  tokenHash: string
  organizationId: number
}

/**
 * The one question that every request of a member asks: three index lookups for each, one round
 * trip for all. Sessions that do not hold are left out.
 */
export async function findAdmissions(
  db: Queryable,
  keys: AdmissionKey[],
  now: Moment,
): Promise<(Admission & { token_hash: string; organization_id: number })[]> {
  return db.query(
    `select asked.token_hash, asked.organization_id, sessions.id as session_id, sessions.user_id,
       members.is_owner, members.permissions, organizations.root_id
     from unnest($1::text[], $2::bigint[]) as asked (token_hash, organization_id)
     join sessions on sessions.token_hash = decode(asked.token_hash, 'hex')
     left join members on members.organization_id = asked.organization_id
       and members.user_id = sessions.user_id
     left join organizations on organizations.id = members.organization_id
     where sessions.ended_at is null and sessions.expires_at > $3`,
    [keys.map(({ tokenHash }) => tokenHash), keys.map(({ organizationId }) => organizationId), now],
  )
}

/** A session that holds or, with `mayBeExpired`, can still be exchanged. */
export async function findSessionRow(
  db: Queryable,
  tokenHash: Buffer,
  now: Moment,
  mayBeExpired: boolean,
): Promise<{ id: number; user_id: number } | undefined> {
  const rows = await db.query<{ id: number; user_id: number }>(
    `select sessions.id, sessions.user_id
     from sessions
     where sessions.token_hash = $1 and sessions.ended_at is null
       and case when $3 then sessions.refreshable_until else sessions.expires_at end > $2`,
    [tokenHash, now, mayBeExpired],
  )
  return rows[0]
}

/** Opens a session and notes the login on the user. */
export async function insertSession(
  db: Queryable,
  userId: number,
  session: NewSession,
): Promise<void> {
  await db.query(
    `with seen as (update users set last_login_at = $3 where id = $1)
     insert into sessions (user_id, token_hash, created_at, expires_at, refreshable_until)
     values ($1, $2, $3, $4, $5)`,
    [userId, session.tokenHash, session.createdAt, session.expiresAt, session.refreshableUntil],
  )
}

/**
 * Ends a session and opens its successor in one statement. Of several at one time, one succeeds:
 * the others wait for its row lock and then find the session ended.
 */
export async function replaceSession(
  db: Queryable,
  sessionId: number,
  successor: NewSession,
): Promise<boolean> {
  const rows = await db.query<{ id: number }>(
    `with ended as (
       update sessions set ended_at = $3 where id = $1 and ended_at is null returning user_id
     )
     insert into sessions (user_id, token_hash, created_at, expires_at, refreshable_until)
     select ended.user_id, $2, $3, $4, $5 from ended
     returning id`,
    [
      sessionId,
      successor.tokenHash,
      successor.createdAt,
      successor.expiresAt,
      successor.refreshableUntil,
    ],
  )
  return rows.length > 0
}

/** False when it had ended before. */
export async function endSession(db: Queryable, sessionId: number, now: Moment): Promise<boolean> {
  const rows = await db.query<{ id: number }>(
    'update sessions set ended_at = $2 where id = $1 and ended_at is null returning id',
    [sessionId, now],
  )
  return rows.length > 0
}

/** Deletes up to `most` sessions that no token can bring back; gives how many. */
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
