import type { Queryable } from '../../db/connect.ts'
import { living } from '../../db/presence.ts'
import type { StoredAccount } from '../../features/accounts/connections/account-queries.ts'

/** An account, and the tenant of its organization. */
export type FollowedAccount = StoredAccount & { tenant_id: number }

/** SQL: nothing is taken for an organization that is being deleted. */
const isWanted = `account_fields ? 'mqtt_url' and not exists (
  select from organizations where organizations.id = organization_id and deletion_id is not null
)`

/** Takes every account that names a broker and that no living process follows. */
export async function takeFree(db: Queryable, holder: string): Promise<void> {
  await db.query(
    `update network_accounts set subscriber = $1
     where ${isWanted} and subscriber is distinct from $1
       and (subscriber is null or subscriber not in ${living})`,
    [holder],
  )
}

/** Shows whether this process follows the current version of an account. */
export interface Held {
  id: number
  updated_at: string
  /** The time of the last uplink by the callback, in milliseconds since 1970. */
  callback_heard_at: number | null
}

export function listHeld(db: Queryable, holder: string): Promise<Held[]> {
  return db.query<Held>(
    `select id, updated_at,
       (extract(epoch from callback_heard_at) * 1000)::float8 as callback_heard_at
     from network_accounts
     where subscriber = $1 and ${isWanted}`,
    [holder],
  )
}

export function findFollowed(db: Queryable, ids: readonly number[]): Promise<FollowedAccount[]> {
  return db.query<FollowedAccount>(
    `select id, organization_id, network, register_method, uuid, account_fields, sealed_secrets,
       status, status_message, status_since, callback_message, broker_message, broker_since,
       broker_session, subscriber,
       sealed_callback_secret, updated_at, created_at, callback_heard_at, callback_checked_at,
       broker_heard_at,
       (select tenant_id from organizations where organizations.id = organization_id) as tenant_id
     from network_accounts
     where id = any($1::bigint[])`,
    [ids],
  )
}

/** Releases the accounts, so that another process can take them without waiting. */
export async function releaseHeld(db: Queryable, holder: string): Promise<void> {
  await db.query('update network_accounts set subscriber = null where subscriber = $1', [holder])
}

/**
 * Stores the state of the broker, unless the account has changed since. Empty words mean that all
 * is well.
 */
export async function noteBroker(
  db: Queryable,
  { id, updated_at }: Pick<StoredAccount, 'id' | 'updated_at'>,
  words: string,
): Promise<void> {
  await db.query(
    `update network_accounts
     set broker_message = $3,
       broker_since = case when broker_message <> '' then broker_since else now() end
     where id = $1 and updated_at = $2 and broker_message is distinct from $3`,
    [id, updated_at, words],
  )
}

/** Whether the state of the broker is unknown and some living process will find it out. */
export async function isBrokerAwaited(db: Queryable, accountId: number): Promise<boolean> {
  const [account] = await db.query<{ is_awaited: boolean }>(
    `select broker_message is null and account_fields ? 'mqtt_url' and exists ${living} as is_awaited
     from network_accounts where id = $1`,
    [accountId],
  )
  return account?.is_awaited ?? false
}
