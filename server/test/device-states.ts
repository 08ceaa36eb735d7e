import type { Queryable } from '../src/db/connect.ts'
import { coarseStates } from '../src/features/inventory/coarse-states.ts'

/** SQL: the volts that a status tells. */
export const voltsIn = (status: string) => `rtrim(${status} ->> 'battery', 'V')::double precision`

/** Sets what indexes hold of the states of devices, after a statement that set the states alone. */
export async function settleStates(db: Queryable): Promise<void> {
  await db.query(
    `update device_states set ${coarseStates('last_seen', 'status', voltsIn('status'))}`,
  )
}
