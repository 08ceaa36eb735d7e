import type { Queryable } from '../../../db/connect.ts'
import { readFleetDevices } from '../../fleet/devices/fleet-device-queries.ts'
import { readFleetGateways } from '../../fleet/gateways/fleet-gateway-queries.ts'
import { listGateways } from './plan-gateway-queries.ts'
import * as planQueries from './plan-queries.ts'
import { planNotFound, toListedPlan, toPlacedDevices, toPlacedGateways } from './plan-record.ts'

/** A plan with the devices and gateways on it. @throws HttpError 404 */
export async function readPlan(db: Queryable, viewer: planQueries.Viewer, id: number, now: Date) {
  const plan = await planQueries.find(db, viewer, id)
  if (!plan) throw planNotFound()
  const positions = await planQueries.listPositions(db, viewer, id)
  const ids = positions.map(({ device_id }) => device_id)
  const devices = await readFleetDevices(db, viewer, ids, now)
  return {
    ...toListedPlan(plan),
    positions: toPlacedDevices(devices, positions, now),
    gateways: await readGateways(db, viewer, id, now),
  }
}

/** Gateways belong to no group: who is limited to one does not see them anywhere. */
async function readGateways(
  db: Queryable,
  { organizationId, groupId }: planQueries.Viewer,
  planId: number,
  now: Date,
) {
  if (groupId !== undefined) return []
  const positions = await listGateways(db, organizationId, planId)
  const ids = positions.map(({ gateway_id }) => gateway_id)
  const gateways = await readFleetGateways(db, organizationId, ids, now)
  return toPlacedGateways(gateways, positions, now)
}
