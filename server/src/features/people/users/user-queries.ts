import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { OwnFormats, SomeOwnFormats } from '../../../lora/formats.ts'
import { normalEmail } from './emails.ts'

/** A user as records show one. */
export interface User {
  id: number
  email: string
  first_name: string
  last_name: string
  timezone_format: string
  timezone_id: number
  /** Somebody else has set the password. */
  must_change_password: boolean
}

/** The signed-in user, with the password hash. */
export interface OwnUser extends User {
  /** Of the times that the user reads; null for that of the browser. */
  time_zone: string | null
  /** Those that were ever set. */
  formats: Partial<OwnFormats>
  password_hash: string
}

export interface NewUser {
  email: string
  passwordHash: string
  /** Somebody else has set the password. */
  mustChangePassword: boolean
  firstName: string
  lastName: string
}

export interface Credentials {
  id: number
  password_hash: string
  must_change_password: boolean
}

/** The user with the e-mail address, in any spelling. */
export async function findCredentials(
  db: Queryable,
  email: string,
): Promise<Credentials | undefined> {
  const rows = await db.query<Credentials>(
    `select id, password_hash, must_change_password from users where normal_email = $1`,
    [normalEmail(email)],
  )
  return rows[0]
}

export async function findUser(db: Queryable, userId: number): Promise<OwnUser | undefined> {
  const rows = await db.query<OwnUser>(
    `select id, email, password_hash, first_name, last_name, timezone_format, timezone_id, time_zone,
       formats, must_change_password
     from users where id = $1`,
    [userId],
  )
  return rows[0]
}

/** Inserts a user and returns the id; undefined when the e-mail is taken. */
export async function insertUser(
  db: Queryable,
  user: NewUser,
  now: Moment,
): Promise<number | undefined> {
  const rows = await db.query<{ id: number }>(
    `insert into users
       (email, normal_email, password_hash, must_change_password, first_name, last_name, created_at,
       updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict (normal_email) do nothing
     returning id`,
    [
      user.email,
      normalEmail(user.email),
      user.passwordHash,
      user.mustChangePassword,
      user.firstName,
      user.lastName,
      now,
    ],
  )
  return rows[0]?.id
}

/** Whether the address is the user's own, in any spelling. */
export async function isEmailOf(db: Queryable, userId: number, email: string): Promise<boolean> {
  const rows = await db.query('select 1 from users where id = $1 and normal_email = $2', [
    userId,
    normalEmail(email),
  ])
  return rows.length > 0
}

/**
 * Replaces the password and removes codes for a new one. False when the password is no longer
 * `from`.
 */
export async function replacePassword(
  tx: Queryable,
  userId: number,
  hashes: { from: string; to: string },
  now: Moment,
): Promise<boolean> {
  const rows = await tx.query(
    `with changed as (
       update users set password_hash = $3, must_change_password = false, updated_at = $4
       where id = $1 and password_hash = $2
       returning id
     ), forgotten as (
       delete from password_resets using changed where password_resets.user_id = changed.id
     )
     select id from changed`,
    [userId, hashes.from, hashes.to, now],
  )
  return rows.length > 0
}

/**
 * Sets the password and removes codes for a new one. `mustChange` tells that somebody else sets it.
 */
export async function setPassword(
  tx: Queryable,
  userId: number,
  given: { passwordHash: string; mustChange: boolean },
  now: Moment,
): Promise<void> {
  await Promise.all([
    tx.query('delete from password_resets where user_id = $1', [userId]),
    tx.query(
      `update users set password_hash = $2, must_change_password = $3, updated_at = $4
       where id = $1`,
      [userId, given.passwordHash, given.mustChange, now],
    ),
  ])
}

/** A list of users by id, with the organizations that they own. */
export async function listUsers(
  db: Queryable,
  search: string,
  most: number,
): Promise<{ id: number; email: string; owned: string | null }[]> {
  return db.query(
    `select users.id, users.email,
       (select string_agg(organizations.name, ', ' order by organizations.id)
        from members join organizations on organizations.id = members.organization_id
        where members.user_id = users.id and members.is_owner) as owned
     from users
     where strpos(lower(users.first_name || ' ' || users.last_name || ' ' || users.email),
       lower($1)) > 0
     order by users.id limit $2`,
    [search, most],
  )
}

export async function changeFormats(
  db: Queryable,
  userId: number,
  changes: SomeOwnFormats,
  now: Moment,
): Promise<void> {
  await db.query('update users set formats = formats || $2::jsonb, updated_at = $3 where id = $1', [
    userId,
    JSON.stringify(changes),
    now,
  ])
}

export async function setTimeZone(
  db: Queryable,
  userId: number,
  timeZone: string | null,
  now: Moment,
): Promise<void> {
  await db.query('update users set time_zone = $2, updated_at = $3 where id = $1', [
    userId,
    timeZone,
    now,
  ])
}

/** Changes the names that are given. */
export async function renameUser(
  db: Queryable,
  userId: number,
  names: { firstName: string | undefined; lastName: string | undefined },
  now: Moment,
): Promise<void> {
  await db.query(
    `update users
     set first_name = coalesce($2, first_name), last_name = coalesce($3, last_name),
       updated_at = $4
     where id = $1`,
    [userId, names.firstName, names.lastName, now],
  )
}
