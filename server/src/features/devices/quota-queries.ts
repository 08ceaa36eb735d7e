import type { Queryable } from '../../db/connect.ts'

export async function hasQuota(db: Queryable, organizationId: number): Promise<boolean> {
  const rows = await db.query(
    'select id from organizations where id = $1 and device_count < device_limit',
    [organizationId],
  )
  return rows.length > 0
}

/** Takes one device from the quota; false when nothing is left of it. */
export async function reserveQuota(tx: Queryable, organizationId: number): Promise<boolean> {
  const rows = await tx.query(
    `update organizations set device_count = device_count + 1
     where id = $1 and device_count < device_limit
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
