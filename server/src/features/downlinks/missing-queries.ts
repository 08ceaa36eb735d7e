import type { Queryable } from '../../db/connect.ts'
import type { QueueClaim } from './queue-queries.ts'

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

/** Queues downlinks here again that have certainly left the network's queue without being sent. */
export async function queueAnew(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    `update downlinks set state = 'queued', is_uncertain = false, missing_since = null
     where organization_id = $1 and id = any($2::bigint[]) and state = 'handed_over'`,
    [organizationId, ids],
  )
}

/** Their reports are waited for from the first time on that they were found missing. */
export async function noteMissing(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    `update downlinks set missing_since = now()
     where organization_id = $1 and id = any($2::bigint[]) and missing_since is null`,
    [organizationId, ids],
  )
}

/** It has failed as far as we know: a report that comes all the same moves it on. */
export async function markUncertain(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<void> {
  await tx.query(
    "update downlinks set is_uncertain = true where organization_id = $1 and id = $2 and state = 'failed'",
    [organizationId, id],
  )
}
