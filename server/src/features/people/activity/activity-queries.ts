import type { Queryable } from '../../../db/connect.ts'
import type { Change, Kind, Known, LookedUp } from '../../../http/change-record.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { Reference } from '../../fleet/inventory/references.ts'

/** What a member, or an API key, has changed by one request, or was refused. */
export interface Activity {
  organizationId: number
  /** Of a key, the user who made it. */
  userId: number
  key: { id: number; name: string } | undefined
  /** Where the request came from. */
  address: string | undefined
  /** As in the route table: `PATCH /devices/:device_id`. */
  operation: string | undefined
  /** Of a refused request, the answer. */
  status?: number | undefined
  now: Date
  changes: readonly Change[]
}

/** Stores activities of one organization, in their order. */
export async function insertAll(
  db: Queryable,
  organizationId: number,
  activities: readonly Activity[],
): Promise<void> {
  const rows = activities.flatMap(({ userId, key, now, address, operation, status, changes }) =>
    changes.map((change) => ({
      ...toStorable(change),
      user_id: userId,
      happened_at: now,
      address,
      operation,
      key_id: key?.id,
      key_name: key?.name,
      status,
    })),
  )
  await db.query(
    `insert into activities (
       organization_id, user_id, happened_at, kind, action, subject, name, count, fields,
       key_id, key_name, address, operation, status
     )
     select $1, user_id, happened_at, kind, action, subject, name, count, coalesce(fields, '{}'),
       key_id, key_name, address, operation, status
     from rows from (
       jsonb_to_recordset($2::jsonb) as (
         user_id bigint, happened_at timestamptz, kind text, action text, subject text, name text,
         count integer, fields text[], key_id bigint, key_name text, address text, operation text,
         status smallint
       )
     ) with ordinality
     order by ordinality`,
    [organizationId, JSON.stringify(rows)],
  )
}

/** The most characters of a text: names have fewer. */
const longestText = 255

function toStorable(change: Change): Change {
  const clean = (text: string | undefined) =>
    text?.toWellFormed().replaceAll('\u0000', '').slice(0, longestText)
  return { ...change, subject: clean(change.subject), name: clean(change.name) }
}

/** Each is one look-up in an index: with `case` or `or`, all gateways would be read. */
const lookUps: Record<Exclude<LookedUp, 'device'>, string> = {
  gateway: `select eui as subject, name from gateways
    where organization_id = $1 and eui = $3 and deleted_at is null
    union all
    select eui, name from gateways
    where organization_id = $1 and id = $2 and $3::text is null and deleted_at is null`,
  group: `select id::text as subject, name from device_groups
    where organization_id = $1 and id = $2 and $3::text is null`,
  device_type: `select id::text as subject, type_name as name from device_types
    where organization_id = $1 and id = $2 and $3::text is null`,
  member: `select users.id::text as subject, users.email as name from members
    join users on users.id = members.user_id
    where members.organization_id = $1 and members.user_id = $2 and $3::text is null`,
  webhook: `select id::text as subject, name from webhooks
    where organization_id = $1 and id = $2 and $3::text is null`,
  api_key: `select id::text as subject, name from api_keys
    where organization_id = $1 and id = $2 and $3::text is null`,
  alert_rule: `select id::text as subject, name from alert_rules
    where organization_id = $1 and id = $2 and $3::text is null and deleted_at is null`,
  dashboard: `select id::text as subject, name from dashboards
    where organization_id = $1 and id = $2 and $3::text is null and deleted_at is null`,
  report: `select id::text as subject, name from reports
    where organization_id = $1 and id = $2 and $3::text is null`,
  alert_channel: `select id::text as subject, name from alert_channels
    where organization_id = $1 and id = $2 and $3::text is null`,
  floor_plan: `select id::text as subject, name from floor_plans
    where organization_id = $1 and id = $2 and $3::text is null`,
  invitation: `select id::text as subject, email as name from invitations
    where organization_id = $1 and id = $2 and $3::text is null`,
}

/** Reads the name of a thing that is no device, by an index. */
export async function lookUp(
  db: Queryable,
  organizationId: number,
  kind: Exclude<LookedUp, 'device'>,
  { id, eui }: Reference,
): Promise<Known | undefined> {
  const [known] = await db.query<Known>(lookUps[kind], [organizationId, id, eui])
  return known
}

export interface ActivityRow {
  id: number
  happened_at: Moment
  kind: Kind
  action: string
  subject: string | null
  name: string | null
  count: number | null
  fields: string[]
  user_id: number
  email: string
  first_name: string
  last_name: string
  key_id: number | null
  key_name: string | null
  address: string | null
  operation: string | null
  status: number | null
  position: number | null
}

export interface ActivityFilter {
  kind: Kind | undefined
  userId: number | undefined
  subject: string | undefined
  outcome: 'done' | 'refused' | undefined
  since: Date | undefined
  /** Not included. */
  until: Date | undefined
}

/** Reads the primary key backwards. An organization has at most 100,000 rows. */
export function list(
  db: Queryable,
  organizationId: number,
  { kind, userId, subject, outcome, since, until }: ActivityFilter,
  page: { after: number | undefined; limit: number },
): Promise<ActivityRow[]> {
  return db.query<ActivityRow>(
    `select activities.id, activities.happened_at, activities.kind, activities.action,
       activities.subject, activities.name, activities.count, activities.fields,
       activities.user_id, users.email, users.first_name, users.last_name,
       activities.key_id, activities.key_name, activities.address, activities.operation,
       activities.status, activities.position
     from activities
     join users on users.id = activities.user_id
     where activities.organization_id = $1
       and ($2::text is null or activities.kind = $2)
       and ($3::bigint is null or activities.user_id = $3)
       and ($4::text is null or activities.subject = $4)
       and ($5::text is null or ($5 = 'refused') = (activities.kind = 'request'))
       and ($6::timestamptz is null or activities.happened_at >= $6)
       and ($7::timestamptz is null or activities.happened_at < $7)
       and ($8::bigint is null or activities.id < $8)
     order by activities.id desc
     limit $9`,
    [organizationId, kind, userId, subject, outcome, since, until, page.after, page.limit],
  )
}

export async function count(
  db: Queryable,
  organizationId: number,
  { kind, userId, subject, outcome, since, until }: ActivityFilter,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from activities
     where organization_id = $1 and ($2::text is null or kind = $2)
       and ($3::bigint is null or user_id = $3) and ($4::text is null or subject = $4)
       and ($5::text is null or ($5 = 'refused') = (kind = 'request'))
       and ($6::timestamptz is null or happened_at >= $6)
       and ($7::timestamptz is null or happened_at < $7)`,
    [organizationId, kind, userId, subject, outcome, since, until],
  )
  return row?.count ?? 0
}
