import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { latestUplink } from '../../../uplinks/rows/by-ordinal.ts'
import { receptionsOf } from '../../../uplinks/rows/receptions.ts'
import {
  leastMinutes,
  missedUplinks,
  mostMinutes,
  ofUsual,
  silenceLimit,
} from '../../fleet/gateways/gateway-verdict-queries.ts'
import { isUnheard } from '../../fleet/inventory/coarse-states.ts'
import { learn, type Rhythm } from '../../fleet/inventory/rhythm-queries.ts'
import { havingTag } from '../../fleet/inventory/tags.ts'
import { beginningHours } from '../../fleet/inventory/verdict-queries.ts'
import { findVerdictWindow } from '../../people/organizations/organization-queries.ts'
import type { SettingsOf, SilenceSettings } from './alert-kinds.ts'
import type { StoredRule } from './rule-queries.ts'
import { hasNoAlert, isInScope, lasts, mostOpened } from './scope-queries.ts'

/** Devices that one transaction learns. */
const mostLearnt = 2_000

/** A device that was not heard for a while. */
export interface QuietDevice extends Rhythm {
  id: number
  /** When it was registered, if it was never heard. */
  last_seen: Moment
  is_never_heard: boolean
  silent_seconds: number
}

type FoundDevice = QuietDevice & { is_old: boolean }

export interface QuietDevices {
  /** Hours of `findVerdictWindow`. */
  window: number
  /** None while there are more rhythms to learn. */
  devices: QuietDevice[]
  /** There are more rhythms to learn than one transaction takes. */
  hasMore: boolean
}

/**
 * The seconds for which a device may be silent. Without settings of its own a rule follows the verdict
 * of devices (verdict-queries.ts).
 */
export function limitOf(
  { interval_seconds, long_seconds }: Rhythm,
  { missed, at_least_minutes, at_most_minutes }: SilenceSettings,
  window: number,
): number {
  const most = at_most_minutes === null ? undefined : at_most_minutes * 60
  if (interval_seconds === null || long_seconds === null) return most ?? window * 3600
  const own = Math.max(interval_seconds * missed, long_seconds * 1.5, at_least_minutes * 60)
  return Math.min(own, most ?? own)
}

/**
 * Finds the devices that may be silent by one of the rules and have no alert of each, and learns the
 * rhythms that are missing. It reads the states of an organization once, whatever the number of rules,
 * and none of a half day that ends later than the least time of the rules.
 */
export async function findQuietDevices(
  tx: Queryable,
  organizationId: number,
  rules: readonly StoredRule[],
  now: Date,
): Promise<QuietDevices> {
  const window = await findVerdictWindow(tx, organizationId)
  const found = await readQuietDevices(tx, organizationId, rules, { now, window })
  const unlearnt = found.filter(({ is_old }) => is_old)
  const learning = unlearnt.slice(0, mostLearnt).map(({ id }) => id)
  const learnt = await learn(tx, organizationId, { ids: learning, now })
  if (unlearnt.length > mostLearnt) return { devices: [], window, hasMore: true }
  const devices = found.map((device) => ({ ...device, ...learnt.get(device.id) }))
  return { devices, window, hasMore: false }
}

/**
 * A rhythm is learnt again after a day with further uplinks, and when the device is about to count as
 * silent. Deleted devices keep their states.
 */
function readQuietDevices(
  tx: Queryable,
  organizationId: number,
  rules: readonly StoredRule[],
  { now, window }: { now: Date; window: number },
): Promise<FoundDevice[]> {
  const settings = rules.map((rule) => rule.settings as SilenceSettings)
  const missed = Math.min(...settings.map((rule) => rule.missed))
  const least = Math.min(...settings.map((rule) => rule.at_least_minutes)) * 60
  const bounds = settings.map((rule) => rule.at_most_minutes ?? window * 60)
  const known = settings.map((rule) => rule.at_most_minutes ?? Number.POSITIVE_INFINITY)
  const [most, mostKnown] = [Math.min(...bounds) * 60, Math.min(...known) * 60]
  const quietSince = new Date(now.getTime() - least * 1000)
  const ids = rules.map(({ id }) => id)
  return tx.query<FoundDevice>(
    `select states.device_id as id, since.time as last_seen,
       states.last_seen is null as is_never_heard,
       extract(epoch from $3::timestamptz - since.time)::double precision as silent_seconds,
       known.interval_seconds, known.long_seconds, is_old
     from device_states as states
     left join device_rhythms as known
       on known.organization_id = $1 and known.device_id = states.device_id
     left join devices as fresh on states.last_seen is null
       and fresh.organization_id = $1 and fresh.id = states.device_id
     cross join lateral (
       select coalesce(states.last_seen, fresh.created_at) as time
     ) as since
     cross join lateral (
       select states.last_seen is not null and (known.device_id is null or known.learnt_count < states.uplink_count and (
         known.interval_seconds is null
         or known.learnt_at < $3::timestamptz - interval '1 day'
         or states.last_seen + make_interval(secs => known.interval_seconds * 2) < $3::timestamptz
       )) as is_old
     ) as rhythm
     where states.organization_id = $1 and ${isUnheard('$2::timestamptz')}
       and (is_old or extract(epoch from $3::timestamptz - since.time) > case
         when states.last_seen is null then ${beginningHours * 3600}
         when known.interval_seconds is null then $6::double precision
         else least(greatest(known.interval_seconds * $4::double precision,
           known.long_seconds * 1.5, $5::double precision), $8::double precision)
       end)
       and states.device_id not in (
         select gone.id from devices as gone
         where gone.organization_id = $1 and gone.deleted_at is not null
       )
       and states.device_id not in (
         select known.device_id from alerts as known
         where known.organization_id = $1 and known.rule_id = any($7::bigint[])
           and known.device_id is not null and known.state <> 'closed'
         group by known.device_id having count(*) = cardinality($7::bigint[])
       )`,
    [organizationId, quietSince, now, missed, least, most, ids, mostKnown],
  )
}

/**
 * SQL: how long each gateway that was ever heard may be silent, from its traffic by the hour of the
 * week before it was heard last. `missed`, `least` and `most` are values, the last two in seconds.
 */
const gatewayLimits = (missed: string, least: string, most: string) => `select gateways.id,
    gateways.eui, states.last_seen, ${silenceLimit(missed, least, most)}::double precision as seconds
  from gateways
  join gateway_states as states on states.organization_id = gateways.organization_id
    and states.gateway_id = gateways.id
  ${ofUsual}
  where gateways.organization_id = $1 and gateways.deleted_at is null
    and states.last_seen is not null`

const usualGatewayLimits = gatewayLimits(
  String(missedUplinks),
  String(leastMinutes * 60),
  String(mostMinutes * 60),
)

/**
 * SQL: the gateway that explains why a device is silent: the best of those that heard its last
 * uplink, if all of these are silent themselves.
 */
const causeOf = (device: string) => `(
    select case when bool_and(dead.id is not null)
      then (array_agg(dead.id order by reception.snr desc nulls last))[1] end
    from (
      select latest.receptions
      from device_states as states
      cross join lateral ${latestUplink('uplinks.receptions')} as latest
      where states.organization_id = $1 and states.device_id = ${device}
    ) as latest
    cross join lateral ${receptionsOf('latest')} as reception
    left join dead on dead.eui = upper(reception.gateway_eui)
  )`

/** One that was never heard has its time to begin, whatever the rule. */
function limitOfDevice(device: QuietDevice, settings: SilenceSettings, window: number): number {
  return device.is_never_heard ? beginningHours * 3600 : limitOf(device, settings, window)
}

/** Opens alerts of devices that are silent by the rule, among those that are quiet. Returns how many. */
export async function openSilentDevices(
  tx: Queryable,
  { organization_id, id, settings }: StoredRule,
  { quiet, now }: { quiet: QuietDevices; now: Date },
): Promise<number> {
  const { devices, window } = quiet
  const silent = devices
    .map((device) => ({
      ...device,
      limit: limitOfDevice(device, settings as SilenceSettings, window),
    }))
    .filter(({ silent_seconds, limit }) => silent_seconds > limit)
  if (silent.length === 0) return 0
  const rows = await tx.query<{ id: number }>(
    `with dead as materialized (
       select gateways.id, gateways.eui from (${usualGatewayLimits}) as gateways
       where gateways.last_seen + make_interval(secs => gateways.seconds) < $3::timestamptz
     ), asked as materialized (
       select asked.*
       from unnest($4::bigint[], $5::timestamptz[], $6::double precision[], $7::boolean[])
         as asked (id, last_seen, seconds, is_never_heard)
       where ${hasNoAlert('device_id', 'asked.id')}
     ), silent as materialized (
       select asked.*
       from asked
       join alert_rules as rule on rule.organization_id = $1 and rule.id = $2
       join devices on devices.organization_id = $1 and devices.id = asked.id
       where ${isInScope}
       order by asked.last_seen
       limit ${mostOpened}
     )
     insert into alerts (
       organization_id, rule_id, kind, device_id, state, began_at, changed_at, opened_at, bound,
       details, cause_gateway_id
     )
     select $1, $2, 'device_silent', silent.id, 'open', silent.last_seen, silent.last_seen, $3,
       silent.seconds, case when silent.is_never_heard
         then '{"message": "Never heard since its registration."}' else '{}' end::jsonb,
       ${causeOf('silent.id')}
     from silent
     on conflict do nothing
     returning id`,
    [
      organization_id,
      id,
      now,
      silent.map((device) => device.id),
      silent.map((device) => device.last_seen),
      silent.map((device) => device.limit),
      silent.map((device) => device.is_never_heard),
    ],
  )
  return rows.length
}

export async function openSilentGateways(
  tx: Queryable,
  { organization_id, id, network, tag, settings }: StoredRule,
  now: Date,
): Promise<number> {
  const { missed, at_least_minutes, at_most_minutes } = settings as SettingsOf<'gateway_silent'>
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
     from (${limits} and ($7::text is null or gateways.network = $7)
       and ($8::text is null or ${havingTag('gateways.tags', '$8::text')})) as limits
     where limits.last_seen + make_interval(secs => limits.seconds) < $3::timestamptz
       and ${hasNoAlert('gateway_id', 'limits.id')}
     limit ${mostOpened}
     on conflict do nothing
     returning id`,
    [
      ...[organization_id, id, now, missed, at_least_minutes * 60, at_most_minutes * 60],
      ...[network, tag],
    ],
  )
  return rows.length
}

/**
 * Closes the alerts of what is heard again. A message that comes late does not count: it must be
 * newer than half of the silence that opened the alert.
 */
function closing(subject: 'device' | 'gateway'): string {
  return `update alerts
    set state = 'closed', closed_at = coalesce(closed_at, $3), changed_at = states.last_seen,
      value = extract(epoch from states.last_seen - alerts.began_at)
    from ${subject}_states as states
    where alerts.organization_id = $1 and alerts.rule_id = $2 and ${lasts}
      and states.organization_id = $1 and states.${subject}_id = alerts.${subject}_id
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
