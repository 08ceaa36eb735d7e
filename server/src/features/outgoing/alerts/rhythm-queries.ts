import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { latestOf } from '../../../uplinks/rows/by-ordinal.ts'
import { isSilent } from '../../fleet/inventory/coarse-states.ts'
import type { SilenceSettings } from './alert-kinds.ts'
import type { StoredRule } from './rule-queries.ts'

/** Intervals of a device from which its rhythm is learnt. */
const learntIntervals = 20
/** With fewer, the longest silence that a rule allows counts. */
const fewestIntervals = 3
/** Devices that one transaction learns. */
const mostLearnt = 2_000

/** How often a device sends. */
interface Rhythm {
  /** The median of its last intervals, and the ninth of ten. */
  interval_seconds: number
  long_seconds: number
}

/** A device that was not heard for a while. */
export interface QuietDevice extends Rhythm {
  id: number
  last_seen: Moment
  silent_seconds: number
}

/** Rhythms that are to be learnt, again or for the first time, have null here. */
type FoundDevice = Omit<QuietDevice, keyof Rhythm> & {
  [Key in keyof Rhythm]: number | null
}

export interface QuietDevices {
  /** None while there are more rhythms to learn. */
  devices: QuietDevice[]
  /** There are more rhythms to learn than one transaction takes. */
  hasMore: boolean
}

/** The seconds for which a device may be silent. */
export function limitOf(
  { interval_seconds, long_seconds }: Rhythm,
  { missed, at_least_minutes, at_most_minutes }: SilenceSettings,
): number {
  const own = Math.max(interval_seconds * missed, long_seconds * 1.5, at_least_minutes * 60)
  return Math.min(own, at_most_minutes * 60)
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
  const found = await readQuietDevices(tx, organizationId, rules, now)
  const unlearnt = found.filter(({ interval_seconds }) => interval_seconds === null)
  const learning = unlearnt.slice(0, mostLearnt).map(({ id }) => id)
  const learnt = await learnRhythms(tx, organizationId, { ids: learning, now })
  if (unlearnt.length > mostLearnt) return { devices: [], hasMore: true }
  const devices = found.map((device) => ({ ...device, ...learnt.get(device.id) }))
  return { devices: devices.filter(isKnown), hasMore: false }
}

function isKnown(device: FoundDevice): device is QuietDevice {
  return device.interval_seconds !== null
}

/**
 * A rhythm is learnt again after a day with further uplinks, and when the device is about to count as
 * silent. Deleted devices keep their states.
 */
function readQuietDevices(
  tx: Queryable,
  organizationId: number,
  rules: readonly StoredRule[],
  now: Date,
): Promise<FoundDevice[]> {
  const settings = rules.map((rule) => rule.settings as SilenceSettings)
  const missed = Math.min(...settings.map((rule) => rule.missed))
  const least = Math.min(...settings.map((rule) => rule.at_least_minutes)) * 60
  const most = Math.min(...settings.map((rule) => rule.at_most_minutes)) * 60
  const quietSince = new Date(now.getTime() - least * 1000)
  const ids = rules.map(({ id }) => id)
  return tx.query<FoundDevice>(
    `select states.device_id as id, states.last_seen,
       extract(epoch from $3::timestamptz - states.last_seen)::double precision as silent_seconds,
       case when not is_old then known.interval_seconds end as interval_seconds,
       case when not is_old then known.long_seconds end as long_seconds
     from device_states as states
     left join alert_rhythms as known
       on known.organization_id = $1 and known.device_id = states.device_id
     cross join lateral (
       select known.device_id is null or known.learnt_at < states.last_seen and (
         known.learnt_at < $3::timestamptz - interval '1 day'
         or states.last_seen + make_interval(secs => known.interval_seconds * 2) < $3::timestamptz
       ) as is_old
     ) as rhythm
     where states.organization_id = $1 and ${isSilent('$2::timestamptz')}
       and states.last_seen is not null
       and (is_old or states.last_seen + make_interval(secs => least(greatest(
         known.interval_seconds * $4::double precision, known.long_seconds * 1.5,
         $5::double precision
       ), $6::double precision)) < $3::timestamptz)
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
    [organizationId, quietSince, now, missed, least, most, ids],
  )
}

const latestUplinks = latestOf('uplinks.event_time', {
  device: 'asked.device_id',
  count: 'states.uplink_count',
  most: String(learntIntervals + 1),
})

/** Learns how often devices send: two or three index ranges a day for most of them. */
async function learnRhythms(
  tx: Queryable,
  organizationId: number,
  { ids, now }: { ids: readonly number[]; now: Date },
): Promise<Map<number, Rhythm>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<Rhythm & { device_id: number }>(
    `insert into alert_rhythms
       (organization_id, device_id, interval_seconds, long_seconds, learnt_at)
     select $1, asked.device_id, intervals.middle, intervals.long, $2
     from unnest($3::bigint[]) as asked (device_id)
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
           select uplinks.event_time
           from device_states as states
           cross join lateral ${latestUplinks} as uplinks
           where states.organization_id = $1 and states.device_id = asked.device_id
         ) as last
       ) as gaps
     ) as intervals
     on conflict (organization_id, device_id) do update
     set interval_seconds = excluded.interval_seconds, long_seconds = excluded.long_seconds,
       learnt_at = excluded.learnt_at
     returning device_id, interval_seconds, long_seconds`,
    [organizationId, now, ids],
  )
  return new Map(rows.map(({ device_id, ...rhythm }) => [device_id, rhythm]))
}
