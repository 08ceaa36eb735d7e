import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

export type AccountStatus = 'connected' | 'unreachable' | 'refused'
/**
 * Says whose account a thing belongs to: the operator's, the organization's first one at the network,
 * or one that it has named (`account-name.ts`). Network, register method and organization together are
 * the key of an account in all tables.
 */
export type RegisterMethod = 'vendor' | 'user_account' | `user_account:${string}`

/** The account of an organization at a network. Its secrets are sealed. */
export interface StoredAccount {
  id: number
  organization_id: number
  network: string
  register_method: RegisterMethod
  uuid: string
  account_fields: Record<string, string>
  sealed_secrets: Buffer
  status: AccountStatus
  /**
   * The last error from the network's API, or its request to slow down; empty when nothing is
   * wrong.
   */
  status_message: string
  /** Since when it is unreachable or refused. */
  status_since: Moment
  /** Why the callback is not entered at the network; empty when nothing is wrong. */
  callback_message: string
  /** Why the broker is not followed. Empty while it is followed, null until this is known. */
  broker_message: string | null
  broker_since: Moment | null
  /** The id of the session in which its broker keeps messages. */
  broker_session: string
  /** The process that follows the broker. */
  subscriber: string | null
  sealed_callback_secret: Buffer
  /** Changes with every change of the account's values. */
  updated_at: string
  created_at: Moment
  callback_heard_at: Moment | null
  callback_checked_at: Moment | null
  broker_heard_at: Moment | null
}

const columns = `id, organization_id, network, register_method, uuid, account_fields,
  sealed_secrets, status, status_message, status_since, callback_message, broker_message, broker_since,
  broker_session, subscriber, sealed_callback_secret, updated_at, created_at, callback_heard_at,
  callback_checked_at, broker_heard_at`

export function list(db: Queryable, organizationId: number): Promise<StoredAccount[]> {
  return db.query<StoredAccount>(
    `select ${columns} from network_accounts where organization_id = $1 order by id`,
    [organizationId],
  )
}

export async function find(
  db: Queryable,
  organizationId: number,
  network: string,
  registerMethod: RegisterMethod,
): Promise<StoredAccount | undefined> {
  const accounts = await db.query<StoredAccount>(
    `select ${columns} from network_accounts
     where organization_id = $1 and network = $2 and register_method = $3`,
    [organizationId, network, registerMethod],
  )
  return accounts[0]
}

/** For background work that was claimed for this account: no organization makes the request. */
export async function findById(db: Queryable, id: number): Promise<StoredAccount | undefined> {
  const accounts = await db.query<StoredAccount>(
    `select ${columns} from network_accounts where id = $1`,
    [id],
  )
  return accounts[0]
}

interface AccountSecrets {
  sealedSecrets: Buffer
  accountFields: Record<string, string>
}

/** Inserts an account without secrets. They are sealed afterwards, under its id. */
export async function insert(
  tx: Queryable,
  organizationId: number,
  account: { network: string; registerMethod: RegisterMethod; callbackHash: Buffer },
): Promise<StoredAccount | undefined> {
  const accounts = await tx.query<StoredAccount>(
    `insert into network_accounts (
       organization_id, network, register_method, account_fields, sealed_secrets, status,
       status_message, sealed_callback_secret, callback_hash
     )
     values ($1, $2, $3, '{}', '', 'unreachable', '', '', $4)
     on conflict do nothing
     returning ${columns}`,
    [organizationId, account.network, account.registerMethod, account.callbackHash],
  )
  return accounts[0]
}

export async function setValues(
  tx: Queryable,
  accountId: number,
  { accountFields, sealedSecrets }: AccountSecrets,
): Promise<void> {
  await tx.query(
    `update network_accounts
     set account_fields = $2, sealed_secrets = $3, updated_at = clock_timestamp(), failures = 0,
       paused_until = null, call_interval_ms = null, next_call_at = null, broker_message = null
     where id = $1`,
    [accountId, JSON.stringify(accountFields), sealedSecrets],
  )
}

/**
 * Stores the sealed callback secret of an account that was just inserted with the secret's hash.
 */
export async function setCallbackSecret(
  tx: Queryable,
  accountId: number,
  sealed: Buffer,
): Promise<void> {
  await tx.query('update network_accounts set sealed_callback_secret = $2 where id = $1', [
    accountId,
    sealed,
  ])
}

/** The most former callback secrets of an account that may be valid at one time. */
const mostFormer = 10

/**
 * Gives the account a new callback secret. The previous secret stays valid until `until`, as do the
 * former ones until their own ends. With `endsFormer`, only the new secret is valid. Returns false
 * when too many secrets are valid, or the account is gone.
 */
export async function rotateCallbackSecret(
  db: Queryable,
  accountId: number,
  secret: { sealed: Buffer; hash: Buffer },
  { now, until, endsFormer }: { now: Date; until: Date; endsFormer: boolean },
): Promise<boolean> {
  const rotated = await db.query(
    `update network_accounts
     set sealed_callback_secret = $2, callback_hash = $3,
       former_callbacks = case when $6 then '[]' else
         jsonb_path_query_array(former_callbacks, '$[*] ? (@.until > $now)', $4)
         || jsonb_build_object(
           'hash', encode(callback_hash, 'hex'),
           'until', extract(epoch from $5::timestamptz) * 1000
         )
       end
     where id = $1 and ($6 or jsonb_array_length(
       jsonb_path_query_array(former_callbacks, '$[*] ? (@.until > $now)', $4)) < $7)
     returning id`,
    [accountId, secret.sealed, secret.hash, { now: now.getTime() }, until, endsFormer, mostFormer],
  )
  return rotated.length > 0
}

/**
 * Records that the network has carried out a request. Returns true when this changes the account. A
 * refused account stays refused until the whole account is proven, because the call may not need
 * the missing right.
 */
export async function noteConnected(
  db: Queryable,
  accountId: number,
  isProven: boolean,
): Promise<boolean> {
  const changed = await db.query(
    `update network_accounts
     set status = 'connected', status_message = '', failures = 0, paused_until = null
     where id = $1 and (status <> 'connected' or status_message <> '' or failures > 0)
       and ($2 or status <> 'refused')
     returning id`,
    [accountId, isProven],
  )
  return changed.length > 0
}

/** Returns the account that was removed. */
export async function remove(
  db: Queryable,
  organizationId: number,
  network: string,
  registerMethod: RegisterMethod,
): Promise<StoredAccount | undefined> {
  const accounts = await db.query<StoredAccount>(
    `delete from network_accounts
     where organization_id = $1 and network = $2 and register_method = $3
     returning ${columns}`,
    [organizationId, network, registerMethod],
  )
  return accounts[0]
}

/** Returns the account, locked until the transaction ends. */
export async function lock(tx: Queryable, id: number): Promise<StoredAccount | undefined> {
  const accounts = await tx.query<StoredAccount>(
    `select ${columns} from network_accounts where id = $1 for update`,
    [id],
  )
  return accounts[0]
}

/** Gives the account a new session id at its broker. */
export async function changeSession(tx: Queryable, id: number): Promise<void> {
  await tx.query('update network_accounts set broker_session = gen_random_uuid() where id = $1', [
    id,
  ])
}

export interface AccountStanding {
  network: string
  register_method: RegisterMethod
  /** False for an account of the operator that the organization may use. */
  is_own: boolean
  status: AccountStatus
  status_message: string
}

/** Returns the accounts through which the organization can register, with their status. */
export function listStandings(db: Queryable, organizationId: number): Promise<AccountStanding[]> {
  return db.query<AccountStanding>(
    `select network, register_method, organization_id = $1 as is_own, status, status_message
     from network_accounts where organization_id = $1 or register_method = 'vendor'`,
    [organizationId],
  )
}
