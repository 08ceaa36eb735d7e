import type { Queryable } from '../../../db/connect.ts'

/** Returns how many days the organization keeps uplinks; null: for ever. */
export async function findRetention(
  db: Queryable,
  organizationId: number,
): Promise<number | null | undefined> {
  const rows = await db.query<{ days: number | null }>(
    'select uplink_retention_days as days from organizations where id = $1',
    [organizationId],
  )
  return rows[0]?.days
}

export async function setRetention(
  db: Queryable,
  organizationId: number,
  days: number | null,
): Promise<void> {
  await db.query('update organizations set uplink_retention_days = $2 where id = $1', [
    organizationId,
    days,
  ])
}
