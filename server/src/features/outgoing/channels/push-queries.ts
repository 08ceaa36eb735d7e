import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

/** A browser of a user that shows messages. */
export interface StoredSubscription {
  id: number
  user_id: number
  sealed_subscription: Buffer
  name: string
  last_sent_at: Moment | null
  created_at: Moment
}

const columns = 'id, user_id, sealed_subscription, name, last_sent_at, created_at'

export function list(db: Queryable, userId: number): Promise<StoredSubscription[]> {
  return db.query<StoredSubscription>(
    `select ${columns} from push_subscriptions where user_id = $1 order by id`,
    [userId],
  )
}

export async function allotId(tx: Queryable): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('push_subscriptions', 'id')) as id`,
  )
  return rows[0]?.id ?? 0
}

/** A browser has one subscription: it takes the place of what the browser had, of whomever. */
export async function insert(
  tx: Queryable,
  subscription: {
    id: number
    userId: number
    hash: Buffer
    sealed: Buffer
    name: string
    now: Date
  },
): Promise<void> {
  const { id, userId, hash, sealed, name, now } = subscription
  await tx.query('delete from push_subscriptions where endpoint_hash = $1', [hash])
  await tx.query(
    `insert into push_subscriptions
       (id, user_id, endpoint_hash, sealed_subscription, name, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [id, userId, hash, sealed, name, now],
  )
}

/** Deletes the oldest ones of a user above a number. */
export async function keepNewest(tx: Queryable, userId: number, most: number): Promise<void> {
  await tx.query(
    `delete from push_subscriptions where user_id = $1 and id not in (
       select id from push_subscriptions where user_id = $1 order by id desc limit $2
     )`,
    [userId, most],
  )
}

export async function remove(db: Queryable, userId: number, id: number): Promise<boolean> {
  const rows = await db.query(
    'delete from push_subscriptions where user_id = $1 and id = $2 returning id',
    [userId, id],
  )
  return rows.length > 0
}

export async function noteSent(db: Queryable, id: number, now: Date): Promise<void> {
  await db.query('update push_subscriptions set last_sent_at = $2 where id = $1', [id, now])
}

interface StoredKeys {
  public_key: string
  sealed_private_key: Buffer
}

export async function findKeys(db: Queryable): Promise<StoredKeys | undefined> {
  const rows = await db.query<StoredKeys>(
    'select public_key, sealed_private_key from push_keys where id = 1',
  )
  return rows[0]
}

/** The first ones stay. */
export async function insertKeys(db: Queryable, keys: StoredKeys): Promise<void> {
  await db.query(
    `insert into push_keys (id, public_key, sealed_private_key) values (1, $1, $2)
     on conflict do nothing`,
    [keys.public_key, keys.sealed_private_key],
  )
}
