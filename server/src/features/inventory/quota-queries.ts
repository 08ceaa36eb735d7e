import type { Queryable } from '../../db/connect.ts'
import { isCheckViolation } from '../../db/errors.ts'

/**
 * SQL over a row of `organizations`: the devices left of its own limit and of its root's, which the
 * tree shares. Negative when a limit was lowered below the number of devices. The root's limit is
 * checked again when the transaction commits: see `isTreeFull`.
 */
export const remainingDevices = `least(
  organizations.device_limit - organizations.device_count,
  (select roots.device_limit - trees.device_count
   from organization_trees as trees
   join organizations as roots on roots.id = trees.root_id
   where trees.root_id = organizations.root_id)
)`

/** Whether the commit failed because the tree has as many devices as its root's limit by now. */
export function isTreeFull(error: unknown): boolean {
  return isCheckViolation(error, 'organization_trees_limit')
}

export async function readRemaining(
  db: Queryable,
  organizationId: number,
  lock: '' | 'for no key update' = '',
): Promise<number> {
  const rows = await db.query<{ remaining: number }>(
    `select ${remainingDevices} as remaining from organizations where id = $1 ${lock}`,
    [organizationId],
  )
  return rows[0]?.remaining ?? 0
}

/**
 * Reads what is left of the quota and locks it until the transaction ends. Everything that adds or
 * deletes devices locks the quota before the devices: with two orders, requests would deadlock.
 */
export function lockRemaining(tx: Queryable, organizationId: number): Promise<number> {
  return readRemaining(tx, organizationId, 'for no key update')
}

export interface Quota {
  /** Devices of the organization, without those of its children. */
  devices: number
  device_limit: number
  /** What is left of its own limit and of the limit of its tree. */
  remaining: number
}

/** Reads counters that are kept with every change: no device is counted. */
export async function readQuota(db: Queryable, organizationId: number): Promise<Quota> {
  const [quota] = await db.query<Quota>(
    `select organizations.device_count as devices, organizations.device_limit,
       greatest(0, ${remainingDevices}) as remaining
     from organizations where id = $1`,
    [organizationId],
  )
  return quota ?? { devices: 0, device_limit: 0, remaining: 0 }
}
