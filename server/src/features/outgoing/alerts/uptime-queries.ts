import type { Queryable } from '../../../db/connect.ts'
import { uptimeSince } from '../../fleet/gateways/outage-queries.ts'
import type { SettingsOf } from './alert-kinds.ts'
import type { StoredRule } from './rule-queries.ts'
import { hasNoAlert, isGatewayInScope, lasts, mostOpened } from './scope-queries.ts'

/** A gateway that was just installed has a day to settle. */
const leastKnown = '1 day'

const uptime = uptimeSince('$4::timestamptz', '$3::timestamptz')

/** When the days that a rule asks for began. */
function beginOf(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 24 * 60 * 60 * 1000)
}

/** Opens alerts of gateways whose uptime is below that of the rule. */
export async function openLowUptimes(
  tx: Queryable,
  { organization_id, id, settings }: StoredRule,
  now: Date,
): Promise<number> {
  const { days, percent } = settings as SettingsOf<'gateway_uptime'>
  const rows = await tx.query(
    // A CTE, since Citus can't plan this from a subquery.
    `with judged as materialized (
       select gateways.id, ${uptime} as uptime
       from alert_rules as rule
       join gateways on gateways.organization_id = rule.organization_id
       join gateway_states as states on states.organization_id = gateways.organization_id
         and states.gateway_id = gateways.id
       where rule.organization_id = $1 and rule.id = $2 and ${isGatewayInScope}
         and states.first_seen < $3::timestamptz - interval '${leastKnown}'
         and ${hasNoAlert('gateway_id', 'gateways.id')}
     )
     insert into alerts (
       organization_id, rule_id, kind, gateway_id, state, began_at, changed_at, opened_at, value,
       bound, details
     )
     select $1, $2, 'gateway_uptime', judged.id, 'open', $3, $3, $3,
       floor(judged.uptime * 100) / 100, $5,
       jsonb_build_object('days', $6::integer)
     from judged
     where judged.uptime < $5::double precision
     limit ${mostOpened}
     on conflict do nothing
     returning id`,
    [organization_id, id, now, beginOf(now, days), percent, days],
  )
  return rows.length
}

/** Closes the alerts of gateways whose uptime is no longer below that of the rule. */
export async function closeGoodUptimes(
  tx: Queryable,
  { organization_id, id, settings }: StoredRule,
  now: Date,
): Promise<number> {
  const { days, percent } = settings as SettingsOf<'gateway_uptime'>
  const rows = await tx.query(
    `update alerts
     set state = 'closed', closed_at = coalesce(closed_at, $3), changed_at = $3
     from gateway_states as states
     where alerts.organization_id = $1 and alerts.rule_id = $2 and ${lasts}
       and states.organization_id = $1 and states.gateway_id = alerts.gateway_id
       and ${uptime} >= $5::double precision
     returning alerts.id`,
    [organization_id, id, now, beginOf(now, days), percent],
  )
  return rows.length
}
