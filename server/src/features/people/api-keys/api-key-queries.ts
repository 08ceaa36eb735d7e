import type { Queryable } from '../../../db/connect.ts'
import type { Permission } from '../../../http/endpoint.ts'
import type { Moment } from '../../../http/timestamps.ts'

/** What a member chooses. */
export interface ApiKeyValues {
  name: string
  permissions: readonly Permission[]
  group_id: number | null
  tag: string | null
  networks: readonly string[]
  expires_at: Date | null
}

/** A key without its secret. */
export interface ApiKey extends Omit<ApiKeyValues, 'expires_at'> {
  id: number
  expires_at: Moment | null
  key_end: string
  former_until: Moment | null
  created_by: number
  first_name: string
  last_name: string
  email: string
  /** Whether who made it is still a member. */
  is_member: boolean
  created_at: Moment
  updated_at: Moment
  last_used_at: Moment | null
  last_address: string | null
  last_user_agent: string | null
}

/** A new secret, of which only the hash and the end are stored. */
export interface NewSecret {
  hash: Buffer
  end: string
}

const listed = `select api_keys.id, api_keys.name, api_keys.permissions, api_keys.group_id,
    api_keys.tag, api_keys.networks, api_keys.expires_at, api_keys.key_end, api_keys.former_until,
    api_keys.created_by, users.first_name, users.last_name, users.email,
    members.user_id is not null as is_member, api_keys.created_at, api_keys.updated_at,
    api_keys.last_used_at, api_keys.last_address, api_keys.last_user_agent
  from api_keys
  join users on users.id = api_keys.created_by
  left join members on members.organization_id = api_keys.organization_id
    and members.user_id = api_keys.created_by
  where api_keys.organization_id = $1`

export function list(db: Queryable, organizationId: number): Promise<ApiKey[]> {
  return db.query<ApiKey>(`${listed} order by api_keys.id`, [organizationId])
}

export async function find(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<ApiKey | undefined> {
  const rows = await db.query<ApiKey>(`${listed} and api_keys.id = $2`, [organizationId, id])
  return rows[0]
}

/** Like `find`, and locks the key until the transaction ends. */
export async function lock(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<ApiKey | undefined> {
  await tx.query('select from api_keys where organization_id = $1 and id = $2 for update', [
    organizationId,
    id,
  ])
  return find(tx, organizationId, id)
}

/** Locks the organization's keys against others that are made at once, and counts them. */
export async function countLocked(tx: Queryable, organizationId: number): Promise<number> {
  await tx.query('select from organizations where id = $1 for no key update', [organizationId])
  const rows = await tx.query<{ count: number }>(
    'select count(*) from api_keys where organization_id = $1',
    [organizationId],
  )
  return rows[0]?.count ?? 0
}

/** Returns the id of the new key. */
export async function insert(
  tx: Queryable,
  organizationId: number,
  key: ApiKeyValues & { secret: NewSecret; userId: number; now: Date },
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into api_keys (
       organization_id, name, permissions, group_id, tag, networks, expires_at, key_hash, key_end,
       created_by, created_at, updated_at
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
     returning id`,
    [organizationId, ...valuesOf(key), key.secret.hash, key.secret.end, key.userId, key.now],
  )
  return rows[0]?.id ?? 0
}

export async function update(
  tx: Queryable,
  organizationId: number,
  key: ApiKeyValues & { id: number; now: Date },
): Promise<void> {
  await tx.query(
    `update api_keys
     set name = $3, permissions = $4, group_id = $5, tag = $6, networks = $7, expires_at = $8,
       updated_at = $9
     where organization_id = $1 and id = $2`,
    [organizationId, key.id, ...valuesOf(key), key.now],
  )
}

function valuesOf(key: ApiKeyValues): unknown[] {
  return [key.name, key.permissions, key.group_id, key.tag, key.networks, key.expires_at]
}

/** The present secret becomes the former one. */
export async function rotate(
  tx: Queryable,
  organizationId: number,
  key: { id: number; secret: NewSecret; until: Date; now: Date },
): Promise<void> {
  await tx.query(
    `update api_keys
     set former_hash = key_hash, former_until = $5, key_hash = $3, key_end = $4, updated_at = $6
     where organization_id = $1 and id = $2`,
    [organizationId, key.id, key.secret.hash, key.secret.end, key.until, key.now],
  )
}

/** Returns whether there was one. */
export async function remove(db: Queryable, organizationId: number, id: number): Promise<boolean> {
  const rows = await db.query(
    'delete from api_keys where organization_id = $1 and id = $2 returning id',
    [organizationId, id],
  )
  return rows.length > 0
}
