import type { Queryable } from '../../../db/connect.ts'
import type { Client, Permission } from '../../../http/endpoint.ts'
import type { Page } from '../../../http/pages.ts'
import type { Moment } from '../../../http/timestamps.ts'

/** Of a session that began by single sign-on, how many factors the provider has checked. */
export type SignOnFactors = 1 | 2

/** When the session ends unless it is renewed; undefined when it has been ended. */
export async function findSessionEnd(
  db: Queryable,
  sessionId: number,
): Promise<{ expires_at: Moment; sign_on_factors: SignOnFactors | null } | undefined> {
  const rows = await db.query<{ expires_at: Moment; sign_on_factors: SignOnFactors | null }>(
    'select expires_at, sign_on_factors from sessions where id = $1 and ended_at is null',
    [sessionId],
  )
  return rows[0]
}

/** Ends the session that has this token, expired or not, and returns whose it was. */
export async function endSessionByToken(
  db: Queryable,
  tokenHash: Buffer,
  now: Moment,
): Promise<{ user_id: number; sign_on_factors: SignOnFactors | null } | undefined> {
  const rows = await db.query<{ user_id: number; sign_on_factors: SignOnFactors | null }>(
    `update sessions set ended_at = $2 where token_hash = $1 and ended_at is null
     returning user_id, sign_on_factors`,
    [tokenHash, now],
  )
  return rows[0]
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

/** A new token and its times. */
export interface NewToken {
  tokenHash: Buffer
  createdAt: Moment
  expiresAt: Moment
  refreshableUntil: Moment
}

/** A login as its user sees it. */
export interface SessionRow {
  id: number
  /** The time of the login; a refresh does not change it. */
  created_at: Moment
  last_used_at: Moment
  address: string | null
  user_agent: string | null
}

/**
 * A valid session, and the user's membership in one organization. `is_owner` is null when there is none,
 * or the organization is being deleted.
 */
export interface Admission {
  session_id: number
  user_id: number
  is_owner: boolean | null
  permissions: Permission[] | null
  /** The group to which the membership is limited. */
  group_id: number | null
  /** The organization's tenant. */
  tenant_id: number | null
  /** Requests a minute of the tenant; null: as many as usual. */
  request_limit: number | null
  /** Whether an administrator has ended the session's access to the organization. */
  is_ended: boolean
  /**
   * Whether the organization requires two-factor authentication that the user has not set up, and
   * that no provider has asked for at the sign-on.
   */
  lacks_two_factor: boolean
  /** Whether the recorded last use is more than a minute old. */
  is_use_old: boolean
}

/** The hash of a token, and the organization that it is used for. */
export interface AdmissionKey {
  /** Hexadecimal. */
  tokenHash: string
  organizationId: number
}

/**
 * Runs for every request of a member: three index lookups for each key, up to five where the organization
 * requires two-factor, one round trip for all.
 * Leaves invalid sessions out.
 */
export async function findAdmissions(
  db: Queryable,
  keys: AdmissionKey[],
  now: Moment,
): Promise<(Admission & { token_hash: string; organization_id: number })[]> {
  return db.query(
    `select asked.token_hash, asked.organization_id, sessions.id as session_id, sessions.user_id,
       case when organizations.deletion_id is null then members.is_owner end as is_owner,
       members.permissions, members.group_id, organizations.tenant_id,
       (select tenants.request_limit from organizations as tenants
        where tenants.id = organizations.tenant_id) as request_limit,
       coalesce(members.sessions_ended_at >= sessions.created_at, false) as is_ended,
       coalesce(organizations.requires_two_factor, false)
       and sessions.sign_on_factors is distinct from 2 and not exists (
         select from two_factors where two_factors.user_id = sessions.user_id
       ) and not exists (
         select from passkeys where passkeys.user_id = sessions.user_id
       ) as lacks_two_factor,
       sessions.last_used_at <= $3::timestamptz - interval '1 minute' as is_use_old
     from unnest($1::text[], $2::bigint[]) as asked (token_hash, organization_id)
     join sessions on sessions.token_hash = decode(asked.token_hash, 'hex')
     left join members on members.organization_id = asked.organization_id
       and members.user_id = sessions.user_id
     left join organizations on organizations.id = members.organization_id
     where sessions.ended_at is null and sessions.expires_at > $3`,
    [keys.map(({ tokenHash }) => tokenHash), keys.map(({ organizationId }) => organizationId), now],
  )
}

/** A valid session or, with `mayBeExpired`, one that can still be exchanged. */
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

/**
 * Opens a session and records the login on the user; false when the password has changed. A change
 * of the password waits for the user's row and then ends this session too.
 */
export async function insertSession(
  db: Queryable,
  user: { id: number; password_hash: string },
  token: NewToken,
  client: Client,
  signOnFactors?: SignOnFactors,
): Promise<boolean> {
  const rows = await db.query(
    `with seen as (
       update users set last_login_at = $3 where id = $1 and password_hash = $6 returning id
     )
     insert into sessions
       (user_id, token_hash, created_at, expires_at, refreshable_until, last_used_at, address,
       user_agent, sign_on_factors)
     select seen.id, $2, $3, $4, $5, $3, $7, $8, $9 from seen
     returning id`,
    [
      user.id,
      token.tokenHash,
      token.createdAt,
      token.expiresAt,
      token.refreshableUntil,
      user.password_hash,
      client.clientIp,
      client.userAgent,
      signOnFactors,
    ],
  )
  return rows.length > 0
}

/**
 * Gives a session a new token that ends at most 90 days after the login. Returns its end, or
 * undefined once the 90 days are over. Of several calls at the same time one succeeds: the others
 * wait for the row lock and then find another token. Removes a two-factor set-up that the former
 * token has begun.
 */
export async function replaceToken(
  db: Queryable,
  tokenHash: Buffer,
  token: NewToken,
): Promise<Moment | undefined> {
  const rows = await db.query<{ expires_at: Moment }>(
    `with replaced as (
       update sessions
       set token_hash = $2, last_used_at = $3,
         expires_at = least($4, created_at + interval '2160 hours'),
         refreshable_until = least($5, created_at + interval '2160 hours')
       where token_hash = $1 and ended_at is null
         and created_at + interval '2160 hours' > $3
       returning id, expires_at
     ), forgotten as (
       delete from two_factor_tokens using replaced where two_factor_tokens.session_id = replaced.id
     )
     select expires_at from replaced`,
    [tokenHash, token.tokenHash, token.createdAt, token.expiresAt, token.refreshableUntil],
  )
  return rows[0]?.expires_at
}

/** Records who used the session, unless that was done within the last minute. */
export async function noteUse(
  db: Queryable,
  sessionId: number,
  client: Client,
  now: Moment,
): Promise<void> {
  await db.query(
    `update sessions set last_used_at = $2, address = $3, user_agent = $4
     where id = $1 and last_used_at <= $2::timestamptz - interval '1 minute'`,
    [sessionId, now, client.clientIp, client.userAgent],
  )
}

/** A page of the user's sessions that are valid or refreshable, latest login first. */
export async function listSessionPage(
  db: Queryable,
  userId: number,
  page: Page,
  now: Moment,
): Promise<{ total: number; sessions: SessionRow[] }> {
  const isLive = 'user_id = $1 and ended_at is null and refreshable_until > $2'
  const [count] = await db.query<{ total: number }>(
    `select count(*) as total from sessions where ${isLive}`,
    [userId, now],
  )
  const sessions = await db.query<SessionRow>(
    `select id, created_at, last_used_at, address, user_agent from sessions
     where ${isLive} order by id desc limit $3 offset $4`,
    [userId, now, page.size, (page.number - 1) * page.size],
  )
  return { total: count?.total ?? 0, sessions }
}

/** Ends a session of the user; false when there is no such session. */
export async function endSessionOf(
  db: Queryable,
  userId: number,
  sessionId: number,
  now: Moment,
): Promise<boolean> {
  const rows = await db.query(
    `update sessions set ended_at = $3
     where user_id = $1 and id = $2 and ended_at is null and refreshable_until > $3
     returning id`,
    [userId, sessionId, now],
  )
  return rows.length > 0
}

/** Ends all sessions of the user, except `except`. */
export async function endSessionsOf(
  db: Queryable,
  userId: number,
  except: number | undefined,
  now: Moment,
): Promise<void> {
  await db.query(
    `update sessions set ended_at = $3
     where user_id = $1 and id is distinct from $2 and ended_at is null`,
    [userId, except, now],
  )
}
