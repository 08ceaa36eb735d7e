import type { Queryable } from '../../db/connect.ts'

/** The current secret, and the former ones that are still valid. */
export interface SecretHashes {
  hash: Buffer
  /** `hash` is hexadecimal. `until` is in milliseconds since 1970. */
  former: { hash: string; until: number }[]
}

interface AccountRow extends SecretHashes {
  id: number
  uuid: string
  organization_id: number
  tenant_id: number
  network: string
  register_method: string
}

export function findCallbackAccounts(db: Queryable, uuids: string[]): Promise<AccountRow[]> {
  return db.query<AccountRow>(
    `select accounts.id, accounts.uuid, accounts.organization_id, organizations.tenant_id,
       accounts.network, accounts.register_method, accounts.callback_hash as hash,
       accounts.former_callbacks as former
     from network_accounts as accounts
     join organizations on organizations.id = accounts.organization_id
       and organizations.deletion_id is null
     where accounts.uuid = any($1::uuid[])`,
    [uuids],
  )
}

interface GatewayRow extends Omit<SecretHashes, 'hash'> {
  id: number
  organization_id: number
  tenant_id: number
  eui: string
  hash: Buffer | null
}

export async function findGateway(db: Queryable, uuid: string): Promise<GatewayRow | undefined> {
  const gateways = await db.query<GatewayRow>(
    `select gateways.id, gateways.organization_id, organizations.tenant_id, gateways.eui,
       gateways.token_hash as hash, gateways.former_tokens as former
     from gateways
     join organizations on organizations.id = gateways.organization_id
       and organizations.deletion_id is null
     where gateways.uuid = $1 and gateways.deleted_at is null`,
    [uuid],
  )
  return gateways[0]
}

const statements = {
  callback: 'update network_accounts set callback_heard_at = $2 where id = $1',
  broker: 'update network_accounts set broker_heard_at = $2 where id = $1',
} as const

/** Stores the time of the last uplink of an account, for its callback or its broker. */
export async function setUplinkTime(
  db: Queryable,
  accountId: number,
  way: keyof typeof statements,
  time: Date,
): Promise<void> {
  await db.query(statements[way], [accountId, time])
}

/** How often a member was left out, and what was there at last. */
interface UnreadCount {
  count: number
  example: string
  last_at: string
}

/** By member. */
export type UnreadMembers = Record<string, UnreadCount>

/** Adds counts to those of the account; the last example wins. */
export async function addUnread(
  db: Queryable,
  accountId: number,
  members: UnreadMembers,
): Promise<void> {
  await db.query(
    `update network_accounts as accounts
     set unread_members = accounts.unread_members || (
       select jsonb_object_agg(given.member, given.added || jsonb_build_object('count',
         coalesce((accounts.unread_members -> given.member ->> 'count')::bigint, 0)
           + (given.added ->> 'count')::bigint))
       from jsonb_each($2::jsonb) as given (member, added)
     )
     where id = $1`,
    [accountId, JSON.stringify(members)],
  )
}
