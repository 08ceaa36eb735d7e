import type { Queryable } from '../../db/connect.ts'
import { isCheckViolation } from '../../db/errors.ts'

/**
 * Of a row of `organizations`: what is left of its own limit and of its root's, which all
 * organizations of the tree share. The latter can be gone when the transaction commits: see
 * `isTreeFull`.
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

export async function hasQuota(db: Queryable, organizationId: number): Promise<boolean> {
  const rows = await db.query(
    `select id from organizations where id = $1 and ${remainingDevices} > 0`,
    [organizationId],
  )
  return rows.length > 0
}

/** Takes one device from the quota; false when nothing is left of it. */
export async function reserveQuota(tx: Queryable, organizationId: number): Promise<boolean> {
  const rows = await tx.query(
    `update organizations set device_count = device_count + 1
     where id = $1 and ${remainingDevices} > 0
     returning id`,
    [organizationId],
  )
  return rows.length > 0
}

/**
 * Holds the quota until the transaction ends. Registering locks it before the EUI, so deleting
 * does too: the other way round the two would wait for each other.
 */
export async function lockQuota(tx: Queryable, organizationId: number): Promise<void> {
  await tx.query('select id from organizations where id = $1 for no key update', [organizationId])
}
