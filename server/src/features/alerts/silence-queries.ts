import type { Queryable } from '../../db/connect.ts'
import { receptionsOf } from '../uplinks/stored-receptions.ts'
import type { SilenceSettings } from './alert-kinds.ts'
import type { StoredRule } from './rule-queries.ts'
import { hasNoAlert, isInScope, mostOpened } from './scope.ts'

/** Intervals of a device from which its rhythm is learnt. */
const learntIntervals = 20
/** With fewer, the longest silence that a rule allows counts. */
const fewestIntervals = 3
/** Devices that one transaction learns. */
const mostLearnt = 2_000

/**
 * Learns how often devices send that have not been heard for `seconds`: the median of their last
 * intervals, and the ninth of ten. A rhythm is learnt again after a day with further uplinks, and when
 * the device is about to count as silent: one index range a day for most devices. Returns how many
 * were learnt if there may be more.
 */
export async function learnRhythms(
  tx: Queryable,
  organizationId: number,
  { now, seconds }: { now: Date; seconds: number },
): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `with asked as (
       select states.device_id
       from device_states as states
       join devices on devices.organization_id = $1 and devices.id = states.device_id
         and devices.deleted_at is null
       left join alert_rhythms as known
         on known.organization_id = $1 and known.device_id = states.device_id
       where states.organization_id = $1
         and states.last_seen < $2::timestamptz - make_interval(secs => $3)
         and (known.device_id is null or known.learnt_at < states.last_seen and (
           known.learnt_at < $2::timestamptz - interval '1 day'
           or states.last_seen + make_interval(secs => known.interval_seconds * 2) < $2::timestamptz
         ))
       limit ${mostLearnt}
     ), learnt as (
       insert into alert_rhythms
         (organization_id, device_id, interval_seconds, long_seconds, learnt_at)
       select $1, asked.device_id, intervals.middle, intervals.long, $2
       from asked
       cross join lateral (
         select
           case when count(seconds) < ${fewestIntervals} then 1e9
             else percentile_cont(0.5) within group (order by seconds) end as middle,
           case when count(seconds) < ${fewestIntervals} then 1e9
             else percentile_cont(0.9) within group (order by seconds) end as long
         from (
           select extract(epoch from last.event_time
             - lead(last.event_time) over (order by last.event_time desc))::double precision
             as seconds
           from (
             select uplinks.event_time from uplinks
             where uplinks.organization_id = $1 and uplinks.device_id = asked.device_id
             order by uplinks.device_ordinal desc
             limit ${learntIntervals + 1}
           ) as last
         ) as gaps
       ) as intervals
       on conflict (organization_id, device_id) do update
       set interval_seconds = excluded.interval_seconds, long_seconds = excluded.long_seconds,
         learnt_at = excluded.learnt_at
       returning device_id
     )
     select count(*) from learnt`,
    [organizationId, now, seconds],
  )
  return rows[0]?.count === mostLearnt ? mostLearnt : 0
}

/**
 * SQL: how long each gateway that was ever heard may be silent, from its traffic by the hour of the
 * week before it was heard last. `missed`, `least` and `most` are values, the last two in seconds.
 */
const gatewayLimits = (missed: string, least: string, most: string) => `select gateways.id,
    gateways.eui, states.last_seen, least(greatest(coalesce(
      ${missed} * 3600.0 * hours.count / nullif(hours.uplinks, 0), 3600
    ), ${least}), ${most})::double precision as seconds
  from gateways
  join gateway_states as states on states.organization_id = gateways.organization_id
    and states.gateway_id = gateways.id
  left join lateral (
    select count(*) - 1 as count, max(notes.uplink_count) - min(notes.uplink_count) as uplinks
    from gateway_hours as notes
    where notes.organization_id = $1 and notes.gateway_id = gateways.id
      and notes.hour <= states.last_seen and notes.hour > states.last_seen - interval '7 days'
  ) as hours on true
  where gateways.organization_id = $1 and gateways.deleted_at is null
    and states.last_seen is not null`

/**
 * SQL: the gateway that explains why a device is silent: the best of those that heard its last
 * uplink, if all of these are silent themselves.
 */
const causeOf = (device: string) => `(
    select case when bool_and(dead.id is not null)
      then (array_agg(dead.id order by reception.snr desc nulls last))[1] end
    from (
      select latest.receptions, latest.gateways from uplinks as latest
      where latest.organization_id = $1 and latest.device_id = ${device}
      order by latest.device_ordinal desc
      limit 1
    ) as latest
    cross join lateral ${receptionsOf('latest')} as reception
    left join dead on dead.eui = upper(reception.gateway_eui)
  )`

/** Opens alerts of silent devices. Returns how many. */
export async function openSilentDevices(
  tx: Queryable,
  { organization_id, id, settings }: StoredRule,
  now: Date,
): Promise<number> {
  const { missed, at_least_minutes, at_most_minutes } = settings as SilenceSettings
  const rows = await tx.query<{ id: number }>(
    `with dead as materialized (
       select gateways.id, gateways.eui from (${gatewayLimits('10', '900', '86400')}) as gateways
       where gateways.last_seen + make_interval(secs => gateways.seconds) < $3::timestamptz
     ), silent as materialized (
       select devices.id, states.last_seen, limits.seconds
       from alert_rules as rule
       join devices on devices.organization_id = rule.organization_id
       join device_states as states on states.organization_id = devices.organization_id
         and states.device_id = devices.id
       join alert_rhythms as rhythms on rhythms.organization_id = devices.organization_id
         and rhythms.device_id = devices.id
       cross join lateral (
         select least(greatest(
           rhythms.interval_seconds * $4::double precision, rhythms.long_seconds * 1.5,
           $5::double precision
         ), $6::double precision) as seconds
       ) as limits
       where rule.organization_id = $1 and rule.id = $2 and ${isInScope}
         and states.last_seen < $3::timestamptz - make_interval(secs => $5)
         and states.last_seen + make_interval(secs => limits.seconds) < $3::timestamptz
         and ${hasNoAlert('device_id', 'devices.id')}
       order by states.last_seen
       limit ${mostOpened}
     )
     insert into alerts (
       organization_id, rule_id, kind, device_id, state, began_at, changed_at, opened_at, bound,
       cause_gateway_id
     )
     select $1, $2, 'device_silent', silent.id, 'open', silent.last_seen, silent.last_seen, $3,
       silent.seconds, ${causeOf('silent.id')}
     from silent
     on conflict do nothing
     returning id`,
    [organization_id, id, now, missed, at_least_minutes * 60, at_most_minutes * 60],
  )
  return rows.length
}

export async function openSilentGateways(
  tx: Queryable,
  { organization_id, id, network, settings }: StoredRule,
  now: Date,
): Promise<number> {
  const { missed, at_least_minutes, at_most_minutes } = settings as SilenceSettings
  const limits = gatewayLimits(
    '$4::double precision',
    '$5::double precision',
    '$6::double precision',
  )
  const rows = await tx.query<{ id: number }>(
    `insert into alerts (
       organization_id, rule_id, kind, gateway_id, state, began_at, changed_at, opened_at, bound
     )
     select $1, $2, 'gateway_silent', limits.id, 'open', limits.last_seen, limits.last_seen, $3,
       limits.seconds
     from (${limits} and ($7::text is null or gateways.network = $7)) as limits
     where limits.last_seen + make_interval(secs => limits.seconds) < $3::timestamptz
       and ${hasNoAlert('gateway_id', 'limits.id')}
     limit ${mostOpened}
     on conflict do nothing
     returning id`,
    [organization_id, id, now, missed, at_least_minutes * 60, at_most_minutes * 60, network],
  )
  return rows.length
}

/**
 * Closes the alerts of what is heard again. A message that comes late does not count: it must be
 * newer than half of the silence that opened the alert.
 */
function closing(subject: 'device' | 'gateway'): string {
  return `update alerts
    set state = 'closed', closed_at = $3, changed_at = states.last_seen,
      value = extract(epoch from states.last_seen - alerts.began_at)
    from ${subject}_states as states
    where alerts.organization_id = $1 and alerts.rule_id = $2 and alerts.state = 'open'
      and states.organization_id = $1 and states.${subject}_id = alerts.${subject}_id
      and states.last_seen > alerts.began_at
      and extract(epoch from $3::timestamptz - states.last_seen) < alerts.bound / 2
    returning alerts.id`
}

const closings = { device: closing('device'), gateway: closing('gateway') }

export async function closeHeard(
  tx: Queryable,
  { organization_id, id }: StoredRule,
  subject: 'device' | 'gateway',
  now: Date,
): Promise<number> {
  return (await tx.query(closings[subject], [organization_id, id, now])).length
}
