import type { Queryable } from '../../../db/connect.ts'
import type { Page } from '../../../http/pages.ts'
import type { Moment } from '../../../http/timestamps.ts'

/** An organization as the one above it sees it. */
export interface ChildOrganization {
  id: number
  parent_org_id: number | null
  name: string
  created_at: Moment
  owner_id: number
  owner_email: string
  device_limit: number
  organization_limit: number
  request_limit: number | null
  /** Devices of it and below it, within its tenant. */
  devices: number
  /** Organizations below it. */
  organizations: number
  is_tenant: boolean
  is_being_deleted: boolean
}

const columns = `children.id, children.parent_org_id, children.name, children.created_at, children.owner_user_id as owner_id,
  users.email as owner_email, children.device_limit, children.organization_limit,
  children.request_limit, counts.device_count as devices, children.id = children.tenant_id as is_tenant,
  children.deletion_id is not null as is_being_deleted,
  (with recursive below as (
     select id from organizations where parent_org_id = children.id
     union all
     select organizations.id from below
     join organizations on organizations.parent_org_id = below.id
   ) select count(*) from below) as organizations`

const tables = `organizations as children
  join users on users.id = children.owner_user_id
  join organization_totals as counts on counts.organization_id = children.id`

/** A page of the organizations directly below this one, oldest first. */
export async function listChildren(
  db: Queryable,
  organizationId: number,
  { page, search, isDescending }: { page: Page; search: string; isDescending: boolean },
): Promise<{ total: number; children: ChildOrganization[] }> {
  const condition = `children.parent_org_id = $1 and strpos(lower(children.name), lower($2)) > 0`
  const [count] = await db.query<{ total: number }>(
    `select count(*) as total from organizations as children where ${condition}`,
    [organizationId, search],
  )
  const children = await db.query<ChildOrganization>(
    `select ${columns} from ${tables} where ${condition}
     order by children.id ${isDescending ? 'desc' : ''} limit $3 offset $4`,
    [organizationId, search, page.size, (page.number - 1) * page.size],
  )
  return { total: count?.total ?? 0, children }
}

export async function findChild(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<ChildOrganization | undefined> {
  const [child] = await db.query<ChildOrganization>(
    `select ${columns} from ${tables} where children.parent_org_id = $1 and children.id = $2`,
    [organizationId, id],
  )
  return child
}

/** For the operator: any organization. */
export async function findOne(db: Queryable, id: number): Promise<ChildOrganization | undefined> {
  const [found] = await db.query<ChildOrganization>(
    `select ${columns} from ${tables} where children.id = $1`,
    [id],
  )
  return found
}

/** For the operator: all organizations, or those directly below one. */
export function listAll(
  db: Queryable,
  { parent, search, most }: { parent: number | undefined; search: string; most: number },
): Promise<ChildOrganization[]> {
  return db.query<ChildOrganization>(
    `select ${columns} from ${tables}
     where ($1::bigint is null or children.parent_org_id = $1)
       and strpos(lower(children.name), lower($2)) > 0
     order by children.id limit $3`,
    [parent, search, most],
  )
}

/** Undefined leaves a limit as it is. */
export interface Limits {
  devices?: number | undefined
  organizations?: number | undefined
  requests_per_minute?: number | null | undefined
}

export async function setLimits(
  db: Queryable,
  id: number,
  { devices, organizations, requests_per_minute: requests }: Limits,
): Promise<void> {
  await db.query(
    `update organizations set device_limit = coalesce($2, device_limit),
       organization_limit = coalesce($3, organization_limit),
       request_limit = case when $4 then $5 else request_limit end
     where id = $1`,
    [id, devices, organizations, requests !== undefined, requests],
  )
}
