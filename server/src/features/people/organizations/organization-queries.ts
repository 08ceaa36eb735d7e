import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { SomeFormats } from '../../../lora/formats.ts'

/** The stored JSON; undefined where nothing is stored. */
export async function findPreferences(
  db: Queryable,
  organizationId: number,
  userId: number,
): Promise<string | undefined> {
  const rows = await db.query<{ preferences: string }>(
    'select preferences from user_preferences where organization_id = $1 and user_id = $2',
    [organizationId, userId],
  )
  return rows[0]?.preferences
}

/** Changes by the same member wait for each other, also before anything is stored. */
export async function lockPreferences(
  tx: Queryable,
  organizationId: number,
  userId: number,
): Promise<string | undefined> {
  await tx.query(
    'select 1 from members where organization_id = $1 and user_id = $2 for no key update',
    [organizationId, userId],
  )
  return findPreferences(tx, organizationId, userId)
}

/** Stores the JSON; false when the user is no member any more. */
export async function savePreferences(
  db: Queryable,
  organizationId: number,
  userId: number,
  preferences: string,
  now: Moment,
): Promise<boolean> {
  const rows = await db.query(
    `insert into user_preferences (organization_id, user_id, preferences, updated_at)
     select members.organization_id, members.user_id, $3, $4 from members
     where members.organization_id = $1 and members.user_id = $2 for key share
     on conflict (organization_id, user_id)
     do update set preferences = excluded.preferences, updated_at = excluded.updated_at
     returning user_id`,
    [organizationId, userId, preferences, now],
  )
  return rows.length > 0
}

/** Returns how many days the organization keeps uplinks; null: for ever. */
export async function findRetention(
  db: Queryable,
  organizationId: number,
): Promise<number | null | undefined> {
  const rows = await db.query<{ days: number | null }>(
    'select uplink_retention_days as days from organizations where id = $1',
    [organizationId],
  )
  return rows[0]?.days
}

export async function setRetention(
  db: Queryable,
  organizationId: number,
  days: number | null,
): Promise<void> {
  await db.query('update organizations set uplink_retention_days = $2 where id = $1', [
    organizationId,
    days,
  ])
}

/** Hours without an uplink after which a device is silent whose usual interval is not known. */
export async function findVerdictWindow(db: Queryable, organizationId: number): Promise<number> {
  const [row] = await db.query<{ hours: number }>(
    'select verdict_window_hours as hours from organizations where id = $1',
    [organizationId],
  )
  return row?.hours ?? usualWindowHours
}

/** As the table has it. */
export const usualWindowHours = 48

export async function setVerdictWindow(
  db: Queryable,
  organizationId: number,
  hours: number,
): Promise<void> {
  await db.query('update organizations set verdict_window_hours = $2 where id = $1', [
    organizationId,
    hours,
  ])
}

/** Steps of the first hour that a member has passed over. */
export async function findPassedSteps(db: Queryable, organizationId: number): Promise<string[]> {
  const [row] = await db.query<{ steps: string[] }>(
    'select passed_steps as steps from organizations where id = $1',
    [organizationId],
  )
  return row?.steps ?? []
}

/** Adds one, and returns all. */
export async function passStep(
  db: Queryable,
  organizationId: number,
  step: string,
): Promise<string[]> {
  const [row] = await db.query<{ steps: string[] }>(
    `update organizations set passed_steps = array_append(array_remove(passed_steps, $2), $2)
     where id = $1
     returning passed_steps as steps`,
    [organizationId, step],
  )
  return row?.steps ?? []
}

/** Those that were ever set. */
export async function findFormatsOf(db: Queryable, organizationId: number): Promise<SomeFormats> {
  const [row] = await db.query<{ formats: SomeFormats }>(
    'select formats from organizations where id = $1',
    [organizationId],
  )
  return row?.formats ?? {}
}

export async function changeFormatsOf(
  db: Queryable,
  organizationId: number,
  changes: SomeFormats,
): Promise<SomeFormats> {
  const [row] = await db.query<{ formats: SomeFormats }>(
    'update organizations set formats = formats || $2::jsonb where id = $1 returning formats',
    [organizationId, JSON.stringify(changes)],
  )
  return row?.formats ?? {}
}

export async function requiresTwoFactor(db: Queryable, organizationId: number): Promise<boolean> {
  const [row] = await db.query<{ is_required: boolean }>(
    'select requires_two_factor as is_required from organizations where id = $1',
    [organizationId],
  )
  return row?.is_required ?? false
}

export async function requireTwoFactor(
  db: Queryable,
  organizationId: number,
  isRequired: boolean,
): Promise<void> {
  await db.query('update organizations set requires_two_factor = $2 where id = $1', [
    organizationId,
    isRequired,
  ])
}

export async function lacksTwoFactor(db: Queryable, userId: number): Promise<boolean> {
  const rows = await db.query(
    `select from two_factors where user_id = $1 union all select from passkeys where user_id = $1`,
    [userId],
  )
  return rows.length === 0
}

/**
 * Ends the access of a member's sessions to this organization. The sessions themselves end if the
 * person belongs to no other one: no organization logs anybody out of another. False when there is no
 * such member.
 */
export async function endMemberSessions(
  tx: Queryable,
  organizationId: number,
  userId: number,
  now: Moment,
): Promise<boolean> {
  const members = await tx.query(
    `update members set sessions_ended_at = $3
     where organization_id = $1 and user_id = $2
     returning user_id`,
    [organizationId, userId, now],
  )
  if (members.length === 0) return false
  await tx.query(
    `update sessions set ended_at = $3
     where user_id = $2 and ended_at is null and not exists (
       select from members where members.user_id = $2 and members.organization_id <> $1
     )`,
    [organizationId, userId, now],
  )
  return true
}

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

/** Locks the organization's tenant, whose organizations share limits, and returns its id. */
export async function lockTenant(tx: Queryable, organizationId: number): Promise<number> {
  const tenantId = await findTenant(tx, organizationId)
  await tx.query('select from organizations where id = $1 for no key update', [tenantId])
  return tenantId
}

/** Locks the tenant against others that add rows at once, and counts those of a table. */
export async function countLocked(
  tx: Queryable,
  organizationId: number,
  rows: string,
): Promise<{ own: number; ofTenant: number }> {
  const tenantId = await lockTenant(tx, organizationId)
  const [counts] = await tx.query<{ own: number; ofTenant: number }>(
    `select count(*) filter (where organization_id = $1) as own, count(*) as "ofTenant"
     from ${rows} where organization_id in (select id from organizations where tenant_id = $2)`,
    [organizationId, tenantId],
  )
  return counts ?? { own: 0, ofTenant: 0 }
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
