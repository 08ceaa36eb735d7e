import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { lockTenant } from '../../people/organizations/organization-queries.ts'
import type { Variable, Widget, WidgetSource } from './widget-body.ts'
import type { WidgetRange } from './widget-types.ts'

/** What a member chooses. */
export interface DashboardValues {
  name: string
  description: string | null
  is_private: boolean
  variable: Variable | null
  range: WidgetRange
  widgets: Widget[]
}

export interface StoredDashboard extends DashboardValues {
  id: number
  revision: number
  user_id: number
  user_name: string
  created_at: Moment
  updated_at: Moment
  deleted_at: Moment | null
}

/** Whoever looks: private dashboards are shown to the one who made them, and to no API key. */
export interface Reader {
  organizationId: number
  /** 0 for an API key. */
  userId: number
}

/** One of a list: what its widgets are about, without their pictures. */
export interface ListedDashboard extends Omit<StoredDashboard, 'widgets'> {
  widget_count: number
  sources: WidgetSource[]
}

const listedColumns = `dashboards.id, dashboards.name, dashboards.description, dashboards.is_private,
  dashboards.variable, dashboards.range, dashboards.revision,
  dashboards.user_id, trim(users.first_name || ' ' || users.last_name) as user_name,
  dashboards.created_at, dashboards.updated_at, dashboards.deleted_at`

const columns = `${listedColumns}, dashboards.widgets`

const readable = `from dashboards join users on users.id = dashboards.user_id
  where dashboards.organization_id = $1
    and (not dashboards.is_private or dashboards.user_id = $2)`

export function list(
  db: Queryable,
  { organizationId, userId }: Reader,
  { isDeleted }: { isDeleted: boolean },
): Promise<ListedDashboard[]> {
  return db.query<ListedDashboard>(
    `select ${listedColumns}, jsonb_array_length(dashboards.widgets) as widget_count,
       jsonb_path_query_array(dashboards.widgets, '$[*].source') as sources
     ${readable} and (dashboards.deleted_at is not null) = $3
     order by lower(dashboards.name), dashboards.id`,
    [organizationId, userId, isDeleted],
  )
}

/** Those of the ids that the reader may read, in their order. */
export function listByIds(
  db: Queryable,
  { organizationId, userId }: Reader,
  ids: readonly number[],
): Promise<StoredDashboard[]> {
  return db.query<StoredDashboard>(
    `select ${columns} ${readable} and dashboards.id = any($3::bigint[])
       and dashboards.deleted_at is null
     order by array_position($3::bigint[], dashboards.id)`,
    [organizationId, userId, ids],
  )
}

export interface Wanted {
  id: number
  isDeleted?: boolean
  /** Locks it until the transaction ends. */
  isLocked?: boolean
}

export async function find(
  db: Queryable,
  { organizationId, userId }: Reader,
  { id, isDeleted = false, isLocked = false }: Wanted,
): Promise<StoredDashboard | undefined> {
  const rows = await db.query<StoredDashboard>(
    `select ${columns} ${readable} and dashboards.id = $3
       and (dashboards.deleted_at is not null) = $4
     ${isLocked ? 'for update of dashboards' : ''}`,
    [organizationId, userId, id, isDeleted],
  )
  return rows[0]
}

/** Locks the organization's dashboards against others that are made at once, and counts them. */
export async function countLocked(
  tx: Queryable,
  organizationId: number,
): Promise<{ own: number; ofTenant: number }> {
  const tenantId = await lockTenant(tx, organizationId)
  const [counts] = await tx.query<{ own: number; ofTenant: number }>(
    `select count(*) filter (where dashboards.organization_id = $1) as own,
       count(*) as "ofTenant"
     from dashboards
     where dashboards.deleted_at is null and dashboards.organization_id in (
       select id from organizations where tenant_id = $2
     )`,
    [organizationId, tenantId],
  )
  return counts ?? { own: 0, ofTenant: 0 }
}

export async function insert(
  tx: Queryable,
  organizationId: number,
  dashboard: DashboardValues & { userId: number; now: Date },
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into dashboards (
       organization_id, user_id, created_at, updated_at, name, description, is_private, variable,
       range, widgets
     )
     values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9)
     returning id`,
    [organizationId, dashboard.userId, dashboard.now, ...chosen(dashboard)],
  )
  return rows[0]?.id ?? 0
}

export async function update(
  tx: Queryable,
  organizationId: number,
  dashboard: DashboardValues & { id: number; now: Date },
): Promise<void> {
  await tx.query(
    `update dashboards set revision = revision + 1, updated_at = $3, name = $4, description = $5,
       is_private = $6, variable = $7, range = $8, widgets = $9
     where organization_id = $1 and id = $2`,
    [organizationId, dashboard.id, dashboard.now, ...chosen(dashboard)],
  )
}

function chosen(dashboard: DashboardValues): unknown[] {
  const { name, description, is_private, variable, range, widgets } = dashboard
  const variableText = variable === null ? null : JSON.stringify(variable)
  return [name, description, is_private, variableText, range, JSON.stringify(widgets)]
}

/** Of those that can be restored, the newest of the organization are kept. */
const mostDeleted = 100

export async function remove(
  tx: Queryable,
  organizationId: number,
  { id, now }: { id: number; now: Date },
): Promise<void> {
  await tx.query('update dashboards set deleted_at = $3 where organization_id = $1 and id = $2', [
    organizationId,
    id,
    now,
  ])
  await tx.query(
    `delete from dashboards where organization_id = $1 and id in (
       select id from dashboards where organization_id = $1 and deleted_at is not null
       order by deleted_at desc, id desc offset ${mostDeleted}
     )`,
    [organizationId],
  )
}

export async function restore(tx: Queryable, organizationId: number, id: number): Promise<void> {
  await tx.query('update dashboards set deleted_at = null where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ])
}

/** Days in which a deleted dashboard can be restored. */
export const keptDays = 30

/** Removes those that were deleted long ago, and private ones of people who have left. */
export async function removeOldDashboards(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `delete from dashboards where deleted_at < $1::timestamptz - make_interval(days => ${keptDays})`,
    [now],
  )
  await db.query(
    `update dashboards set deleted_at = $1
     where is_private and deleted_at is null and not exists (
       select from members where members.organization_id = dashboards.organization_id
         and members.user_id = dashboards.user_id
     )`,
    [now],
  )
}
