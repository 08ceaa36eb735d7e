import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { type Reference, referredDevice } from '../../fleet/inventory/references.ts'
import type { AlertKind, AlertState } from './alert-kinds.ts'
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
  ended?: 'rule_off' | 'out_of_scope'
  message?: string | null
}

/** An alert with the names of what it is about. */
export interface ListedAlert {
  id: number
  rule_id: number
  rule_name: string
  kind: AlertKind
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
  note: string | null
}

/** SQL: the columns of `ListedAlert`, and where they come from. `$1` is the organization. */
export const listedColumns = `alerts.id, alerts.rule_id, rules.name as rule_name, alerts.kind,
  alerts.state, alerts.began_at, alerts.opened_at, alerts.closed_at, alerts.value, alerts.bound,
  alerts.details, alerts.told_at, alerts.device_id, devices.device_eui, devices.name as device_name,
  devices.type_id as device_type_id,
  alerts.gateway_id, gateways.gateway_eui, gateways.name as gateway_name, alerts.cause_gateway_id,
  causes.gateway_eui as cause_eui, causes.name as cause_name, alerts.acknowledged_at,
  alerts.acknowledged_by, trim(users.first_name || ' ' || users.last_name) as acknowledged_name,
  alerts.note`

export const listedJoins = `join alert_rules as rules
    on rules.organization_id = $1 and rules.id = alerts.rule_id
  left join devices
    on devices.organization_id = $1 and devices.id = alerts.device_id
  left join gateways
    on gateways.organization_id = $1 and gateways.id = alerts.gateway_id
  left join gateways as causes
    on causes.organization_id = $1 and causes.id = alerts.cause_gateway_id
  left join users on users.id = alerts.acknowledged_by`

export interface AlertFilter {
  state: AlertState | undefined
  kind: AlertKind | undefined
  rule: number | undefined
  device: number | undefined
  gateway: number | undefined
  isAcknowledged: boolean | undefined
}

/** Newest first, below the id `before`. */
export function list(
  db: Queryable,
  organizationId: number,
  { state, kind, rule, device, gateway, isAcknowledged }: AlertFilter,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ListedAlert[]> {
  return db.query<ListedAlert>(
    `select ${listedColumns}
     from (
       select * from alerts
       where alerts.organization_id = $1 and alerts.state <> 'pending'
         and alerts.id < coalesce($2, 9223372036854775807)
         ${state === 'open' ? `and alerts.state = 'open'` : ''}
         ${state === 'closed' ? `and alerts.state = 'closed'` : ''}
         and ($3::text is null or alerts.kind = $3)
         and ($4::bigint is null or alerts.rule_id = $4)
         ${device === undefined ? 'and $5::bigint is null' : 'and alerts.device_id = $5'}
         ${gateway === undefined ? 'and $6::bigint is null' : 'and alerts.gateway_id = $6'}
         and ($7::boolean is null or (alerts.acknowledged_at is not null) = $7)
       order by alerts.id desc
       limit $8
     ) as alerts
     ${listedJoins}
     order by alerts.id desc`,
    [organizationId, before, kind, rule, device, gateway, isAcknowledged, limit],
  )
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

/** Counts the open alerts, in an index that holds only them. */
export async function countOpen(
  db: Queryable,
  organizationId: number,
): Promise<{ open: number; unacknowledged: number }> {
  const rows = await db.query<{ open: number; unacknowledged: number }>(
    `select count(*) as open, count(*) filter (where acknowledged_at is null) as unacknowledged
     from alerts where organization_id = $1 and state = 'open'`,
    [organizationId],
  )
  return rows[0] ?? { open: 0, unacknowledged: 0 }
}

/** Who has seen the alerts. The first one counts; another note replaces the former. */
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
         acknowledged_by = coalesce(acknowledged_by, $5), note = coalesce($6, note)
       where organization_id = $1
         and ($2::bigint[] is null and state = 'open' and acknowledged_at is null
           or id = any($2) and state <> 'pending')
         and ($3::bigint is null or rule_id = $3)
       returning id
     )
     select count(*) from seen`,
    [organizationId, chosen.ids ?? null, chosen.rule ?? null, by.now, by.userId, by.note],
  )
  return rows[0]?.count ?? 0
}
