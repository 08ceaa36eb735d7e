import type { Queryable } from '../../../db/connect.ts'
import type { StoredRule } from './rule-queries.ts'
import { hasNoAlert, isGatewayInScope, isInScope, lasts, mostOpened } from './scope-queries.ts'

/** What the rows of devices and gateways tell, without any uplink. */

/** Opens alerts of registrations that failed: of devices, and of gateways where none is chosen. */
export async function openFailedRegistrations(
  tx: Queryable,
  { organization_id, id }: StoredRule,
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    // Apart, since Citus takes nothing recursive in the source of an insert.
    `with failed as materialized (
       select devices.id as device_id, null::bigint as gateway_id,
         coalesce(devices.refused_at, devices.updated_at) as began_at,
         devices.register_error as message
       from alert_rules as rule
       join devices on devices.organization_id = rule.organization_id
       where rule.organization_id = $1 and rule.id = $2 and ${isInScope}
         and devices.register_status = 'register_error'
         and ${hasNoAlert('device_id', 'devices.id')}
       union all
       select null, gateways.id, coalesce(gateways.refused_at, gateways.updated_at),
         gateways.register_error
       from alert_rules as rule
       join gateways on gateways.organization_id = rule.organization_id
       where rule.organization_id = $1 and rule.id = $2 and ${isGatewayInScope}
         and rule.device_id is null and rule.group_id is null and rule.type_id is null
         and gateways.register_status = 'register_error'
         and ${hasNoAlert('gateway_id', 'gateways.id')}
       limit ${mostOpened}
     )
     insert into alerts (
       organization_id, rule_id, kind, device_id, gateway_id, state, began_at, changed_at,
       opened_at, details
     )
     select $1, $2, 'registration_error', failed.device_id, failed.gateway_id, 'open',
       failed.began_at, failed.began_at, $3, jsonb_build_object('message', failed.message)
     from failed
     on conflict do nothing
     returning id`,
    [organization_id, id, now],
  )
  return rows.length
}

export async function closeMendedRegistrations(
  tx: Queryable,
  { organization_id, id }: StoredRule,
  now: Date,
): Promise<number> {
  const rows = await tx.query(
    `update alerts set state = 'closed', closed_at = coalesce(closed_at, $3), changed_at = $3
     where organization_id = $1 and rule_id = $2 and ${lasts}
       and not exists (
         select from devices
         where devices.organization_id = $1 and devices.id = alerts.device_id
           and devices.register_status = 'register_error'
       )
       and not exists (
         select from gateways
         where gateways.organization_id = $1 and gateways.id = alerts.gateway_id
           and gateways.register_status = 'register_error'
       )
     returning id`,
    [organization_id, id, now],
  )
  return rows.length
}

/** SQL: what an alert of the rule is about is deleted, or no longer in its scope. */
const isOutOfScope = `alerts.organization_id = $1 and alerts.rule_id = $2
  and not exists (
    select from alert_rules as rule
    join devices on devices.organization_id = rule.organization_id
    where rule.organization_id = $1 and rule.id = $2 and devices.id = alerts.device_id
      and ${isInScope}
  )
  and not exists (
    select from alert_rules as rule
    join gateways on gateways.organization_id = rule.organization_id
    where rule.organization_id = $1 and rule.id = $2 and gateways.id = alerts.gateway_id
      and ${isGatewayInScope}
  )`

/** Ends alerts about what is deleted, or no longer in the rule's scope. Nobody is told. */
export async function endOutOfScope(
  tx: Queryable,
  { organization_id, id, kind }: StoredRule,
  now: Date,
): Promise<number> {
  if (kind === 'threshold' || kind === 'condition') {
    await tx.query(
      `delete from alerts
       where ${isOutOfScope} and alerts.state = 'pending' and alerts.device_id is not null`,
      [organization_id, id],
    )
  }
  const rows = await tx.query(
    `update alerts
     set state = 'closed', closed_at = coalesce(closed_at, $3), back_told_at = $3,
       details = '{"ended": "out_of_scope"}' || alerts.details
     where ${isOutOfScope} and ${lasts}
     returning id`,
    [organization_id, id, now],
  )
  return rows.length
}

/** Opens what has been beyond its threshold for long enough, though nothing was read since. */
export async function openLasting(
  tx: Queryable,
  { organization_id, id }: StoredRule,
  { minutes, now }: { minutes: number; now: Date },
): Promise<number> {
  const rows = await tx.query(
    `update alerts set state = 'open', opened_at = $3
     where organization_id = $1 and rule_id = $2 and state = 'pending' and device_id is not null
       and began_at <= $3::timestamptz - make_interval(mins => $4::integer)
     returning id`,
    [organization_id, id, now, minutes],
  )
  return rows.length
}
