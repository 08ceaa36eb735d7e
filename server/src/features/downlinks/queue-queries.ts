import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../db/connect.ts'
import { isOfSameAccount } from '../accounts/connections/account-name.ts'
import type { Claiming } from '../accounts/connections/lane-queries.ts'

/** The exclusive right to call the network about a device's queue. */
export interface QueueClaim {
  organization_id: number
  device_id: number
  claim: string
}

/**
 * Locks the queues of devices for this transaction, and creates missing queues. Also locks the
 * devices, so that no other transaction deletes them. Returns the ids of the devices that are not
 * deleted.
 */
export async function openQueues(
  tx: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
  now: Date,
): Promise<Set<number>> {
  // A queue whose head waits for an unreachable network keeps its time.
  const rows = await tx.query<{ device_id: number }>(
    `with held as materialized (
       select id, network, register_method from devices
       where organization_id = $1 and id = any($2::bigint[]) and deleted_at is null
       order by id
       for share
     )
     insert into downlink_queues (
       organization_id, device_id, next_attempt_at, network, register_method
     )
     select $1::bigint, id, $3::timestamptz, network, register_method from held order by id
     on conflict (organization_id, device_id)
       do update set next_attempt_at = coalesce(downlink_queues.next_attempt_at, excluded.next_attempt_at)
     returning device_id`,
    [organizationId, deviceIds, now],
  )
  return new Set(rows.map(({ device_id }) => device_id))
}

/** Locks a device's queue for this transaction. Returns false if the device never had a queue. */
export async function lockQueue(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<boolean> {
  return (await lockQueues(tx, organizationId, [deviceId])).length > 0
}

/**
 * Locks a device's queue for this transaction. Returns false if the device never had a queue, if it is
 * at another network, or if it is claimed.
 */
export async function lockFreeQueue(
  tx: Queryable,
  { organization_id, device_id, network }: Omit<QueueClaim, 'claim'> & { network: string },
  now: Date,
): Promise<boolean> {
  const queues = await tx.query(
    `select device_id from downlink_queues
     where organization_id = $1 and device_id = $2 and network = $4
       and (claimed_until is null or claimed_until < $3)
     for update`,
    [organization_id, device_id, now, network],
  )
  return queues.length > 0
}

/** Locks the existing queues of these devices. All writers lock in this same order. */
export async function lockQueues(
  tx: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<number[]> {
  const queues = await tx.query<{ device_id: number }>(
    `select device_id from downlink_queues
     where organization_id = $1 and device_id = any($2::bigint[])
     order by device_id
     for update`,
    [organizationId, deviceIds],
  )
  return queues.map(({ device_id }) => device_id)
}

/** Claims a device's queue, even if it is not due. Returns undefined if it is already claimed. */
export async function claimQueue(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  { now, claimedUntil, claimedBy }: Claiming,
): Promise<QueueClaim | undefined> {
  const queues = await db.query<QueueClaim>(
    `update downlink_queues set claim = $6, claimed_until = $4, claimed_by = $5
     where organization_id = $1 and device_id = $2
       and (claimed_until is null or claimed_until < $3)
     returning organization_id, device_id, claim`,
    [organizationId, deviceId, now, claimedUntil, claimedBy, randomUUID()],
  )
  return queues[0]
}

/** Extends a claim. Returns false if the claim was lost, for example to another process. */
export async function renewClaim(
  db: Queryable,
  { organization_id, device_id, claim }: QueueClaim,
  claimedUntil: Date,
): Promise<boolean> {
  const queues = await db.query(
    `update downlink_queues set claimed_until = $4
     where organization_id = $1 and device_id = $2 and claim = $3
     returning device_id`,
    [organization_id, device_id, claim, claimedUntil],
  )
  return queues.length > 0
}

/** The topic of the signal that a claim on a device's queue was released. */
export function queueTopic(deviceId: number): string {
  return `queue ${deviceId}`
}

/** This process stood still for so long that it counted as dead, and another one has the queue. */
export class ClaimLost extends Error {}

/** @throws ClaimLost when somebody else has claimed the queue since. */
export async function requireHeld(db: Queryable, claim: QueueClaim): Promise<void> {
  const rows = await db.query(
    'select from downlink_queues where organization_id = $1 and device_id = $2 and claim = $3',
    [claim.organization_id, claim.device_id, claim.claim],
  )
  if (rows.length === 0) throw new ClaimLost()
}

/**
 * Releases claims of one organization. Returns the ids of the devices that still have queued
 * downlinks. An earlier statement of the transaction must lock the queues. If this statement waited
 * for the lock itself, it would see the queued downlinks as they were before the wait, and a new
 * downlink could stay without a time. A queue with queued downlinks becomes due at `nextAttemptAt`.
 * Without `nextAttemptAt` the queue keeps its time, or is due now if it had none.
 */
export async function releaseClaims(
  tx: Queryable,
  organizationId: number,
  claims: readonly QueueClaim[],
  { now, nextAttemptAt }: { now: Date; nextAttemptAt: Date | undefined },
): Promise<Set<number>> {
  const rows = await tx.query<{ device_id: number }>(
    `with released as (
       update downlink_queues as queues
       set claim = null, claimed_until = null, next_attempt_at = case when exists (
         select from downlinks
         where downlinks.organization_id = $1 and downlinks.device_id = queues.device_id
           and downlinks.state = 'queued'
       ) then coalesce($4::timestamptz, queues.next_attempt_at, $5) end
       from unnest($2::bigint[], $3::uuid[]) as given (device_id, claim)
       where queues.organization_id = $1 and queues.device_id = given.device_id
         and queues.claim = given.claim
       returning queues.device_id, queues.next_attempt_at
     )
     select device_id from released where next_attempt_at is not null`,
    [
      organizationId,
      claims.map(({ device_id }) => device_id),
      claims.map(({ claim }) => claim),
      nextAttemptAt,
      now,
    ],
  )
  return new Set(rows.map(({ device_id }) => device_id))
}

export interface Route {
  eui: string
  /** Key of the network. */
  network: string
  account_id: number
}

/**
 * Finds the account for calls about a device's queue. Undefined if there is no account. While the
 * device moves, its queue is where it was last heard.
 */
export async function findRoute(
  db: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<Route | undefined> {
  const routes = await db.query<Route>(
    // Apart, since devices may be on other machines (docs/scaling.md).
    `with place as materialized (
       select devices.eui, devices.organization_id,
         coalesce(queues.network, devices.network) as network,
         coalesce(queues.register_method, devices.register_method) as register_method
       from devices
       left join downlink_queues as queues on queues.organization_id = devices.organization_id
         and queues.device_id = devices.id
       where devices.organization_id = $1 and devices.id = $2
     )
     select place.eui, place.network, accounts.id as account_id
     from place
     join network_accounts as accounts on ${isOfSameAccount('place', 'accounts')}`,
    [organizationId, deviceId],
  )
  return routes[0]
}

/** Whether a claim on the queue of a device holds. */
export async function isClaimed(
  db: Queryable,
  organizationId: number,
  deviceId: number,
  now: Date,
): Promise<boolean> {
  const rows = await db.query(
    `select from downlink_queues
     where organization_id = $1 and device_id = $2 and claimed_until >= $3`,
    [organizationId, deviceId, now],
  )
  return rows.length > 0
}

/**
 * Lets a claim be followed by hand-overs, whether or not it is released: what waits in a queue without a
 * time would wait until the next downlink for the device. The queue must be locked.
 */
export async function makeDue(
  tx: Queryable,
  { organization_id, device_id }: Omit<QueueClaim, 'claim'>,
  now: Date,
): Promise<void> {
  await tx.query(
    `update downlink_queues set next_attempt_at = coalesce(next_attempt_at, $3::timestamptz)
     where organization_id = $1 and device_id = $2`,
    [organization_id, device_id, now],
  )
}

/** Records that a device's queue was compared with the network's. */
export async function noteChecked(
  tx: Queryable,
  { organization_id, device_id }: Omit<QueueClaim, 'claim'>,
): Promise<void> {
  await tx.query(
    `update downlink_queues set checked_at = now()
     where organization_id = $1 and device_id = $2`,
    [organization_id, device_id],
  )
}
