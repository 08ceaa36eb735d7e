import type { Queryable } from '../../../db/connect.ts'
import { type Moment, momentOf } from '../../../http/timestamps.ts'
import type { OwnType } from '../../../sensors/own-measurements.ts'
import type { ReadingValue } from '../../../sensors/sensor.ts'
import { atOrdinal, between, betweenAsked } from '../../../uplinks/rows/by-ordinal.ts'
import { inRange } from '../../../uplinks/rows/by-time.ts'
import { ownType } from '../../fleet/inventory/device-queries.ts'
import { groupsBelow } from '../../fleet/inventory/groups-below.ts'
import type { Tags } from '../../fleet/inventory/tags.ts'
import type { AlertKind } from './alert-kinds.ts'
import type { Known } from './readings.ts'
import { lasts } from './scope-queries.ts'

/** An uplink as rules look at it. */
export interface ReadUplink {
  ordinal: number
  device_id: number
  device_type_id: number
  network: string
  tags: Tags
  /** Of a type of the organization; null for a built-in one. */
  own_type: OwnType | null
  event_type: string
  event_time: Moment
  decoded_object: Record<string, ReadingValue>
}

/** Reads uplinks by their ordinals, oldest first; those of deleted devices are left out. */
export function readUplinks(
  db: Queryable,
  organizationId: number,
  { after, upTo }: { after: number; upTo: number },
): Promise<ReadUplink[]> {
  return db.query<ReadUplink>(
    `select uplinks.ordinal, uplinks.device_id, devices.type_id as device_type_id, devices.network,
       devices.tags, ${ownType} as own_type, uplinks.event_type, uplinks.decoded_object,
       -- A time in the future would make all later readings too late.
       least(uplinks.event_time, uplinks.received_at) as event_time
     from ${between('uplinks.*', '$2::bigint', '$3::bigint')} as uplinks
     join devices on devices.organization_id = uplinks.organization_id
       and devices.id = uplinks.device_id
     where devices.deleted_at is null and devices.is_active
     order by uplinks.ordinal`,
    [organizationId, after, upTo],
  )
}

/** A part of the uplinks of an organization. */
export interface Range {
  organization_id: number
  after: number
  up_to: number
}

/** The same of several organizations at once. */
export function readUplinksOf(
  db: Queryable,
  ranges: readonly Range[],
): Promise<(ReadUplink & { organization_id: number })[]> {
  return db.query(
    `select uplinks.organization_id, uplinks.ordinal, uplinks.device_id,
       devices.type_id as device_type_id, devices.network, devices.tags, ${ownType} as own_type,
       uplinks.event_type, uplinks.decoded_object,
       least(uplinks.event_time, uplinks.received_at) as event_time
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as asked (organization_id, after, up_to)
     cross join lateral ${betweenAsked('uplinks.*')} as uplinks
     join devices on devices.organization_id = uplinks.organization_id
       and devices.id = uplinks.device_id
     where devices.deleted_at is null and devices.is_active
     order by uplinks.organization_id, uplinks.ordinal`,
    [
      ranges.map(({ organization_id }) => organization_id),
      ranges.map(({ after }) => after),
      ranges.map(({ up_to }) => up_to),
    ],
  )
}

/**
 * The ordinals of the uplinks since a time, of the newest ones. They were stored in their order: a few
 * steps in the primary key find the first.
 */
export async function findRange(
  db: Queryable,
  organizationId: number,
  since: Date,
  most: number,
): Promise<{ after: number; upTo: number }> {
  const [counter] = await db.query<{ uplink_count: number; first_ordinal: number }>(
    'select uplink_count, first_ordinal from organization_counters where organization_id = $1',
    [organizationId],
  )
  const upTo = counter?.uplink_count ?? 0
  let low = Math.max((counter?.first_ordinal ?? 1) - 1, upTo - most)
  let high = upTo
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [row] = await db.query<{ is_new: boolean }>(
      `select uplinks.received_at >= $3 as is_new
       from ${atOrdinal('uplinks.received_at', '$2::bigint')} as uplinks`,
      [organizationId, middle + 1, since],
    )
    if (row?.is_new) high = middle
    else low = middle + 1
  }
  return { after: low, upTo }
}

/** The newest uplinks of devices from a time until before another, some of each. */
export function readPastUplinks(
  db: Queryable,
  organizationId: number,
  range: { devices: readonly number[]; from: Date; until: Date; most: number },
): Promise<ReadUplink[]> {
  if (range.devices.length === 0) return Promise.resolve([])
  const read = inRange('uplinks.*', { newestFirst: true, device: 'devices.id' })
  return db.query<ReadUplink>(
    `select uplinks.ordinal, uplinks.device_id, devices.type_id as device_type_id, devices.network,
       devices.tags, ${ownType} as own_type, uplinks.event_type, uplinks.decoded_object,
       least(uplinks.event_time, uplinks.received_at) as event_time
     from devices
     cross join lateral (
       select * from ${read} as uplinks order by uplinks.event_time desc limit $5
     ) as uplinks
     where devices.organization_id = $1 and devices.id = any($2::bigint[])`,
    [organizationId, range.devices, range.from, range.until, range.most],
  )
}

/** Devices of a group that make its average, at most. */
const mostAveraged = 200

/** The device, or the devices of the group and those below it, with which a condition compares. */
export async function findCompared(
  db: Queryable,
  organizationId: number,
  { device, group }: { device: number | null; group: number | null },
): Promise<{ name: string; devices: number[] }> {
  const [found] = await db.query<{ name: string | null; devices: number[] }>(
    device === null
      ? `with recursive ${groupsBelow('$1', '$2')}
         select (select groups.name from device_groups as groups
             where groups.organization_id = $1 and groups.id = $2) as name,
           array(select distinct grouped.device_id from grouped_devices as grouped
             where grouped.organization_id = $1 and grouped.group_id in (select id from below)
             order by 1 limit ${mostAveraged}) as devices`
      : `select devices.name, array[devices.id] as devices from devices
         where devices.organization_id = $1 and devices.id = $2 and devices.deleted_at is null`,
    [organizationId, device ?? group],
  )
  return { name: found?.name ?? '', devices: found?.devices ?? [] }
}

/** The names of devices, for people. */
export function findNamed(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<{ id: number; eui: string; name: string }[]> {
  return db.query(
    'select id, eui, name from devices where organization_id = $1 and id = any($2::bigint[])',
    [organizationId, ids],
  )
}

/** The time zone of the organization, for schedules. */
export async function findTimeZone(db: Queryable, organizationId: number): Promise<string> {
  const rows = await db.query<{ timezone_format: string }>(
    'select timezone_format from organizations where id = $1',
    [organizationId],
  )
  return rows[0]?.timezone_format ?? 'UTC'
}

/** Alerts of a rule that lasts, as `moveOn` knows them: those that changed longest ago. */
export async function listLasting(
  db: Queryable,
  { organization_id, id }: { organization_id: number; id: number },
  most: number,
): Promise<{ device: number; id: number }[]> {
  return db.query(
    `select alerts.device_id as device, alerts.id from alerts
     where alerts.organization_id = $1 and alerts.rule_id = $2 and alerts.device_id is not null
       and ${lasts}
     order by alerts.changed_at, alerts.id
     limit $3`,
    [organization_id, id, most],
  )
}

/** A rule and a device, and the latest alert of one about the other. */
export interface Pair {
  rule: number
  device: number
}

interface KnownRow {
  rule_id: number
  device_id: number
  id: number
  state: Known['state']
  began_at: Moment
  changed_at: Moment
  value: number | null
  bound: number | null
  details: Known['details']
}

export function pairKey({ rule, device }: Pair): string {
  return `${rule} ${device}`
}

/** SQL: the latest alert of each of the pairs that are `asked` for. One step in an index for each. */
const latest = (organization: string, asked: string) => `select latest.*
  from ${asked}
  cross join lateral (
    select alerts.rule_id, alerts.device_id, alerts.id, alerts.state, alerts.began_at,
      alerts.changed_at, alerts.value, alerts.bound, alerts.details
    from alerts
    where alerts.organization_id = ${organization} and alerts.device_id = asked.device_id
      and alerts.rule_id = asked.rule_id
    order by alerts.id desc
    limit 1
  ) as latest`

/** The latest alert of each pair, by `pairKey`. */
export async function findLatest(
  db: Queryable,
  organizationId: number,
  pairs: readonly Pair[],
): Promise<Map<string, Known>> {
  const asked = 'unnest($2::bigint[], $3::bigint[]) as asked (rule_id, device_id)'
  const columns = [pairs.map(({ rule }) => rule), pairs.map(({ device }) => device)]
  return toKnown(await db.query(latest('$1', asked), [organizationId, ...columns]))
}

/** The same of several organizations: no two have a rule of the same id. */
export async function findLatestOf(
  db: Queryable,
  pairs: readonly (Pair & { organization_id: number })[],
): Promise<Map<string, Known>> {
  const asked = `unnest($1::bigint[], $2::bigint[], $3::bigint[])
    as asked (organization_id, rule_id, device_id)`
  const columns = [pairs.map(({ rule }) => rule), pairs.map(({ device }) => device)]
  const organizations = pairs.map(({ organization_id }) => organization_id)
  return toKnown(
    await db.query(latest('asked.organization_id', asked), [organizations, ...columns]),
  )
}

function toKnown(rows: readonly KnownRow[]): Map<string, Known> {
  return new Map(
    rows.map((row) => [
      pairKey({ rule: row.rule_id, device: row.device_id }),
      {
        id: row.id,
        state: row.state,
        began: Date.parse(row.began_at),
        changed: Date.parse(row.changed_at),
        value: row.value,
        bound: row.bound,
        details: row.details,
      },
    ]),
  )
}

/** An alert as a portion of readings leaves it. */
export interface Moved extends Pair {
  kind: AlertKind
  alert: Known
}

/** Stores new alerts, and moves stored ones on. */
export async function store(
  tx: Queryable,
  organizationId: number,
  { moved, ended, now }: { moved: readonly Moved[]; ended: readonly number[]; now: Date },
): Promise<void> {
  const added = moved.filter(({ alert }) => alert.id === undefined)
  const changed = moved.filter(({ alert }) => alert.id !== undefined)
  if (ended.length > 0) {
    await tx.query(
      `delete from alerts
       where organization_id = $1 and state = 'pending' and id = any($2::bigint[])`,
      [organizationId, ended],
    )
  }
  if (changed.length > 0) {
    await tx.query(
      `update alerts
       set state = given.state, changed_at = given.changed_at, value = given.value,
         opened_at = case when alerts.state = 'pending' then $2 else alerts.opened_at end,
         closed_at = case when given.state = 'closed'
           then coalesce(alerts.closed_at, $2::timestamptz) else alerts.closed_at end
       from json_to_recordset($3::json) as given (
         id bigint, state text, changed_at timestamptz, value double precision
       )
       where alerts.organization_id = $1 and alerts.id = given.id and alerts.state <> 'closed'`,
      [organizationId, now, JSON.stringify(changed.map(toRow))],
    )
  }
  if (added.length > 0) {
    await tx.query(
      `insert into alerts (
         organization_id, rule_id, kind, device_id, state, began_at, changed_at, opened_at,
         closed_at, value, bound, details
       )
       select $1, rule, kind, device, state, began_at, changed_at, $2,
         case when state = 'closed' then $2::timestamptz end, value, bound, details
       from json_to_recordset($3::json) as given (
         rule bigint, kind text, device bigint, state text, began_at timestamptz,
         changed_at timestamptz, value double precision, bound double precision, details jsonb
       )
       on conflict do nothing`,
      [organizationId, now, JSON.stringify(added.map(toRow))],
    )
  }
}

function toRow({ rule, device, kind, alert }: Moved) {
  const { id, state, began, changed, value, bound, details } = alert
  const times = { began_at: momentOf(new Date(began)), changed_at: momentOf(new Date(changed)) }
  return { rule, device, kind, id, state, ...times, value, bound, details }
}
