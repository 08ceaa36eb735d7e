import type { Queryable } from '../../db/connect.ts'
import type { QueueClaim } from './queue-queries.ts'

/** The latest that was heard of a device. */
export interface LatestUplink {
  /** Its counter. */
  f_cnt: number
  /** Milliseconds since it came. */
  age: number
  /** Since then a gateway has said that it did not send what it was given. */
  is_postponed: boolean
}

/** The latest uplink of a device; undefined when there is none. All times are the database's. */
export async function findLatestUplink(
  db: Queryable,
  { organization_id, device_id }: QueueClaim,
): Promise<LatestUplink | undefined> {
  const found = await db.query<LatestUplink>(
    `select latest.f_cnt,
       extract(epoch from clock_timestamp() - latest.received_at)::float8 * 1000 as age,
       exists (
         select from network_events as events
         where events.organization_id = $1 and events.device_id = $2
           and events.kind = 'downlink_postponed' and events.received_at > latest.received_at
       ) as is_postponed
     from (
       select f_cnt, received_at from uplinks
       where organization_id = $1 and device_id = $2
       order by device_ordinal desc
       limit 1
     ) as latest`,
    [organization_id, device_id],
  )
  return found[0]
}

/** Whether an uplink came so shortly before a downlink was handed over, or after it. */
export async function wasHeardSince(
  db: Queryable,
  organizationId: number,
  downlinkId: number,
  milliseconds: number,
): Promise<boolean> {
  const found = await db.query<{ was_heard: boolean | null }>(
    `select (
       select latest.received_at from uplinks as latest
       where latest.organization_id = downlinks.organization_id
         and latest.device_id = downlinks.device_id
       order by latest.device_ordinal desc
       limit 1
     ) > downlinks.handed_over_at - make_interval(secs => $3) as was_heard
     from downlinks where organization_id = $1 and id = $2`,
    [organizationId, downlinkId, milliseconds / 1000],
  )
  return found[0]?.was_heard ?? false
}

/** The LoRaWAN ports of the latest uplinks of these devices. */
export async function findLatestPorts(
  db: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db.query<{ device_id: number; f_port: number }>(
    `select given.device_id, latest.f_port
     from unnest($2::bigint[]) as given (device_id)
     cross join lateral (
       select f_port from uplinks
       where organization_id = $1 and device_id = given.device_id
       order by device_ordinal desc
       limit 1
     ) as latest`,
    [organizationId, deviceIds],
  )
  return new Map(rows.map(({ device_id, f_port }) => [device_id, f_port]))
}

/** What is known of a downlink that was handed over and of which no report came. */
export interface HeldDownlink {
  id: number
  organization_id: number
  device_id: number
  queue_item_id: string
  /** Milliseconds since its device was heard, or since it was handed over if that was later. */
  quiet_for: number
  /** Milliseconds since it was found missing first; null before that. */
  missing_for: number | null
  /** Uplinks of its device since it was handed over, and those from just before it on. */
  uplinks_since: number
  uplinks_around: number
  uplinks_ever: number
  /** Other downlinks that were reported as sent since then. */
  sent_since: number
  /** The device has joined since then. */
  has_joined: boolean
}

/** More uplinks than this after a hand-over count as so many. */
const mostUplinks = 200

/** The downlinks of a device that its network holds, as far as we know; all times are the database's. */
export function listHeld(
  db: Queryable,
  { organization_id, device_id }: Omit<QueueClaim, 'claim'>,
  marginMilliseconds: number,
): Promise<HeldDownlink[]> {
  return db.query<HeldDownlink>(
    `with recent as materialized (
       select received_at from uplinks
       where organization_id = $1 and device_id = $2
       order by device_ordinal desc
       limit ${mostUplinks}
     )
     select held.id, held.organization_id, held.device_id, held.queue_item_id,
       extract(epoch from clock_timestamp() - greatest(
         held.handed_over_at, (select max(received_at) from recent)
       ))::float8 * 1000 as quiet_for,
       extract(epoch from clock_timestamp() - held.missing_since)::float8 * 1000 as missing_for,
       (select count(*) from recent where received_at > held.handed_over_at) as uplinks_since,
       (
         select count(*) from recent
         where received_at > held.handed_over_at - make_interval(secs => $3)
       ) as uplinks_around,
       (select uplink_count from device_states where device_id = $2) as uplinks_ever,
       (
         select count(*) from downlinks as others
         where others.organization_id = $1 and others.device_id = $2
           and others.sent_at >= held.handed_over_at
       ) as sent_since,
       exists (
         select from network_events as joins
         where joins.organization_id = $1 and joins.device_id = $2 and joins.kind = 'join'
           and joins.received_at > held.handed_over_at
       ) as has_joined
     from downlinks as held
     where held.organization_id = $1 and held.device_id = $2 and held.state = 'handed_over'
       and held.queue_item_id is not null
     order by held.id`,
    [organization_id, device_id, marginMilliseconds / 1000],
  )
}
