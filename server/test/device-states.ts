import type { Queryable } from '../src/db/connect.ts'
import { coarseStates } from '../src/features/fleet/inventory/coarse-states.ts'

/** SQL: the volts that a status reports. */
export const voltsIn = (status: string) => `rtrim(${status} ->> 'battery', 'V')::double precision`

/** Sets what indexes hold of the states of devices, after a statement that set only the states. */
export async function settleStates(db: Queryable): Promise<void> {
  await db.query(
    `update device_states set ${coarseStates('last_seen', 'status', voltsIn('status'))}`,
  )
}
