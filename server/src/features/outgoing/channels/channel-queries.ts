import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import type { SomeFormats, SomeOwnFormats } from '../../../lora/formats.ts'
import type { ChannelKind } from './channel-kinds.ts'
import type { Severity } from './requests.ts'

/** What a member chooses, beside the settings. */
export interface ChannelValues {
  name: string
  severity: Severity
  group_id: number | null
  tag: string | null
  days: number[]
  from_time: string | null
  to_time: string | null
  after_minutes: number
  tells_back: boolean
  is_active: boolean
}

export interface StoredChannel extends ChannelValues {
  organization_id: number
  id: number
  user_id: number
  kind: ChannelKind
  sealed_settings: Buffer
  told_until: Moment
  next_at: Moment | null
  last_sent_at: Moment | null
  last_failure_at: Moment | null
  last_failure: string | null
  created_at: Moment
  updated_at: Moment
}

/** A channel with whom it tells, and how they read. */
export interface ListedChannel extends StoredChannel {
  member_name: string
  email: string
  organization_name: string
  time_zone: string
  own_formats: SomeOwnFormats
  formats: SomeFormats
}

const listed = `select channels.organization_id, channels.id, channels.user_id, channels.name,
    channels.kind, channels.sealed_settings, channels.severity, channels.group_id, channels.tag,
    channels.days, channels.from_time, channels.to_time, channels.after_minutes,
    channels.tells_back, channels.is_active, channels.told_until, channels.next_at,
    channels.last_sent_at, channels.last_failure_at, channels.last_failure, channels.created_at,
    channels.updated_at, trim(users.first_name || ' ' || users.last_name) as member_name,
    users.email, organizations.name as organization_name,
    coalesce(users.time_zone, organizations.timezone_format) as time_zone,
    users.formats as own_formats, organizations.formats
  from alert_channels as channels
  join members on members.organization_id = channels.organization_id
    and members.user_id = channels.user_id
  join users on users.id = channels.user_id
  join organizations on organizations.id = channels.organization_id
  where channels.organization_id = $1 and (members.is_owner or members.group_id is null)`

/** Those of a member; of all with `undefined`. */
export function list(
  db: Queryable,
  organizationId: number,
  userId: number | undefined,
): Promise<ListedChannel[]> {
  return db.query<ListedChannel>(
    `${listed} and ($2::bigint is null or channels.user_id = $2) order by channels.id`,
    [organizationId, userId],
  )
}

export async function find(
  db: Queryable,
  organizationId: number,
  id: number,
  userId?: number,
): Promise<ListedChannel | undefined> {
  const rows = await db.query<ListedChannel>(
    `${listed} and channels.id = $2 and ($3::bigint is null or channels.user_id = $3)`,
    [organizationId, id, userId],
  )
  return rows[0]
}

/** Those that may tell something now. */
export function listReady(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<ListedChannel[]> {
  return db.query<ListedChannel>(
    `${listed} and channels.is_active and (channels.next_at is null or channels.next_at <= $2)
     order by channels.id`,
    [organizationId, now],
  )
}

/** Locks the channels of the tenant against others that are made at once, and counts them. */
export async function countLocked(
  tx: Queryable,
  {
    organizationId,
    tenantId,
    userId,
  }: { organizationId: number; tenantId: number; userId: number },
): Promise<{ user: number; organization: number; tenant: number }> {
  await tx.query('select from organizations where id = $1 for no key update', [tenantId])
  const rows = await tx.query<{ user: number; organization: number; tenant: number }>(
    `select count(*) as tenant,
       count(*) filter (where channels.organization_id = $1) as organization,
       count(*) filter (where channels.organization_id = $1 and channels.user_id = $2) as user
     from alert_channels as channels
     join organizations on organizations.id = channels.organization_id
     where organizations.tenant_id = $3`,
    [organizationId, userId, tenantId],
  )
  return rows[0] ?? { user: 0, organization: 0, tenant: 0 }
}

/** Whether the user is a member of the whole organization, not only of a group. */
export async function isMember(
  db: Queryable,
  organizationId: number,
  userId: number,
): Promise<boolean> {
  const rows = await db.query(
    `select from members where organization_id = $1 and user_id = $2
       and (is_owner or group_id is null)`,
    [organizationId, userId],
  )
  return rows.length > 0
}

export async function allotId(tx: Queryable): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('alert_channels', 'id')) as id`,
  )
  return rows[0]?.id ?? 0
}

interface NewChannel extends ChannelValues {
  id: number
  userId: number
  kind: ChannelKind
  sealed: Buffer
  now: Date
}

/** It tells of what happens from now on. */
export async function insert(
  tx: Queryable,
  organizationId: number,
  channel: NewChannel,
): Promise<void> {
  await tx.query(
    `insert into alert_channels (
       organization_id, id, user_id, kind, sealed_settings, told_until, created_at, updated_at,
       name, severity, group_id, tag, days, from_time, to_time, after_minutes, tells_back,
       is_active
     )
     values ($1, $2, $3, $4, $5, $6, $6, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      ...[organizationId, channel.id, channel.userId, channel.kind, channel.sealed, channel.now],
      ...chosen(channel),
    ],
  )
}

/** What happened while it was off is not told. */
export async function update(
  tx: Queryable,
  organizationId: number,
  channel: ChannelValues & { id: number; sealed: Buffer; now: Date },
): Promise<void> {
  await tx.query(
    `update alert_channels
     set sealed_settings = $3, updated_at = $4, name = $5, severity = $6, group_id = $7, tag = $8,
       days = $9, from_time = $10, to_time = $11, after_minutes = $12, tells_back = $13,
       is_active = $14, told_until = case when is_active then told_until else $4 end
     where organization_id = $1 and id = $2`,
    [organizationId, channel.id, channel.sealed, channel.now, ...chosen(channel)],
  )
}

function chosen(values: ChannelValues): unknown[] {
  const { name, severity, group_id, tag, days, from_time, to_time } = values
  const { after_minutes, tells_back, is_active } = values
  return [
    name,
    severity,
    group_id,
    tag,
    days,
    from_time,
    to_time,
    after_minutes,
    tells_back,
  ].concat(is_active)
}

export async function remove(tx: Queryable, organizationId: number, id: number): Promise<void> {
  await tx.query('delete from alert_channels where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ])
}

/** What was told now is in a message; undefined where there was nothing to tell. */
export async function noteTold(
  tx: Queryable,
  { organization_id, id }: StoredChannel,
  { until, next }: { until: Date; next: Date | undefined },
): Promise<void> {
  await tx.query(
    `update alert_channels set told_until = $3, next_at = coalesce($4, next_at)
     where organization_id = $1 and id = $2`,
    [organization_id, id, until, next],
  )
}

/** How the last message went. */
export async function noteResult(
  db: Queryable,
  organizationId: number,
  id: number,
  { now, failure }: { now: Date; failure: string | undefined },
): Promise<void> {
  await db.query(
    failure === undefined
      ? `update alert_channels
         set last_sent_at = $3, last_failure_at = null, last_failure = $4
         where organization_id = $1 and id = $2`
      : `update alert_channels set last_failure_at = $3, last_failure = $4
         where organization_id = $1 and id = $2`,
    [organizationId, id, now, failure ?? null],
  )
}
