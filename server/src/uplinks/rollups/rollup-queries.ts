import type { Queryable } from '../../db/connect.ts'
import { numberArray, textArray } from '../../db/statements.ts'
import type { Moment } from '../../http/timestamps.ts'
import { firstCustomTypeId } from '../../sensors/index.ts'
import { between, byOrdinals } from '../rows/by-ordinal.ts'
import { inHour } from '../rows/by-time.ts'
import { numbersOf } from '../rows/numbers.ts'

/** Names of one device in one hour, in their order: a codec may make up new ones for each frame. */
const mostNames = 200
/** Characters of a name. Longer ones cannot be asked for. */
export const longestName = 255

/**
 * SQL: notes the hours of uplinks, rows of `changed` with `device_id` and `event_time`, to be rolled up
 * again. A note that is being worked off is waited for, and then made again.
 */
export const noteChanged = (changed: string) => `
  insert into rollup_changes (organization_id, device_id, hour)
  select distinct $1::bigint, ${changed}.device_id, date_trunc('hour', ${changed}.event_time, 'UTC')
  from ${changed}
  on conflict do nothing`

/** SQL: above which ordinal uplinks of organization `$1` are not rolled up yet, and the last of them. */
export const notRolledUp = `
  select greatest(coalesce(cursor.uplink_ordinal, 0), counter.first_ordinal - 1) as after,
    counter.uplink_count as up_to
  from organization_counters as counter
  left join rollup_cursors as cursor on cursor.organization_id = counter.organization_id
  where counter.organization_id = $1`

/**
 * Organizations with something to roll up: one row of each counter, and one look at the changes. They
 * come in random order, for a run may end before the last of them has had its turn.
 */
export function listDue(db: Queryable): Promise<{ id: number }[]> {
  return db.query(
    // Apart, since uplinks may be on other machines (docs/scaling.md).
    `with living as materialized (select id from organizations where deletion_id is null)
     select living.id
     from living
     join organization_counters as counter on counter.organization_id = living.id
     left join rollup_cursors as cursor on cursor.organization_id = counter.organization_id
     where counter.uplink_count
         > greatest(coalesce(cursor.uplink_ordinal, 0), counter.first_ordinal - 1)
       or exists (
         select from rollup_changes as changes
         where changes.organization_id = counter.organization_id
       )
     order by random()`,
  )
}

/** The uplinks that are not rolled up yet. */
export interface Backlog {
  after: number
  up_to: number
}

/** Undefined where another process rolls up the same organization now, or it is gone. */
export async function lockCursor(
  tx: Queryable,
  organizationId: number,
): Promise<Backlog | undefined> {
  const held = await tx.query(
    'select from rollup_cursors where organization_id = $1 for update skip locked',
    [organizationId],
  )
  const made =
    held.length > 0 ||
    (
      await tx.query(
        `insert into rollup_cursors (organization_id) values ($1)
         on conflict do nothing returning organization_id`,
        [organizationId],
      )
    ).length > 0
  return made ? findBacklog(tx, organizationId) : undefined
}

export async function findBacklog(
  db: Queryable,
  organizationId: number,
): Promise<Backlog | undefined> {
  const [backlog] = await db.query<Backlog>(notRolledUp, [organizationId])
  return backlog
}

export async function moveCursor(
  tx: Queryable,
  organizationId: number,
  ordinal: number,
): Promise<void> {
  await tx.query('update rollup_cursors set uplink_ordinal = $2 where organization_id = $1', [
    organizationId,
    ordinal,
  ])
}

/** An hour of a device. */
export interface DeviceHour {
  device_id: number
  hour: Moment
}

/** The hours of new uplinks. */
export function findNewHours(
  tx: Queryable,
  organizationId: number,
  { after, up_to: upTo }: Backlog,
): Promise<DeviceHour[]> {
  return tx.query<DeviceHour>(
    `select distinct uplinks.device_id, date_trunc('hour', uplinks.event_time, 'UTC') as hour
     from ${between('uplinks.device_id, uplinks.event_time', '$2::bigint', '$3::bigint')} as uplinks`,
    [organizationId, after, upTo],
  )
}

/** Takes notes of changed hours away, at most so many. */
export function takeChanges(
  tx: Queryable,
  organizationId: number,
  most: number,
): Promise<DeviceHour[]> {
  return tx.query<DeviceHour>(
    `delete from rollup_changes
     where organization_id = $1 and (device_id, hour) in (
       select device_id, hour from rollup_changes
       where organization_id = $1 and hour > '-infinity'
       order by device_id, hour limit $2
     )
     returning device_id, hour`,
    [organizationId, most],
  )
}

/** SQL: notes all hours of devices, of rows of `changed` with `device_id`, to be rolled up again. */
export const noteDevices = (changed: string) => `
  insert into rollup_changes (organization_id, device_id, hour)
  select $1::bigint, ${changed}.device_id, '-infinity' from ${changed}
  on conflict do nothing`

/** Notes each hour of one of these devices. Returns whether there was one. */
export async function noteDeviceHours(tx: Queryable, organizationId: number): Promise<boolean> {
  const [taken] = await tx.query<{ device_id: number }>(
    `delete from rollup_changes
     where organization_id = $1 and hour = '-infinity' and device_id = (
       select device_id from rollup_changes
       where organization_id = $1 and hour = '-infinity' order by device_id limit 1
     )
     returning device_id`,
    [organizationId],
  )
  if (!taken) return false
  const ofDevice = byOrdinals('uplinks.device_id, uplinks.event_time', {
    device: '$2::bigint',
    first: 'states.first_ordinal',
    last: 'states.uplink_count',
  })
  await tx.query(
    `with changed as (
       select uplinks.device_id, uplinks.event_time
       from device_states as states
       cross join lateral ${ofDevice} as uplinks
       where states.organization_id = $1 and states.device_id = $2
     )
     ${noteChanged('changed')}`,
    [organizationId, taken.device_id],
  )
  return true
}

/** A day of a measurement. */
export interface NamedDay {
  device_id: number
  name: string
  day: Moment
}

/**
 * Deletes what is known of changed hours and of their days, and returns the days, which have other hours.
 * The names of a device are looked up one after the other: they are few among very many rows.
 */
export function deleteHours(
  tx: Queryable,
  organizationId: number,
  changed: readonly DeviceHour[],
): Promise<NamedDay[]> {
  return tx.query<NamedDay>(
    `with recursive changed as (
       select distinct device_id, hour
       from unnest($2::bigint[], $3::timestamptz[]) as changed (device_id, hour)
     ), named (device_id, name) as (
       select device.device_id, (
         select min(name) from daily_rollups as rollups
         where rollups.organization_id = $1 and rollups.device_id = device.device_id
       )
       from (select distinct device_id from changed) as device
       union all
       select named.device_id, (
         select min(name) from daily_rollups as rollups
         where rollups.organization_id = $1 and rollups.device_id = named.device_id
           and rollups.name > named.name
       )
       from named
       where named.name is not null
     ), place as materialized (
       select changed.device_id, changed.hour, named.name
       from changed join named on named.device_id = changed.device_id and named.name is not null
     ), day as materialized (
       select distinct device_id, name, date_trunc('day', hour, 'UTC') as day from place
     ), gone_hours as (
       delete from hourly_rollups as rollups using place
       where rollups.organization_id = $1 and rollups.device_id = place.device_id
         and rollups.name = place.name and rollups.start = place.hour
     ), gone_days as (
       delete from daily_rollups as rollups using day
       where rollups.organization_id = $1 and rollups.device_id = day.device_id
         and rollups.name = day.name and rollups.start = day.day
     )
     select device_id, name, day from day`,
    [organizationId, ...columnsOf(changed)],
  )
}

const rollupColumns = `organization_id, device_id, name, start, count, sum, lowest, highest,
  last, last_at`
const setRollup = `on conflict (organization_id, device_id, name, start) do update
  set count = excluded.count, sum = excluded.sum, lowest = excluded.lowest,
    highest = excluded.highest, last = excluded.last, last_at = excluded.last_at`

/**
 * Rolls hours up, all of each from its uplinks, so that late and repeated ones count as they are stored.
 * Those above `upTo` come later. Returns the days.
 */
export function writeHours(
  tx: Queryable,
  organizationId: number,
  hours: readonly DeviceHour[],
  upTo: number,
): Promise<NamedDay[]> {
  return tx.query<NamedDay>(
    `with touched as materialized (
       select touched.device_id, touched.hour,
         coalesce(devices.type_id >= ${firstCustomTypeId}, false) as is_nested
       from (
         select distinct * from unnest($2::bigint[], $3::timestamptz[]) as touched (device_id, hour)
       ) as touched
       left join devices on devices.organization_id = $1 and devices.id = touched.device_id
     ), summed as (
       select touched.device_id, number.key as name, touched.hour as start, count(*) as count,
         sum(number.value) as sum, min(number.value)::double precision as lowest,
         max(number.value)::double precision as highest,
         (array_agg(number.value order by uplinks.event_time desc, uplinks.ordinal desc))[1]
           ::double precision as last,
         max(uplinks.event_time) as last_at,
         row_number() over (partition by touched.device_id, touched.hour order by number.key)
           as place
       from touched
       cross join lateral ${inHour(
         'uplinks.ordinal, uplinks.event_time, uplinks.decoded_object',
         'touched.device_id',
         'touched.hour',
       )} as uplinks
       cross join lateral ${numbersOf('uplinks.decoded_object', 'touched.is_nested')} as number
       where uplinks.ordinal <= $4 and length(number.key) <= ${longestName}
       group by touched.device_id, touched.hour, number.key
     ), written as (
       insert into hourly_rollups (${rollupColumns})
       select $1, device_id, name, start, count, sum, lowest, highest, last, last_at
       from summed where place <= ${mostNames}
       ${setRollup}
       returning device_id, name, start
     )
     select distinct device_id, name, date_trunc('day', start, 'UTC') as day from written`,
    [organizationId, ...columnsOf(hours), upTo],
  )
}

/** Rolls days up from their hours. */
export async function writeDays(
  tx: Queryable,
  organizationId: number,
  days: readonly NamedDay[],
): Promise<void> {
  await tx.query(
    `insert into daily_rollups (${rollupColumns})
     select $1, day.device_id, day.name, day.day, sum(hours.count), sum(hours.sum),
       min(hours.lowest), max(hours.highest),
       (array_agg(hours.last order by hours.last_at desc))[1], max(hours.last_at)
     from (
       select distinct * from unnest($2::bigint[], $3::text[], $4::timestamptz[])
         as day (device_id, name, day)
     ) as day
     cross join lateral (
       select hourly.* from hourly_rollups as hourly
       where hourly.organization_id = $1 and hourly.device_id = day.device_id
         and hourly.name = day.name collate "C" and hourly.start >= day.day
         and hourly.start < day.day + interval '24 hours'
       offset 0
     ) as hours
     group by day.device_id, day.name, day.day
     ${setRollup}`,
    [
      organizationId,
      numberArray(days.map(({ device_id }) => device_id)),
      textArray(days.map(({ name }) => name)),
      textArray(days.map(({ day }) => day)),
    ],
  )
}

function columnsOf(hours: readonly DeviceHour[]): [string, string] {
  return [
    numberArray(hours.map(({ device_id }) => device_id)),
    textArray(hours.map(({ hour }) => hour)),
  ]
}

/** The next device of an organization, deleted ones included. */
export async function findNextDevice(
  db: Queryable,
  organizationId: number,
  after: number,
): Promise<number | undefined> {
  const [next] = await db.query<{ id: number }>(
    'select id from devices where organization_id = $1 and id > $2 order by id limit 1',
    [organizationId, after],
  )
  return next?.id
}

/** Notes all hours and days of a device that have rollups. */
export async function noteRolledUp(
  db: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<void> {
  await db.query(
    `insert into rollup_changes (organization_id, device_id, hour)
     select organization_id, device_id, start from hourly_rollups
     where organization_id = $1 and device_id = $2
     union
     select organization_id, device_id, start from daily_rollups
     where organization_id = $1 and device_id = $2
     union
     select organization_id, device_id, day + make_interval(hours => hour::integer)
     from daily_states cross join jsonb_object_keys(hours) as hour
     where organization_id = $1 and device_id = $2
     on conflict do nothing`,
    [organizationId, deviceId],
  )
}

/** Notes the hours of uplinks above `after` and up to `up_to`. */
export async function noteUplinks(
  db: Queryable,
  organizationId: number,
  { after, up_to: upTo }: Backlog,
): Promise<void> {
  await db.query(
    `with changed as (
       select uplinks.device_id, uplinks.event_time
       from ${between('uplinks.device_id, uplinks.event_time', '$2::bigint', '$3::bigint')} as uplinks
     )
     ${noteChanged('changed')}`,
    [organizationId, after, upTo],
  )
}

export async function hasChanges(db: Queryable, organizationId: number): Promise<boolean> {
  const rows = await db.query('select from rollup_changes where organization_id = $1 limit 1', [
    organizationId,
  ])
  return rows.length > 0
}

/** The first uplink that is kept, less one, and the last that is rolled up. */
export async function findRolledUp(
  db: Queryable,
  organizationId: number,
): Promise<Backlog | undefined> {
  const [range] = await db.query<Backlog>(
    `select counter.first_ordinal - 1 as after, cursor.uplink_ordinal as up_to
     from organization_counters as counter
     join rollup_cursors as cursor on cursor.organization_id = counter.organization_id
     where counter.organization_id = $1`,
    [organizationId],
  )
  return range
}
