import type { Queryable } from '../../../db/connect.ts'
import { alertEvent, alertEventJoins } from './telling-queries.ts'

/** An alert that has opened or closed in this transaction. */
export interface ChangedAlert {
  id: number
  rule_id: number
  device_id: number | null
  at: 'open' | 'close'
}

/** Alerts of these rules that opened, or closed by themselves, just now, and of which nothing was done yet. */
export function listChanged(
  tx: Queryable,
  organizationId: number,
  rules: readonly number[],
  now: Date,
): Promise<ChangedAlert[]> {
  return tx.query<ChangedAlert>(
    `with changed as (
       select alerts.id, alerts.rule_id, alerts.device_id, 'open' as at
       from alerts
       where alerts.organization_id = $1 and alerts.state = 'open' and alerts.opened_at = $3
         and alerts.rule_id = any($2::bigint[])
       union all
       select alerts.id, alerts.rule_id, alerts.device_id, 'close'
       from alerts
       where alerts.organization_id = $1 and alerts.closed_at = $3 and alerts.state = 'closed'
         and alerts.rule_id = any($2::bigint[]) and alerts.details ->> 'ended' is null
     )
     select changed.* from changed
     where not exists (
       select from alert_actions as done
       where done.organization_id = $1 and done.alert_id = changed.id and done.at = changed.at
     )
     order by changed.id, changed.at desc`,
    [organizationId, rules, now],
  )
}

/** What rules did in the last hour. */
export async function countUsed(
  tx: Queryable,
  organizationId: number,
  rules: readonly number[],
  now: Date,
): Promise<Map<number, number>> {
  const rows = await tx.query<{ rule_id: number; count: number }>(
    `select rule_id, count(*) from alert_actions
     where organization_id = $1 and rule_id = any($2::bigint[]) and state <> 'limited'
       and created_at > $3::timestamptz - interval '1 hour'
     group by rule_id`,
    [organizationId, rules, now],
  )
  return new Map(rows.map(({ rule_id, count }) => [rule_id, count]))
}

/** Those of the devices that are at no network. */
export async function listRecordedOnly(
  tx: Queryable,
  organizationId: number,
  devices: readonly number[],
): Promise<Set<number>> {
  if (devices.length === 0) return new Set()
  const rows = await tx.query<{ id: number }>(
    `select id from devices
     where organization_id = $1 and id = any($2::bigint[]) and is_console_only`,
    [organizationId, devices],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Queues the event of an alert for one webhook, whatever events it has chosen. One that has chosen alerts gets
 * it already, unless the rule or the device is muted. Returns whether the webhook is there.
 */
export async function queueForWebhook(
  tx: Queryable,
  organizationId: number,
  { alert, at, webhook, now }: { alert: number; at: 'open' | 'close'; webhook: number; now: Date },
): Promise<boolean> {
  const [known] = await tx.query<{ events: string[] }>(
    'select events from webhooks where organization_id = $1 and id = $2 for key share',
    [organizationId, webhook],
  )
  if (!known) return false
  const isToldAnyway =
    known.events.includes('alert') && !(await isMuted(tx, organizationId, alert, now))
  if (isToldAnyway) return true
  await tx.query(
    `with event as materialized (
       select told.organization_id, coalesce(told.device_id, 0) as device_id, ${alertEvent} as data
       from alerts as told
       cross join (select $4::text as state) as step
       ${alertEventJoins}
       where told.organization_id = $1 and told.id = $2
     )
     insert into webhook_deliveries
       (organization_id, webhook_id, device_id, kind, data, happened_at, next_attempt_at)
     select organization_id, $3, device_id, 'alert', data, clock_timestamp(), 'epoch' from event`,
    [organizationId, alert, webhook, at === 'open' ? 'open' : 'closed'],
  )
  return true
}

async function isMuted(
  tx: Queryable,
  organizationId: number,
  alert: number,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `select alerts.id from alerts
     join alert_rules as rules on rules.organization_id = $1 and rules.id = alerts.rule_id
     left join alert_mutes as mutes
       on mutes.organization_id = $1 and mutes.device_id = alerts.device_id
     where alerts.organization_id = $1 and alerts.id = $2
       and (rules.muted_until > $3 or mutes.muted_until > $3)`,
    [organizationId, alert, now],
  )
  return rows.length > 0
}

export interface DoneAction {
  alert_id: number
  at: 'open' | 'close'
  place: number
  rule_id: number
  type: 'downlink' | 'webhook'
  state: 'done' | 'limited' | 'failed'
  message: string | null
  downlink_id: number | null
}

export async function insert(
  tx: Queryable,
  organizationId: number,
  { actions, now }: { actions: readonly DoneAction[]; now: Date },
): Promise<void> {
  await tx.query(
    `insert into alert_actions (
       organization_id, alert_id, at, place, rule_id, type, state, message, downlink_id, created_at
     )
     select $1, alert_id, at, place, rule_id, type, state, message, downlink_id, $2
     from json_to_recordset($3::json) as given (
       alert_id bigint, at text, place integer, rule_id bigint, type text, state text,
       message text, downlink_id bigint
     )
     on conflict do nothing`,
    [organizationId, now, JSON.stringify(actions)],
  )
}
