import type { Queryable } from '../../../db/connect.ts'
import { readFleetDevices } from '../../fleet/devices/fleet-device-queries.ts'
import * as planQueries from './plan-queries.ts'
import { planNotFound, toListedPlan, toPlacedDevices } from './plan-record.ts'

/** A plan with the devices on it. @throws HttpError 404 */
export async function readPlan(db: Queryable, viewer: planQueries.Viewer, id: number, now: Date) {
  const plan = await planQueries.find(db, viewer, id)
  if (!plan) throw planNotFound()
  const positions = await planQueries.listPositions(db, viewer, id)
  const ids = positions.map(({ device_id }) => device_id)
  const devices = await readFleetDevices(db, viewer, ids, now)
  return { ...toListedPlan(plan), positions: toPlacedDevices(devices, positions, now) }
}
