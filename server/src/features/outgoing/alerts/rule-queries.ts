import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { havingTag } from '../../fleet/inventory/tags.ts'
import type { AlertKind, AnySettings, Severity } from './alert-kinds.ts'
import type { StoredActions } from './rule-actions.ts'
import { lasts } from './scope-queries.ts'
import { lockWatch } from './watch-queries.ts'

/** What a member chooses. */
export interface RuleValues extends StoredActions {
  name: string
  kind: AlertKind
  severity: Severity
  settings: AnySettings
  /** Only this one. */
  device_id: number | null
  group_id: number | null
  type_id: number | null
  network: string | null
  tag: string | null
  recipients: number[]
  tells_back: boolean
  is_active: boolean
}

export interface StoredRule extends RuleValues {
  organization_id: number
  id: number
  muted_until: Moment | null
  created_at: Moment
  updated_at: Moment
}

/** A rule with the number of its open alerts. */
export interface ListedRule extends StoredRule {
  open: number
}

const columns = `rules.organization_id, rules.id, rules.name, rules.kind, rules.severity, rules.settings,
  rules.device_id, rules.group_id, rules.type_id, rules.network, rules.tag, rules.recipients, rules.tells_back,
  rules.is_active, rules.actions, rules.actions_per_hour, rules.actions_by, rules.muted_until,
  rules.created_at, rules.updated_at`

const listed = `select ${columns}, (
    select count(*) from alerts
    where alerts.organization_id = $1 and alerts.rule_id = rules.id
      and alerts.state = 'open'
  ) as open
  from alert_rules as rules
  where rules.organization_id = $1 and rules.deleted_at is null`

export function list(db: Queryable, organizationId: number): Promise<ListedRule[]> {
  return db.query<ListedRule>(`${listed} order by rules.id`, [organizationId])
}

export async function find(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<ListedRule | undefined> {
  const rows = await db.query<ListedRule>(`${listed} and rules.id = $2`, [organizationId, id])
  return rows[0]
}

/** A level beyond which a device has an alert. */
export interface DeviceLimit {
  rule_id: number
  rule_name: string
  key: string
  above: number | null
  below: number | null
}

/** The limits of the rules that are about a device. */
export function listLimits(
  db: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<DeviceLimit[]> {
  return db.query<DeviceLimit>(
    `with recursive above as (
       select grouped.group_id as id from grouped_devices as grouped
       where grouped.organization_id = $1 and grouped.device_id = $2
       union
       select child.parent_id from above
       join device_groups as child on child.organization_id = $1 and child.id = above.id
       where child.parent_id is not null
     )
     select rules.id as rule_id, rules.name as rule_name, rules.settings->>'key' as key,
       (rules.settings->>'above')::double precision as above,
       (rules.settings->>'below')::double precision as below
     from devices
     join alert_rules as rules on rules.organization_id = $1 and rules.kind = 'threshold'
       and rules.is_active and rules.deleted_at is null
       and (rules.device_id is null or rules.device_id = devices.id)
       and (rules.type_id is null or rules.type_id = devices.type_id)
       and (rules.network is null or rules.network = devices.network)
       and (rules.tag is null or ${havingTag('devices.tags', 'rules.tag')})
       and (rules.group_id is null or rules.group_id in (select above.id from above))
     where devices.organization_id = $1 and devices.id = $2
     order by rules.id`,
    [organizationId, deviceId],
  )
}

export function listActive(db: Queryable, organizationId: number): Promise<StoredRule[]> {
  return db.query<StoredRule>(
    `select ${columns} from alert_rules as rules
     where rules.organization_id = $1 and rules.deleted_at is null and rules.is_active
     order by rules.id`,
    [organizationId],
  )
}

/** The same of several organizations. */
export function listActiveOf(
  db: Queryable,
  organizationIds: readonly number[],
): Promise<StoredRule[]> {
  return db.query<StoredRule>(
    `select ${columns} from alert_rules as rules
     where rules.organization_id = any($1::bigint[]) and rules.deleted_at is null
       and rules.is_active
     order by rules.id`,
    [organizationIds],
  )
}

/** Locks the organization's rules against others that are changed at once, and counts them. */
export async function countLocked(tx: Queryable, organizationId: number): Promise<number> {
  await tx.query('select from organizations where id = $1 for no key update', [organizationId])
  await lockWatch(tx, organizationId)
  const rows = await tx.query<{ count: number }>(
    'select count(*) from alert_rules where organization_id = $1 and deleted_at is null',
    [organizationId],
  )
  return rows[0]?.count ?? 0
}

export async function insert(
  tx: Queryable,
  organizationId: number,
  rule: RuleValues & { userId: number; now: Date },
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into alert_rules (
       organization_id, user_id, created_at, updated_at, name, kind, settings, group_id, type_id,
       network, tag, recipients, tells_back, is_active, severity, device_id,
       actions, actions_per_hour, actions_by
     )
     values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     returning id`,
    [organizationId, rule.userId, rule.now, rule.name, rule.kind, ...chosen(rule)],
  )
  return rows[0]?.id ?? 0
}

/** The kind of a rule never changes: its alerts would be of another one. */
export async function update(
  tx: Queryable,
  organizationId: number,
  rule: RuleValues & { id: number; now: Date },
): Promise<void> {
  await tx.query(
    `update alert_rules
     set updated_at = $3, name = $4, settings = $5, group_id = $6, type_id = $7, network = $8,
       tag = $9, recipients = $10, tells_back = $11, is_active = $12, severity = $13,
       device_id = $14, actions = $15, actions_per_hour = $16, actions_by = $17
     where organization_id = $1 and id = $2`,
    [organizationId, rule.id, rule.now, rule.name, ...chosen(rule)],
  )
}

function chosen(rule: RuleValues): unknown[] {
  const { device_id, group_id, type_id, network, tag, recipients } = rule
  const { tells_back, is_active, severity } = rule
  const settings = JSON.stringify(rule.settings)
  return [
    ...[settings, group_id, type_id, network, tag, recipients, tells_back, is_active, severity],
    ...[device_id, JSON.stringify(rule.actions), rule.actions_per_hour, rule.actions_by],
  ]
}

export async function remove(
  tx: Queryable,
  organizationId: number,
  { id, now }: { id: number; now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update alert_rules set deleted_at = $3, is_active = false
     where organization_id = $1 and id = $2 and deleted_at is null
     returning id`,
    [organizationId, id, now],
  )
  return rows.length > 0
}

/** What a digest has gathered already waits for the end of the mute too. */
export async function mute(
  tx: Queryable,
  organizationId: number,
  { id, until, now }: { id: number; until: Date | null; now: Date },
): Promise<void> {
  await tx.query(
    `update alert_digests set due_at = coalesce($3::timestamptz, $4)
     where organization_id = $1 and rule_id = $2 and written_at is null`,
    [organizationId, id, until, now],
  )
  await tx.query(
    `update alert_rules set muted_until = $3
     where organization_id = $1 and id = $2 and deleted_at is null`,
    [organizationId, id, until],
  )
}

/** A rule that is off finds nothing: its open alerts end, and nobody is told any more. */
export async function endAlerts(
  tx: Queryable,
  organizationId: number,
  { id, now }: { id: number; now: Date },
): Promise<void> {
  await tx.query(
    `delete from alerts
     where organization_id = $1 and rule_id = $2 and state = 'pending' and device_id is not null`,
    [organizationId, id],
  )
  await tx.query(
    `update alerts
     set state = 'closed', closed_at = coalesce(closed_at, $3), back_told_at = $3,
       details = '{"ended": "rule_off"}' || details
     where organization_id = $1 and rule_id = $2 and ${lasts}`,
    [organizationId, id, now],
  )
  await tx.query(
    `delete from alert_digests
     where organization_id = $1 and rule_id = $2 and written_at is null`,
    [organizationId, id],
  )
}

/** Those of the users who are members of the whole organization, not only of a group. */
export async function findMembers(
  db: Queryable,
  organizationId: number,
  userIds: readonly number[],
): Promise<Set<number>> {
  if (userIds.length === 0) return new Set()
  const rows = await db.query<{ user_id: number }>(
    `select user_id from members where organization_id = $1 and user_id = any($2::bigint[])
       and (is_owner or group_id is null)`,
    [organizationId, userIds],
  )
  return new Set(rows.map(({ user_id }) => user_id))
}
