import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { readFleetDevices } from '../../fleet/devices/fleet-device-queries.ts'
import * as planQueries from './plan-queries.ts'
import { planNotFound, toListedPlan, toPlacedDevices } from './plan-record.ts'

/** A plan with the devices on it. @throws HttpError 404 */
export async function readPlan(db: Queryable, caller: Caller, id: number, now: Date) {
  const plan = await planQueries.find(db, caller, id)
  if (!plan) throw planNotFound()
  const positions = await planQueries.listPositions(db, caller, id)
  const ids = positions.map(({ device_id }) => device_id)
  const devices = await readFleetDevices(db, caller, ids, now)
  return { ...toListedPlan(plan), positions: toPlacedDevices(devices, positions, now) }
}
