import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

export interface Organization {
  id: number
  name: string
  parent_org_id: number | null
  address_line_1: string | null
  address_line_2: string | null
  logo: string | null
  owner_user_id: number
  timezone_format: string
  timezone_id: number
  country_id: number | null
  /** `YYYY-MM-DD`. */
  trial_ends_at: string | null
  is_demo_account: boolean
  created_at: Moment
  updated_at: Moment
}

interface NewOrganization {
  name: string
  parentId: number | undefined
  ownerUserId: number
}

const columns = `organizations.id, organizations.name, organizations.parent_org_id,
  organizations.address_line_1, organizations.address_line_2, organizations.logo,
  organizations.owner_user_id, organizations.timezone_format, organizations.timezone_id,
  organizations.country_id, organizations.trial_ends_at, organizations.is_demo_account,
  organizations.created_at, organizations.updated_at`

/** The organizations of a user, oldest first. */
export async function listOrganizationsOf(db: Queryable, userId: number): Promise<Organization[]> {
  return db.query<Organization>(
    `select ${columns}
     from members
     join organizations on organizations.id = members.organization_id
     where members.user_id = $1 and organizations.deletion_id is null
     order by organizations.id`,
    [userId],
  )
}

/** Undefined for one that is being deleted, too. */
export async function findOrganization(
  db: Queryable,
  organizationId: number,
  lock: '' | 'for update' = '',
): Promise<Organization | undefined> {
  const rows = await db.query<Organization>(
    `select ${columns} from organizations
     where organizations.id = $1 and organizations.deletion_id is null ${lock}`,
    [organizationId],
  )
  return rows[0]
}

/** The id of the organization's tenant: what the service shares out, it shares out among tenants. */
export async function findTenant(db: Queryable, organizationId: number): Promise<number> {
  const rows = await db.query<{ tenant_id: number }>(
    'select tenant_id from organizations where id = $1',
    [organizationId],
  )
  return rows[0]?.tenant_id ?? organizationId
}

/** @throws Error when there is no such organization: it must be locked. */
export async function updateOrganization(
  tx: Queryable,
  organizationId: number,
  values: {
    name: string
    addressLine1: string | null
    addressLine2: string | null
    timeZone: string
  },
  now: Moment,
): Promise<Organization> {
  const [changed] = await tx.query<Organization>(
    `update organizations
     set name = $2, address_line_1 = $3, address_line_2 = $4, timezone_format = $6, updated_at = $5
     where id = $1 returning ${columns}`,
    [organizationId, values.name, values.addressLine1, values.addressLine2, now, values.timeZone],
  )

  if (!changed) throw new Error('The organization was not changed.')
  return changed
}

/**
 * The limit of organizations that is reached: of this organization, or of one above it up to its
 * tenant. Each counts all that are below it. Organization 1 has none.
 */
export async function findReachedLimit(
  db: Queryable,
  organizationId: number,
): Promise<number | undefined> {
  const [reached] = await db.query<{ organization_limit: number }>(
    `with recursive limits as (
       select id, parent_org_id, tenant_id, organization_limit from organizations
       where id = $1 and id <> 1
       union all
       select above.id, above.parent_org_id, above.tenant_id, above.organization_limit
       from limits
       join organizations as above on above.id = limits.parent_org_id
       where limits.id <> limits.tenant_id
     ), counted as (
       select id as top, id from limits
       union all
       select counted.top, below.id
       from counted
       join organizations as below on below.parent_org_id = counted.id
     )
     select limits.organization_limit from limits
     where limits.organization_limit < (select count(*) from counted where counted.top = limits.id)
     order by limits.organization_limit
     limit 1`,
    [organizationId],
  )
  return reached?.organization_limit
}

/**
 * Inserts an organization with its owner as a member and its counter row. Triggers find its tenant and
 * count its devices.
 */
export async function insertOrganization(
  tx: Queryable,
  organization: NewOrganization,
  now: Moment,
): Promise<Organization> {
  const [made] = await tx.query<Organization>(
    `insert into organizations (name, parent_org_id, owner_user_id, created_at, updated_at)
     values ($1, $2, $3, $4, $4)
     returning ${columns}`,
    [organization.name, organization.parentId, organization.ownerUserId, now],
  )
  if (!made) throw new Error('The organization was not inserted.')
  await tx.query(
    `insert into members (organization_id, user_id, is_owner, created_at)
     values ($1, $2, true, $3)`,
    [made.id, made.owner_user_id, now],
  )
  await tx.query('insert into organization_counters (organization_id) values ($1)', [made.id])
  return made
}

/** Makes all processes read the organization's codecs again: they remember them with the time zone. */
export async function renewCodecs(tx: Queryable, organizationId: number): Promise<void> {
  await tx.query('update device_types set revision = revision + 1 where organization_id = $1', [
    organizationId,
  ])
}

export async function hasOrganizations(db: Queryable): Promise<boolean> {
  const rows = await db.query('select 1 from organizations limit 1')
  return rows.length > 0
}

/** Makes other processes that create the first organization wait until the transaction ends. */
export async function lockFirstStart(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('first organization'))`)
}

/** Gives the next organization id 1, even after a start that failed. */
export async function startNumberingAtOne(tx: Queryable): Promise<void> {
  await tx.query(`select setval(pg_get_serial_sequence('organizations', 'id'), 1, false)`)
}
