import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

export interface StoredLink {
  id: number
  name: string
  dashboard_ids: number[]
  has_password: boolean
  hosts: string[]
  rotate_seconds: number
  expires_at: Moment | null
  user_id: number
  user_name: string
  created_at: Moment
  last_used_at: Moment | null
}

/** The links that show the dashboard, newest first. */
export function list(
  db: Queryable,
  organizationId: number,
  dashboardId: number,
): Promise<StoredLink[]> {
  return db.query<StoredLink>(
    `select links.id, links.name, links.dashboard_ids, links.password_hash is not null as has_password,
       links.hosts, links.rotate_seconds, links.expires_at, links.user_id,
       trim(users.first_name || ' ' || users.last_name) as user_name,
       links.created_at, links.last_used_at
     from dashboard_links as links join users on users.id = links.user_id
     where links.organization_id = $1 and $2 = any(links.dashboard_ids)
     order by links.id desc`,
    [organizationId, dashboardId],
  )
}

export interface NewLink {
  name: string
  dashboardIds: readonly number[]
  tokenHash: Buffer
  passwordHash: string | null
  hosts: readonly string[]
  rotateSeconds: number
  expiresAt: Date | null
  userId: number
  now: Date
}

export async function insert(
  tx: Queryable,
  organizationId: number,
  link: NewLink,
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into dashboard_links (
       organization_id, name, dashboard_ids, token_hash, password_hash, hosts, rotate_seconds,
       expires_at, user_id, created_at
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     returning id`,
    [
      organizationId,
      link.name,
      link.dashboardIds,
      link.tokenHash,
      link.passwordHash,
      link.hosts,
      link.rotateSeconds,
      link.expiresAt,
      link.userId,
      link.now,
    ],
  )
  return rows[0]?.id ?? 0
}

/** Returns whether there was such a link of the dashboard. */
export async function remove(
  tx: Queryable,
  organizationId: number,
  { id, dashboardId }: { id: number; dashboardId: number },
): Promise<boolean> {
  const rows = await tx.query(
    `delete from dashboard_links
     where organization_id = $1 and id = $2 and $3 = any(dashboard_ids)
     returning id`,
    [organizationId, id, dashboardId],
  )
  return rows.length > 0
}

/** A link that is valid now, as whoever opens it needs it. */
export interface OpenLink {
  organization_id: number
  tenant_id: number
  id: number
  name: string
  dashboard_ids: number[]
  password_hash: string | null
  hosts: string[]
  rotate_seconds: number
  /** Who made it. */
  user_id: number
  is_use_old: boolean
}

export async function findOpen(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<OpenLink | undefined> {
  const rows = await db.query<OpenLink>(
    `select links.organization_id, organizations.tenant_id, links.id, links.name,
       links.dashboard_ids, links.password_hash, links.hosts, links.rotate_seconds, links.user_id,
       coalesce(links.last_used_at <= $2::timestamptz - interval '1 hour', true) as is_use_old
     from dashboard_links as links
     join organizations on organizations.id = links.organization_id
     where links.token_hash = $1 and coalesce(links.expires_at > $2, true)`,
    [tokenHash, now],
  )
  return rows[0]
}

export async function noteUse(
  db: Queryable,
  organizationId: number,
  id: number,
  now: Date,
): Promise<void> {
  await db.query(
    'update dashboard_links set last_used_at = $3 where organization_id = $1 and id = $2',
    [organizationId, id, now],
  )
}

/** Removes those that expired a month ago, and those of dashboards that are gone. */
export async function removeOldLinks(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `delete from dashboard_links as links
     where links.expires_at < $1::timestamptz - interval '30 days' or not exists (
       select from dashboards
       where dashboards.organization_id = links.organization_id
         and dashboards.id = any(links.dashboard_ids)
     )`,
    [now],
  )
}
