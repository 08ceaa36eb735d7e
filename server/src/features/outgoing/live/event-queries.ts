import type { Queryable } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { type FleetUplinkRow, fleetColumns } from '../../../uplinks/read/fleet-uplink-record.ts'
import { between } from '../../../uplinks/rows/by-ordinal.ts'
import type { HistoryEvent } from '../../downlinks/downlink-states.ts'
import { groupsBelow } from '../../fleet/inventory/groups-below.ts'
import type { Tags } from '../../fleet/inventory/tags.ts'

/** Events of downlinks that one look takes. */
const mostDownlinks = 1000
/**
 * SQL: when an event of a downlink is settled. No transaction that writes one lasts so long, so no
 * smaller id appears any more.
 */
const settled = `clock_timestamp() - interval '1 minute'`

/** Where an organization's log ends. */
export interface LogEnd {
  organization_id: number
  uplink_count: number
  /** Ids of downlink events above the given one. */
  downlinks: number[]
  /** The last of them that is settled. */
  settled: number | null
}

/**
 * Reads the ends of the logs of several organizations, above the settled ids of their downlink
 * events. It runs a few times a second in each process with readers. For each organization it takes
 * one row of the counters and the end of one index, at any number of uplinks.
 */
export async function findEnds(
  db: Queryable,
  organizations: readonly { id: number; downlink: number }[],
): Promise<LogEnd[]> {
  const find = await formFor(db, { whole: findAllEnds, spread: findEachEnd })
  return find(db, organizations)
}

type FindEnds = typeof findEnds

const findAllEnds: FindEnds = (db, organizations) =>
  db.query<LogEnd>(endsOfAll, [
    organizations.map(({ id }) => id),
    organizations.map(({ downlink }) => downlink),
  ])

const findEachEnd: FindEnds = async (db, organizations) => {
  const ends = organizations.map(({ id, downlink }) => db.query<LogEnd>(endOfOne, [id, downlink]))
  return (await Promise.all(ends)).flat()
}

function news(organization: string, downlink: string): string {
  return `(
    select coalesce(array_agg(history.id), '{}') as downlinks,
      max(history.id) filter (where history.published_at < ${settled}) as settled
    from (
      select id, published_at from downlink_history
      where downlink_history.organization_id = ${organization}
        and downlink_history.id > ${downlink}
      order by id
      limit ${mostDownlinks}
    ) as history
  ) as news`
}

const endsOfAll = `select asked.organization_id, counters.uplink_count, news.downlinks, news.settled
  from unnest($1::bigint[], $2::bigint[]) as asked (organization_id, downlink)
  join organization_counters as counters on counters.organization_id = asked.organization_id
  cross join lateral ${news('asked.organization_id', 'asked.downlink')}`

/** Citus takes no limit for each of several organizations. */
const endOfOne = `select counters.organization_id, counters.uplink_count, news.downlinks, news.settled
  from organization_counters as counters
  cross join lateral ${news('$1', '$2')}
  where counters.organization_id = $1`

/** Returns the id below which all downlink events of the organization are settled. */
export async function findSettled(db: Queryable, organizationId: number): Promise<number> {
  const rows = await db.query<{ settled: number }>(
    `select coalesce(
       min(id) filter (where published_at >= ${settled}) - 1, max(id), 0
     ) as settled
     from (
       select id, published_at from downlink_history where organization_id = $1
       order by id desc
       limit ${mostDownlinks}
     ) as latest`,
    [organizationId],
  )
  return rows[0]?.settled ?? 0
}

/** Reads uplinks by their ordinals, oldest first. */
export function readUplinks(
  db: Queryable,
  organizationId: number,
  { after, upTo }: { after: number; upTo: number },
): Promise<FleetUplinkRow[]> {
  return db.query<FleetUplinkRow>(
    `select ${fleetColumns}
     from ${between('uplinks.*', '$2::bigint', '$3::bigint')} as uplinks
     join devices on devices.organization_id = uplinks.organization_id
       and devices.id = uplinks.device_id
     order by uplinks.ordinal`,
    [organizationId, after, upTo],
  )
}

export interface DownlinkEventRow {
  id: number
  downlink_id: number
  event_name: HistoryEvent
  reason: string | null
  published_at: Moment
  device_id: number
  device_eui: string
  device_name: string
  device_type_id: number
  network: string
  tags: Tags
}

/** Reads the first downlink events with an id above `after`, up to `upTo`. */
export function readDownlinks(
  db: Queryable,
  organizationId: number,
  { after, upTo, most }: { after: number; upTo: number; most: number },
): Promise<DownlinkEventRow[]> {
  return db.query<DownlinkEventRow>(
    `select history.id, history.downlink_id, history.event_name, history.reason,
       history.published_at, devices.id as device_id, devices.device_eui,
       devices.name as device_name, devices.type_id as device_type_id, devices.network, devices.tags
     from (
       select * from downlink_history
       where organization_id = $1 and id > $2 and id <= $3
       order by id
       limit $4
     ) as history
     join devices on devices.organization_id = $1 and devices.id = history.device_id
     order by history.id`,
    [organizationId, after, upTo, most],
  )
}

/** Returns those of the devices that are in the group or in a group below it. */
export async function selectGrouped(
  db: Queryable,
  organizationId: number,
  groupId: number,
  deviceIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db.query<{ device_id: number }>(
    `with recursive ${groupsBelow('$1', '$2')}
     select distinct grouped_devices.device_id
     from unnest($3::bigint[]) as asked (device_id)
     join grouped_devices on grouped_devices.organization_id = $1
       and grouped_devices.device_id = asked.device_id
     where grouped_devices.group_id in (select id from below)`,
    [organizationId, groupId, deviceIds],
  )
  return new Set(rows.map(({ device_id }) => device_id))
}

/**
 * Returns a mark of each network account that changes with what its page shows of its state. Many
 * places write these columns, in the background above all; an organization has a few accounts.
 */
export function readAccountMarks(
  db: Queryable,
  organizations: readonly number[],
): Promise<{ organization_id: number; id: number; network: string; mark: string }[]> {
  return db.query(
    `select organization_id, id, network, md5(row(status, status_message, callback_message,
       is_callback_entered, broker_message, updated_at)::text) as mark
     from network_accounts
     where organization_id = any($1::bigint[])`,
    [organizations],
  )
}
