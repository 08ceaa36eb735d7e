import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

/** A passkey as its user sees it. */
export interface PasskeyRow {
  id: number
  name: string
  created_at: Moment
  last_used_at: Moment | null
}

/** What a browser needs to find a passkey. */
export interface PasskeyPlace {
  credential_id: Buffer
  transports: string[]
}

/** A passkey that signs. */
export interface PasskeyKey extends PasskeyPlace {
  id: number
  public_key: Buffer
  counter: number
}

export type NewPasskey = Omit<PasskeyKey, 'id'> & { name: string }

const columns = 'id, name, created_at, last_used_at'

/** All of the user, oldest first. */
export async function listPasskeysOf(db: Queryable, userId: number): Promise<PasskeyRow[]> {
  return db.query(`select ${columns} from passkeys where user_id = $1 order by id`, [userId])
}

export async function listPasskeyPlaces(db: Queryable, userId: number): Promise<PasskeyPlace[]> {
  return db.query('select credential_id, transports from passkeys where user_id = $1 order by id', [
    userId,
  ])
}

/** Locks the user, so that whoever counts what the user has counts right. */
export async function lockUser(tx: Queryable, userId: number): Promise<void> {
  await tx.query('select 1 from users where id = $1 for update', [userId])
}

/** Undefined when the passkey is registered already, by anybody. */
export async function insertPasskey(
  tx: Queryable,
  userId: number,
  passkey: NewPasskey,
  now: Moment,
): Promise<PasskeyRow | undefined> {
  const rows = await tx.query<PasskeyRow>(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (credential_id) do nothing
     returning ${columns}`,
    [
      userId,
      passkey.name,
      passkey.credential_id,
      passkey.public_key,
      passkey.counter,
      passkey.transports,
      now,
    ],
  )
  return rows[0]
}

export async function renamePasskey(
  db: Queryable,
  userId: number,
  id: number,
  name: string,
): Promise<PasskeyRow | undefined> {
  const rows = await db.query<PasskeyRow>(
    `update passkeys set name = $3 where user_id = $1 and id = $2 returning ${columns}`,
    [userId, id, name],
  )
  return rows[0]
}

/** Removes a passkey; false when the user has no such one. */
export async function deletePasskey(tx: Queryable, userId: number, id: number): Promise<boolean> {
  const rows = await tx.query('delete from passkeys where user_id = $1 and id = $2 returning id', [
    userId,
    id,
  ])
  return rows.length > 0
}

/** The user's passkey, locked until the transaction ends so that signatures are counted one by one. */
export async function lockPasskey(
  tx: Queryable,
  userId: number,
  credentialId: Buffer,
): Promise<PasskeyKey | undefined> {
  const rows = await tx.query<PasskeyKey>(
    `select id, credential_id, public_key, counter, transports from passkeys
     where user_id = $1 and credential_id = $2 for update`,
    [userId, credentialId],
  )
  return rows[0]
}

export async function savePasskeyUse(
  tx: Queryable,
  id: number,
  counter: number,
  now: Moment,
): Promise<void> {
  await tx.query('update passkeys set counter = $2, last_used_at = $3 where id = $1', [
    id,
    counter,
    now,
  ])
}

/** A login that has passed the password or the sign-on. */
export interface WaitingLogin {
  tokenHash: Buffer
  userId: number
}

/** Stores what a passkey is to sign for this login. Of the user, the newest `most` are kept. */
export async function saveChallenge(
  tx: Queryable,
  { tokenHash, userId }: WaitingLogin,
  { challenge, expiresAt, most }: { challenge: string; expiresAt: Moment; most: number },
): Promise<void> {
  await tx.query(
    `insert into passkey_challenges (token_hash, user_id, challenge, expires_at)
     values ($1, $2, $3, $4)
     on conflict (token_hash) do update
     set challenge = excluded.challenge, expires_at = excluded.expires_at`,
    [tokenHash, userId, challenge, expiresAt],
  )
  await tx.query(
    `delete from passkey_challenges where token_hash in (
       select token_hash from passkey_challenges
       where user_id = $1 order by expires_at desc, token_hash offset $2
     )`,
    [userId, most],
  )
}

/** Removes the challenge and returns it: it is good for one try. */
export async function takeChallenge(
  tx: Queryable,
  { tokenHash, userId }: WaitingLogin,
  now: Moment,
): Promise<string | undefined> {
  const rows = await tx.query<{ challenge: string; is_valid: boolean }>(
    `delete from passkey_challenges where token_hash = $1 and user_id = $2
     returning challenge, expires_at > $3 as is_valid`,
    [tokenHash, userId, now],
  )
  return rows[0]?.is_valid ? rows[0].challenge : undefined
}
