import type { Queryable } from '../../../db/connect.ts'
import { latestOf } from '../../../uplinks/rows/by-ordinal.ts'

/** Intervals of a device from which its rhythm is learnt. */
const learntIntervals = 20
/** With fewer, its rhythm is unknown. */
const fewestIntervals = 3

/** So many usual intervals without an uplink are silence. */
export const missedIntervals = 3
/** No shorter silence counts, in seconds. */
export const leastSilence = 3600

/** How often a device sends; null while that is unknown. */
export interface Rhythm {
  /** The median of its last intervals, and the ninth of ten. */
  interval_seconds: number | null
  long_seconds: number | null
}

/** Organizations with devices whose rhythm is to be looked at. */
export async function listDue(db: Queryable, now: Date): Promise<number[]> {
  const rows = await db.query<{ organization_id: number }>(
    `select organization_id from device_states where seen_period >= 0 and not has_rhythm
     union
     select rhythms.organization_id from device_rhythms as rhythms
     join device_states as states on states.organization_id = rhythms.organization_id
       and states.device_id = rhythms.device_id
     where rhythms.due_at < $1 and states.uplink_count > rhythms.learnt_count`,
    [now],
  )
  return rows.map(({ organization_id }) => organization_id)
}

/** Devices that were heard since they were looked at, and are known: they are looked at later. */
export async function postpone(db: Queryable, organizationId: number, now: Date): Promise<void> {
  // In seconds, since a machine of Citus adds no interval to a column in an update.
  await db.query(
    `update device_rhythms as rhythms
     set due_at = to_timestamp(extract(epoch from states.last_seen - to_timestamp(0)) + rhythms.silent_seconds)
     from device_states as states
     where rhythms.organization_id = $1 and states.organization_id = $1
       and states.device_id = rhythms.device_id and rhythms.due_at < $2
       and rhythms.learnt_at > $2::timestamptz - interval '1 day'
       and extract(epoch from $2::timestamptz - states.last_seen) <= rhythms.silent_seconds`,
    [organizationId, now],
  )
}

/** Devices that are to be learnt, for the first time or again. */
export async function listUnlearnt(
  db: Queryable,
  organizationId: number,
  { now, most }: { now: Date; most: number },
): Promise<number[]> {
  const rows = await db.query<{ device_id: number }>(
    `select device_id from (
       select device_id from device_states
       where organization_id = $1 and seen_period >= 0 and not has_rhythm
       union
       select states.device_id from device_rhythms as rhythms
       join device_states as states on states.organization_id = $1
         and states.device_id = rhythms.device_id
       where rhythms.organization_id = $1 and rhythms.due_at < $2
         and states.uplink_count > rhythms.learnt_count
     ) as unlearnt
     order by device_id limit $3`,
    [organizationId, now, most],
  )
  return rows.map(({ device_id }) => device_id)
}

const latestUplinks = latestOf('uplinks.event_time', {
  device: 'asked.device_id',
  count: 'states.uplink_count',
  most: String(learntIntervals + 1),
})

/** SQL: null with too few intervals. */
const percentile = (part: number) => `case when count(seconds) >= ${fewestIntervals}
    then percentile_cont(${part}) within group (order by seconds) end`

/**
 * Learns how often devices send, from an index range of each. A device that sends in bursts, such as a
 * door sensor, is judged by its long intervals.
 */
export async function learn(
  db: Queryable,
  organizationId: number,
  { ids, now }: { ids: readonly number[]; now: Date },
): Promise<Map<number, Rhythm>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Rhythm & { device_id: number }>(
    `insert into device_rhythms (
       organization_id, device_id, interval_seconds, long_seconds, silent_seconds, learnt_at,
       learnt_count, due_at
     )
     select states.organization_id, asked.device_id, intervals.middle, intervals.long, silence.seconds, $2,
       states.uplink_count,
       states.last_seen + make_interval(secs => coalesce(silence.seconds, ${leastSilence}))
     from unnest($3::bigint[]) as asked (device_id)
     join device_states as states on states.organization_id = $1
       and states.device_id = asked.device_id and states.last_seen is not null
     cross join lateral (
       select ${percentile(0.5)} as middle, ${percentile(0.9)} as long
       from (
         select extract(epoch from last.event_time
           - lead(last.event_time) over (order by last.event_time desc))::double precision
           as seconds
         from ${latestUplinks} as last
       ) as gaps
     ) as intervals
     cross join lateral (
       select case when intervals.middle is not null then greatest(
         intervals.middle * ${missedIntervals}, intervals.long * 1.5, ${leastSilence}
       ) end as seconds
     ) as silence
     order by asked.device_id
     on conflict (organization_id, device_id) do update
     set interval_seconds = excluded.interval_seconds, long_seconds = excluded.long_seconds,
       silent_seconds = excluded.silent_seconds, learnt_at = excluded.learnt_at,
       learnt_count = excluded.learnt_count, due_at = excluded.due_at
     returning device_id, interval_seconds, long_seconds`,
    [organizationId, now, ids],
  )
  return new Map(rows.map(({ device_id, ...rhythm }) => [device_id, rhythm]))
}

/** Leaves out those that uplinks are just stored for: they are learnt again. */
export async function noteLearnt(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await db.query(
    `update device_states set has_rhythm = true
     where organization_id = $1 and device_id in (
       select device_id from device_states
       where organization_id = $1 and device_id = any($2::bigint[]) and not has_rhythm
       order by device_id
       for update skip locked
     )`,
    [organizationId, ids],
  )
}
