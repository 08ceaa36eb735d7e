import type { Queryable } from '../../../db/connect.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'
import type { RegisteredDevice } from '../../fleet/devices/device-write-queries.ts'
import type { RegisteredGateway } from '../../fleet/gateways/gateway-write-queries.ts'

/** What is left of the organizations that a deletion takes away. */

const doomed = 'select id from organizations where deletion_id = $1'

/** The next organization, by its id, at `place` or behind it. */
export async function findNext(
  tx: Queryable,
  deletionId: number,
  place: number,
): Promise<number | undefined> {
  const [next] = await tx.query<{ id: number }>(`${doomed} and id >= $2 order by id limit 1`, [
    deletionId,
    place,
  ])
  return next?.id
}

/** One that has no other below it any more. `isOver`: none is left. */
export async function findLowest(
  tx: Queryable,
  deletionId: number,
): Promise<{ id: number | undefined; isOver: boolean }> {
  const [lowest] = await tx.query<{ id: number }>(
    `${doomed} and not exists (
       select from organizations as below where below.parent_org_id = organizations.id
     )
     order by id limit 1`,
    [deletionId],
  )
  const isOver = !lowest && (await findNext(tx, deletionId, 0)) === undefined
  return { id: lowest?.id, isOver }
}

export function lockDevices(
  tx: Queryable,
  organizationId: number,
  most: number,
): Promise<RegisteredDevice[]> {
  return tx.query<RegisteredDevice>(
    `select 'device' as kind, id, eui, device_eui, network, register_method, register_status,
       is_console_only
     from devices where organization_id = $1 and deleted_at is null
     order by id limit $2 for update`,
    [organizationId, most],
  )
}

export function lockGateways(
  tx: Queryable,
  organizationId: number,
  most: number,
): Promise<RegisteredGateway[]> {
  return tx.query<RegisteredGateway>(
    `select 'gateway' as kind, id, name, eui, network, register_method, register_status
     from gateways where organization_id = $1 and deleted_at is null
     order by id limit $2 for update`,
    [organizationId, most],
  )
}

/** Calls that wait for a network. */
export async function countCalls(tx: Queryable, deletionId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from provisioning where organization_id in (${doomed})`,
    [deletionId],
  )
  return row?.count ?? 0
}

interface DoomedAccount {
  id: number
  organizationId: number
  network: string
  registerMethod: RegisterMethod
}

export async function findAccount(
  tx: Queryable,
  deletionId: number,
): Promise<DoomedAccount | undefined> {
  const [account] = await tx.query<DoomedAccount>(
    `select id, organization_id as "organizationId", network, register_method as "registerMethod"
     from network_accounts where organization_id in (${doomed}) order by id limit 1`,
    [deletionId],
  )
  return account
}

/** Callbacks and sessions at brokers that are still to be taken away. */
export async function countLeaving(
  tx: Queryable,
  deletionId: number,
): Promise<{ callbacks: number; sessions: number }> {
  const [row] = await tx.query<{ callbacks: number; sessions: number }>(
    `select
       (select count(*) from callback_withdrawals where organization_id in (${doomed})) as callbacks,
       (select count(*) from ending_broker_sessions where organization_id in (${doomed})) as sessions`,
    [deletionId],
  )
  return row ?? { callbacks: 0, sessions: 0 }
}

export async function addLeft(tx: Queryable, deletionId: number, count: number): Promise<void> {
  await tx.query(
    `update organization_deletions set left_at_networks = left_at_networks + $2 where id = $1`,
    [deletionId, count],
  )
}

/**
 * Deletes an organization without rows in other tables. Its devices, if a request has added one at the
 * last moment, are taken from the counts above it first: at the commit. Returns whether it is gone.
 */
export async function deleteOrganization(tx: Queryable, organizationId: number): Promise<boolean> {
  const counted = await tx.query(
    'update organizations set device_count = 0 where id = $1 and device_count > 0 returning id',
    [organizationId],
  )
  if (counted.length > 0) return false
  await tx.query('delete from organization_totals where organization_id = $1', [organizationId])
  await tx.query('delete from organizations where id = $1', [organizationId])
  return true
}
