import type { Queryable } from '../../db/connect.ts'
import { latestOf, latestUplink } from '../../uplinks/rows/by-ordinal.ts'
import type { QueueClaim } from './queue-queries.ts'

/** The latest uplink of a device. */
export interface LatestUplink {
  /** The fCnt of the uplink. */
  f_cnt: number
  /** Milliseconds since the uplink arrived. */
  age: number
  /** Whether a gateway reported after this uplink that it did not send a downlink. */
  is_postponed: boolean
}

/** Finds a device's latest uplink. Undefined if there is none. All times are the database's. */
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
       select latest.f_cnt, latest.received_at
       from device_states as states
       cross join lateral ${latestUplink('uplinks.f_cnt, uplinks.received_at')} as latest
       where states.organization_id = $1 and states.device_id = $2
     ) as latest`,
    [organization_id, device_id],
  )
  return found[0]
}

/** Whether the latest uplink came after the hand-over, or at most `milliseconds` before it. */
export async function wasHeardSince(
  db: Queryable,
  organizationId: number,
  downlinkId: number,
  milliseconds: number,
): Promise<boolean> {
  const found = await db.query<{ was_heard: boolean | null }>(
    `select (
       select latest.received_at
       from device_states as states
       cross join lateral ${latestUplink('uplinks.received_at')} as latest
       where states.organization_id = $1 and states.device_id = downlinks.device_id
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
     join device_states as states on states.organization_id = $1
       and states.device_id = given.device_id
     cross join lateral ${latestUplink('uplinks.f_port')} as latest`,
    [organizationId, deviceIds],
  )
  return new Map(rows.map(({ device_id, f_port }) => [device_id, f_port]))
}

/** A downlink that was handed over and that has no report yet. */
export interface HeldDownlink {
  id: number
  organization_id: number
  device_id: number
  queue_item_id: string
  /** Milliseconds since the device's latest uplink, or since the hand-over if that was later. */
  quiet_for: number
  /** Milliseconds since the downlink was first found missing. Null before that. */
  missing_for: number | null
  /** Uplinks since the hand-over. `uplinks_around` also counts those from just before it. */
  uplinks_since: number
  uplinks_around: number
  uplinks_ever: number
  /** Other downlinks of the device that became `sent` since the hand-over. */
  sent_since: number
  /** Whether the device has joined since the hand-over. */
  has_joined: boolean
}

/** The counts of uplinks since a hand-over stop at this number. */
const mostUplinks = 200

/**
 * Lists the downlinks of a device that its network holds, as recorded here. All times are the
 * database's.
 */
export function listHeld(
  db: Queryable,
  { organization_id, device_id }: Omit<QueueClaim, 'claim'>,
  marginMilliseconds: number,
): Promise<HeldDownlink[]> {
  return db.query<HeldDownlink>(
    `with recent as materialized (
       select latest.received_at
       from device_states as states
       cross join lateral ${latestOf('uplinks.received_at', {
         device: '$2::bigint',
         count: 'states.uplink_count',
         most: String(mostUplinks),
       })} as latest
       where states.organization_id = $1 and states.device_id = $2
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
       (
         select uplink_count from device_states where organization_id = $1 and device_id = $2
       ) as uplinks_ever,
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
