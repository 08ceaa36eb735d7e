import type { Queryable } from '../../../db/connect.ts'
import type { Client, Permission } from '../../../http/endpoint.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { type Reference, referredDevice } from '../../fleet/inventory/references.ts'
import { havingTag } from '../../fleet/inventory/tags.ts'

/** A key that is valid, or was until it expired, as its requests need it. */
export interface KeyAdmission {
  organization_id: number
  /** The hash that was asked for, in hexadecimal. */
  asked_hash: string
  id: number
  name: string
  permissions: Permission[]
  group_id: number | null
  tag: string | null
  networks: string[]
  user_id: number
  /** The organization's tenant. */
  tenant_id: number
  /** Requests a minute of the tenant; null: as many as usual. */
  request_limit: number | null
  /** Whether the recorded last use is more than a minute old. */
  is_use_old: boolean
  is_expired: boolean
}

/** The hash of a key, and the organization that the key names. */
export interface AskedKey {
  organizationId: number
  /** Hexadecimal. */
  hash: string
}

/** Runs for every request with a key: some index lookups for each, one round trip for all. */
export function findKeyAdmissions(
  db: Queryable,
  asked: readonly AskedKey[],
  now: Moment,
): Promise<KeyAdmission[]> {
  const columns = `api_keys.id, api_keys.name, api_keys.permissions, api_keys.group_id,
    api_keys.tag, api_keys.networks, api_keys.created_by, api_keys.expires_at, api_keys.last_used_at`
  return db.query<KeyAdmission>(
    `select asked.organization_id, asked.hash as asked_hash, found.id, found.name,
       found.permissions, found.group_id, found.tag, found.networks, found.created_by as user_id,
       organizations.tenant_id,
       (select tenants.request_limit from organizations as tenants
        where tenants.id = organizations.tenant_id) as request_limit,
       coalesce(found.last_used_at <= $3::timestamptz - interval '1 minute', true) as is_use_old,
       coalesce(found.expires_at <= $3, false) as is_expired
     from unnest($1::bigint[], $2::text[]) as asked (organization_id, hash)
     cross join lateral (
       select ${columns} from api_keys
       where api_keys.organization_id = asked.organization_id
         and api_keys.key_hash = decode(asked.hash, 'hex')
       union all
       select ${columns} from api_keys
       where api_keys.organization_id = asked.organization_id
         and api_keys.former_hash = decode(asked.hash, 'hex') and api_keys.former_until > $3
     ) as found
     join organizations on organizations.id = asked.organization_id
       and organizations.deletion_id is null`,
    [asked.map(({ organizationId }) => organizationId), asked.map(({ hash }) => hash), now],
  )
}

/** Records who used the key, unless that was done within the last minute. */
export async function noteKeyUse(
  db: Queryable,
  organizationId: number,
  { id, client, now }: { id: number; client: Client; now: Moment },
): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = $3, last_address = $4, last_user_agent = $5
     where organization_id = $1 and id = $2
       and (last_used_at is null or last_used_at <= $3::timestamptz - interval '1 minute')`,
    [organizationId, id, now, client.clientIp, client.userAgent],
  )
}

/** Whether the device has the tag. */
export async function isDeviceTagged(
  db: Queryable,
  organizationId: number,
  tag: string,
  device: Reference,
): Promise<boolean> {
  const rows = await db.query(
    `select id from devices
     where organization_id = $1 and id = ${referredDevice} and ${havingTag('tags', '$4::text')}`,
    [organizationId, device.id, device.eui, tag],
  )
  return rows.length > 0
}

/** Whether the device is in the group or in a group below it: upwards from the device's groups. */
export async function isDeviceBelow(
  db: Queryable,
  organizationId: number,
  groupId: number,
  device: Reference,
): Promise<boolean> {
  const rows = await db.query(
    `with recursive above as (
       select device_groups.id, device_groups.parent_id
       from grouped_devices
       join device_groups on device_groups.organization_id = $1
         and device_groups.id = grouped_devices.group_id
       where grouped_devices.organization_id = $1
         and grouped_devices.device_id = ${referredDevice}
       union
       select parent.id, parent.parent_id
       from above join device_groups as parent
         on parent.organization_id = $1 and parent.id = above.parent_id
     )
     select id from above where id = $4`,
    [organizationId, device.id, device.eui, groupId],
  )
  return rows.length > 0
}
