import type { Queryable } from '../../../db/connect.ts'
import { isoTimeOf, type Moment } from '../../../http/timestamps.ts'
import { type Reference, referredDevice } from '../../fleet/inventory/references.ts'
import { wireTime } from '../events/webhook-event-queries.ts'
import { type AlertKind, type AlertState, type Severity, severities } from './alert-kinds.ts'
import type { ReadingDetails } from './readings.ts'

/** What alerts know of a device. */
export interface WatchedDevice {
  id: number
  muted_until: Moment | null
  interval_seconds: number | null
}

export async function findDevice(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<WatchedDevice | undefined> {
  const rows = await db.query<WatchedDevice>(
    `select devices.id, mutes.muted_until, rhythms.interval_seconds
     from devices
     left join alert_mutes as mutes
       on mutes.organization_id = $1 and mutes.device_id = devices.id
     left join device_rhythms as rhythms
       on rhythms.organization_id = $1 and rhythms.device_id = devices.id
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  return rows[0]
}

export async function mute(
  db: Queryable,
  organizationId: number,
  { device, until, userId }: { device: number; until: Date | null; userId: number },
): Promise<void> {
  if (until === null) {
    await db.query('delete from alert_mutes where organization_id = $1 and device_id = $2', [
      organizationId,
      device,
    ])
    return
  }
  await db.query(
    `insert into alert_mutes (organization_id, device_id, muted_until, user_id)
     values ($1, $2, $3, $4)
     on conflict (organization_id, device_id) do update
     set muted_until = excluded.muted_until, user_id = excluded.user_id`,
    [organizationId, device, until, userId],
  )
}

/** What is shown of an alert besides its numbers. */
export interface AlertDetails extends ReadingDetails {
  /** Why it ended, unless the state of things is back. */
  /** That an uptime is of. */
  days?: number
  ended?: 'rule_off' | 'out_of_scope' | 'member'
  message?: string
}

/** An alert with the names of what it is about. */
export interface ListedAlert {
  id: number
  rule_id: number
  rule_name: string
  kind: AlertKind
  severity: Severity
  state: AlertState
  began_at: Moment
  opened_at: Moment
  closed_at: Moment | null
  value: number | null
  bound: number | null
  details: AlertDetails
  told_at: Moment | null
  device_id: number | null
  device_eui: string | null
  device_name: string | null
  device_type_id: number | null
  gateway_id: number | null
  gateway_eui: string | null
  gateway_name: string | null
  cause_gateway_id: number | null
  cause_eui: string | null
  cause_name: string | null
  acknowledged_at: Moment | null
  acknowledged_by: number | null
  acknowledged_name: string | null
  assigned_to: number | null
  assigned_name: string | null
  closed_by: number | null
  closed_name: string | null
  snoozed_until: Moment | null
  /** The oldest first. */
  notes: { text: string; at: string; by: number; name: string | null }[]
  groups: { id: number; name: string }[]
  actions: {
    type: 'downlink' | 'webhook'
    at: 'open' | 'close'
    state: 'done' | 'limited' | 'failed'
    message: string | null
    downlink_id: number | null
    created_at: string
  }[]
}

const nameOf = (users: string) => `trim(${users}.first_name || ' ' || ${users}.last_name)`

const notes = `coalesce((
    select json_agg(json_build_object('text', said.note->>'text', 'at', said.note->>'at',
      'by', said.note->'by', 'name', ${nameOf('authors')}) order by said.place)
    from jsonb_array_elements(alerts.notes) with ordinality as said (note, place)
    left join users as authors on authors.id = (said.note->>'by')::bigint
  ), '[]')`

/** SQL: the columns of `ListedAlert`, and where they come from. `$1` is the organization. */
export const listedColumns = `alerts.id, alerts.rule_id, rules.name as rule_name, alerts.kind,
  rules.severity, case alerts.state when 'dismissed' then 'closed' else alerts.state end as state,
  alerts.began_at, alerts.opened_at, alerts.closed_at, alerts.value, alerts.bound,
  alerts.details, alerts.told_at, alerts.device_id, devices.device_eui, devices.name as device_name,
  devices.type_id as device_type_id,
  alerts.gateway_id, gateways.gateway_eui, gateways.name as gateway_name, alerts.cause_gateway_id,
  causes.gateway_eui as cause_eui, causes.name as cause_name, alerts.acknowledged_at,
  alerts.acknowledged_by, ${nameOf('users')} as acknowledged_name,
  alerts.assigned_to, ${nameOf('assignees')} as assigned_name,
  alerts.closed_by, ${nameOf('closers')} as closed_name, alerts.snoozed_until, ${notes} as notes,
  array(
    select json_build_object('id', device_groups.id, 'name', device_groups.name)
    from grouped_devices as grouped
    join device_groups on device_groups.organization_id = $1 and device_groups.id = grouped.group_id
    where grouped.organization_id = $1 and grouped.device_id = alerts.device_id
    order by device_groups.name, device_groups.id
  ) as groups,
  array(
    select json_build_object('type', done.type, 'at', done.at, 'state', done.state,
      'message', done.message, 'downlink_id', done.downlink_id,
      'created_at', ${wireTime('done.created_at')})
    from alert_actions as done
    where done.organization_id = $1 and done.alert_id = alerts.id
    order by done.created_at, done.at desc, done.place
  ) as actions`

export const listedJoins = `join alert_rules as rules
    on rules.organization_id = $1 and rules.id = alerts.rule_id
  left join devices
    on devices.organization_id = $1 and devices.id = alerts.device_id
  left join gateways
    on gateways.organization_id = $1 and gateways.id = alerts.gateway_id
  left join gateways as causes
    on causes.organization_id = $1 and causes.id = alerts.cause_gateway_id
  left join users on users.id = alerts.acknowledged_by
  left join users as assignees on assignees.id = alerts.assigned_to
  left join users as closers on closers.id = alerts.closed_by`

export interface AlertFilter {
  state: AlertState | undefined
  kind: AlertKind | undefined
  rule: number | undefined
  device: number | undefined
  gateway: number | undefined
  isAcknowledged: boolean | undefined
  severity?: Severity | undefined
  assignee?: number | undefined
  /** Whether it is snoozed at `now`. */
  isSnoozed?: boolean | undefined
}

/** SQL: the place of the severity of a rule, the worst first. */
const rankOf = (rule: string) =>
  `array_position(array['${severities.toReversed().join("', '")}'], ${rule}.severity)`

/** Newest first, or the worst first and of equals the newest; those that follow the alert `after`. */
export function list(
  db: Queryable,
  organizationId: number,
  filter: AlertFilter,
  page: { after: number | undefined; limit: number; isWorstFirst?: boolean; now: Date },
): Promise<ListedAlert[]> {
  const { state, kind, rule, device, gateway, isAcknowledged, severity, assignee, isSnoozed } =
    filter
  const { after, limit, isWorstFirst = false, now } = page
  const order = isWorstFirst ? 'rank, alerts.id desc' : 'alerts.id desc'
  return db.query<ListedAlert>(
    `select ${listedColumns}
     from (
       select alerts.*, ${rankOf('own')} as rank
       from alerts
       join alert_rules as own on own.organization_id = $1 and own.id = alerts.rule_id
       where alerts.organization_id = $1 and alerts.state <> 'pending'
         ${after === undefined ? 'and $2::bigint is null' : isAfter(isWorstFirst)}
         ${state === 'open' ? `and alerts.state = 'open'` : ''}
         ${state === 'closed' ? `and alerts.state in ('dismissed', 'closed')` : ''}
         and ($3::text is null or alerts.kind = $3)
         and ($4::bigint is null or alerts.rule_id = $4)
         ${device === undefined ? 'and $5::bigint is null' : 'and alerts.device_id = $5'}
         ${gateway === undefined ? 'and $6::bigint is null' : 'and alerts.gateway_id = $6'}
         and ($7::boolean is null or (alerts.acknowledged_at is not null) = $7)
         and ($9::text is null or own.severity = $9)
         and ($10::bigint is null or alerts.assigned_to = $10)
         and ($11::boolean is null or (coalesce(alerts.snoozed_until, '-infinity') > $12) = $11)
       order by ${order}
       limit $8
     ) as alerts
     ${listedJoins}
     order by ${order}`,
    [
      ...[organizationId, after, kind, rule, device, gateway, isAcknowledged, limit],
      ...[severity, assignee, isSnoozed, now],
    ],
  )
}

/** SQL: whether an alert comes behind `$2` in the order of the list. */
function isAfter(isWorstFirst: boolean): string {
  if (!isWorstFirst) return 'and alerts.id < $2'
  return `and (${rankOf('own')}, -alerts.id) > (
    select ${rankOf('last_rule')}, -last.id from alerts as last
    join alert_rules as last_rule on last_rule.organization_id = $1
      and last_rule.id = last.rule_id
    where last.organization_id = $1 and last.id = $2
  )`
}

export async function find(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<ListedAlert | undefined> {
  const rows = await db.query<ListedAlert>(
    `select ${listedColumns} from alerts ${listedJoins}
     where alerts.organization_id = $1 and alerts.id = $2 and alerts.state <> 'pending'`,
    [organizationId, id],
  )
  return rows[0]
}

export interface OpenCounts {
  open: number
  unacknowledged: number
  snoozed: number
}

/** Counts the open alerts, in an index that holds only them. */
export async function countOpen(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<OpenCounts> {
  const rows = await db.query<OpenCounts>(
    `select count(*) as open, count(*) filter (where snoozed_until > $2) as snoozed,
       count(*) filter (where acknowledged_at is null and snoozed_until > $2 is not true)
         as unacknowledged
     from alerts where organization_id = $1 and state = 'open'`,
    [organizationId, now],
  )
  return rows[0] ?? { open: 0, unacknowledged: 0, snoozed: 0 }
}

/** What a member changes about an alert; what is undefined stays. */
export interface AlertChange {
  assignee?: number | null | undefined
  snoozedUntil?: Date | null | undefined
  note?: string | null | undefined
  isClosed: boolean
}

/** Of an alert; then the oldest one goes. */
const mostNotes = 50

/** SQL: the notes with another one at the end, unless it only repeats the last. */
const withNote = (note: string) => `case
    when notes->-1->>'text' is not distinct from ${note}::jsonb->>'text' then notes
    else case when jsonb_array_length(notes) < ${mostNotes} then notes else notes - 0 end
      || ${note}::jsonb
  end`

/** As `withNote` takes it. */
function toNote(text: string | null | undefined, by: { userId: number; now: Date }) {
  return text ? JSON.stringify({ text, at: isoTimeOf(by.now), by: by.userId }) : null
}

/**
 * Whoever takes an alert, or gives it to a colleague, has seen it. Only what is open is snoozed or closed.
 * One that is closed here is `dismissed` until its cause ends: no other one about it opens before.
 */
export async function change(
  tx: Queryable,
  organizationId: number,
  id: number,
  { assignee, snoozedUntil, note, isClosed, ...by }: AlertChange & { userId: number; now: Date },
): Promise<void> {
  await tx.query(
    `update alerts
     set assigned_to = case when $3::boolean then $4::bigint else assigned_to end,
       acknowledged_at = case when $4::bigint is null then acknowledged_at
         else coalesce(acknowledged_at, $10::timestamptz) end,
       acknowledged_by = case when $4::bigint is null then acknowledged_by
         else coalesce(acknowledged_by, $11::bigint) end,
       snoozed_until = case when $5::boolean and state = 'open' then $6::timestamptz else snoozed_until end,
       notes = case when not $7::boolean then notes when $8::jsonb is null then notes - -1
         else ${withNote('$8')} end,
       state = case when $9::boolean and state = 'open' then 'dismissed' else state end,
       closed_at = case when $9::boolean and state = 'open' then $10::timestamptz else closed_at end,
       closed_by = case when $9::boolean and state = 'open' then $11::bigint else closed_by end,
       details = case when $9::boolean and state = 'open' then details || '{"ended": "member"}'
         else details end
     where organization_id = $1 and id = $2`,
    [
      ...[organizationId, id, assignee !== undefined, assignee ?? null],
      ...[snoozedUntil !== undefined, snoozedUntil ?? null, note !== undefined, toNote(note, by)],
      ...[isClosed, by.now, by.userId],
    ],
  )
}

/** Who has seen the alerts. The first one counts. */
export async function acknowledge(
  db: Queryable,
  organizationId: number,
  chosen: { ids: readonly number[] | undefined; rule: number | undefined },
  by: { userId: number; note: string | null; now: Date },
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `with seen as (
       update alerts
       set acknowledged_at = coalesce(acknowledged_at, $4),
         acknowledged_by = coalesce(acknowledged_by, $5),
         notes = case when $6::jsonb is null then notes else ${withNote('$6')} end
       where organization_id = $1
         and ($2::bigint[] is null and state = 'open' and acknowledged_at is null
           or id = any($2) and state <> 'pending')
         and ($3::bigint is null or rule_id = $3)
       returning id
     )
     select count(*) from seen`,
    [
      ...[organizationId, chosen.ids ?? null, chosen.rule ?? null],
      ...[by.now, by.userId, toNote(by.note, by)],
    ],
  )
  return rows[0]?.count ?? 0
}
