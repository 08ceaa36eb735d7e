import type { Queryable } from '../../../db/connect.ts'
import { formFor } from '../../../db/distribution/form-for.ts'

export const deviceCount = 'select device_count from organizations where id = $1'

interface CountedDevices {
  /** SQL: one row with the `device_count` of organization `$1`. */
  text: string
  /** The value of the parameter in it, if it has one. */
  values: number[]
}

/**
 * The number of devices, for a statement about devices. Where Citus keeps them on another machine than
 * organizations, it is asked before, and is the parameter `$place` of the statement.
 */
export async function findDeviceCount(
  db: Queryable,
  organizationId: number,
  place: number,
): Promise<CountedDevices> {
  const isApart = await formFor(db, { whole: false, spread: true })
  if (!isApart) return { text: `(${deviceCount})`, values: [] }
  const [row] = await db.query<{ device_count: number }>(deviceCount, [organizationId])
  return { text: `(select $${place}::bigint as device_count)`, values: [row?.device_count ?? 0] }
}
