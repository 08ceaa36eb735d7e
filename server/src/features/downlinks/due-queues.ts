import type { Queryable } from '../../db/connect.ts'
import { accountAndRoom, type Lane, laneIsOpen } from '../network-accounts/lane-queries.ts'
import type { QueueClaim } from './queue-queries.ts'

/** A claimed queue whose head is due, and the way to its network. */
export interface DueQueue extends QueueClaim {
  eui: string
  account_id: number
}

/** One device's queue, for which somebody waits. */
export interface AwaitedQueue {
  deviceId: number
}

/**
 * Claims the queue of a lane that has been due for longest, unless its account is paused; or the
 * awaited one, if it is due. Passed over are those in other hands, and devices that their network
 * has not been told of yet.
 */
export async function claimDue(
  tx: Queryable,
  what: Lane | AwaitedQueue,
  { now, claimedUntil }: { now: Date; claimedUntil: Date },
): Promise<DueQueue | undefined> {
  const [text, values] =
    'deviceId' in what
      ? [deviceClaim, [what.deviceId]]
      : [laneClaim, [what.network, what.register_method, what.organization_id]]
  const queues = await tx.query<DueQueue>(text, [now, claimedUntil, ...values])
  return queues[0]
}

const laneClaim = claimText(
  'select $3::text as network, $4::text as register_method, $5::bigint as organization_id',
  `waiting.network = $3 and waiting.register_method = $4 and waiting.organization_id = $5
   and ${laneIsOpen}`,
)
const deviceClaim = claimText(
  'select network, register_method, organization_id from downlink_queues where device_id = $3',
  'waiting.device_id = $3',
)

/** `$1` is the present and `$2` the end of the claim. */
function claimText(lane: string, condition: string): string {
  // A CTE is run once. As a subquery it could be run per joined row, and claim more than one.
  return `with lane as materialized (${lane}),
    ${accountAndRoom('downlink_queues')}, due as materialized (
      select waiting.organization_id, waiting.device_id, devices.eui
      from downlink_queues as waiting
      join devices on devices.id = waiting.device_id and devices.register_status <> 'pending'
      where ${condition}
        and exists (select from account)
        and waiting.next_attempt_at <= $1
        and (waiting.claimed_until is null or waiting.claimed_until < $1)
      order by waiting.next_attempt_at, waiting.device_id
      limit 1
      for update of waiting skip locked
    )
    update downlink_queues as queues
    set claim = gen_random_uuid(), claimed_until = $2
    from due
    cross join account
    where queues.organization_id = due.organization_id and queues.device_id = due.device_id
    returning queues.organization_id, queues.device_id, queues.claim, due.eui,
      account.id as account_id`
}

/** A device's queue: whose it is, and whether somebody speaks with the network about it. */
export async function findQueue(
  db: Queryable,
  deviceId: number,
  now: Date,
): Promise<{ organizationId: number; isClaimed: boolean } | undefined> {
  const queues = await db.query<{ organizationId: number; isClaimed: boolean }>(
    `select organization_id as "organizationId",
       coalesce(claimed_until >= $2, false) as "isClaimed"
     from downlink_queues where device_id = $1`,
    [deviceId, now],
  )
  return queues[0]
}
