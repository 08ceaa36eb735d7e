import type { Queryable } from '../../db/connect.ts'

export type AccountStatus = 'connected' | 'unreachable' | 'refused'
export type RegisterMethod = 'user_account' | 'vendor'

/** An organization's account at a network, secrets sealed. */
export interface StoredAccount {
  id: number
  organization_id: number
  network: string
  register_method: RegisterMethod
  uuid: string
  account_fields: Record<string, string>
  sealed_secrets: Buffer
  status: AccountStatus
  status_message: string
  sealed_callback_secret: Buffer
  /** Changes with every change of the account's values. */
  updated_at: string
}

const columns = `id, organization_id, network, register_method, uuid, account_fields,
  sealed_secrets, status, status_message, sealed_callback_secret, updated_at`

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

/** For work that an account's own task was claimed for; no tenant is calling. */
export async function findById(db: Queryable, id: number): Promise<StoredAccount | undefined> {
  const accounts = await db.query<StoredAccount>(
    `select ${columns} from network_accounts where id = $1`,
    [id],
  )
  return accounts[0]
}

export interface AccountSecrets {
  sealedSecrets: Buffer
  accountFields: Record<string, string>
}

/** Inserts an account whose secrets are sealed afterwards, under its id. */
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
     set account_fields = $2, sealed_secrets = $3, updated_at = clock_timestamp()
     where id = $1`,
    [accountId, JSON.stringify(accountFields), sealedSecrets],
  )
}

/** Gives the account another callback secret; the one before is valid until `previousUntil`. */
export async function setCallbackSecret(
  tx: Queryable,
  accountId: number,
  secret: { sealed: Buffer; hash: Buffer; previousUntil: Date | null },
): Promise<void> {
  await tx.query(
    `update network_accounts
     set sealed_callback_secret = $2,
       previous_callback_hash = case when $4::timestamptz is null then null else callback_hash end,
       previous_callback_until = $4, callback_hash = $3
     where id = $1`,
    [accountId, secret.sealed, secret.hash, secret.previousUntil],
  )
}

/** What the last call showed of the account; true when that is news. */
export async function noteStatus(
  db: Queryable,
  accountId: number,
  status: AccountStatus,
  message: string,
): Promise<boolean> {
  const changed = await db.query(
    `update network_accounts set status = $2, status_message = $3
     where id = $1 and (status <> $2 or status_message <> $3)
     returning id`,
    [accountId, status, message],
  )
  return changed.length > 0
}

export async function remove(
  db: Queryable,
  organizationId: number,
  network: string,
  registerMethod: RegisterMethod,
): Promise<boolean> {
  const rows = await db.query(
    `delete from network_accounts
     where organization_id = $1 and network = $2 and register_method = $3
     returning id`,
    [organizationId, network, registerMethod],
  )
  return rows.length > 0
}

export interface CallbackRow {
  id: number
  uuid: string
  organization_id: number
  network: string
  register_method: RegisterMethod
  callback_hash: Buffer
  previous_callback_hash: Buffer | null
  previous_until: number | null
}

/** What a callback is checked against, for the accounts of these uuids. */
export function findForCallbacks(db: Queryable, uuids: string[]): Promise<CallbackRow[]> {
  return db.query<CallbackRow>(
    `select id, uuid, organization_id, network, register_method, callback_hash,
       previous_callback_hash,
       (extract(epoch from previous_callback_until) * 1000)::double precision as previous_until
     from network_accounts
     where uuid = any($1::uuid[])`,
    [uuids],
  )
}
