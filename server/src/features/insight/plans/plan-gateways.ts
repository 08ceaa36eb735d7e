import { z } from 'zod'
import type { Queryable } from '../../../db/connect.ts'
import { changeOf } from '../../../http/change-record.ts'
import type { Caller } from '../../../http/endpoint.ts'
import { conflict, notFound } from '../../../http/errors.ts'
import { endpoint } from '../../core-services.ts'
import { find as findGateway } from '../../fleet/inventory/gateway-queries.ts'
import { gatewayNotFound, gatewayPath, readReference } from '../../fleet/inventory/references.ts'
import { mostGateways, placeGateway, takeGateway } from './plan-gateway-queries.ts'
import * as planQueries from './plan-queries.ts'
import { placeOnPlanBody, planNotFound, planPath } from './plan-record.ts'

const isPlanFull = `The floor plan has ${mostGateways} gateways already.`

const params = z.object({ ...planPath.shape, ...gatewayPath.shape })

export const placeGatewayOnPlan = endpoint({
  summary: 'Put a gateway on a floor plan, or move it there',
  params,
  body: placeOnPlanBody,
  status: 204,
  failures: [404, 409],
  change: changeOf('gateway', 'put on a floor plan'),
  async handle({ params, body, caller, record }, { db }) {
    await db.transaction(async (tx) => {
      const { plan, gateway } = await findBoth(tx, caller, params)
      const position = { gateway_id: gateway.id, ...body }
      const isPlaced = await placeGateway(tx, caller.organizationId, plan.id, position)
      if (!isPlaced) throw conflict(isPlanFull)
      await record(tx)
    })
  },
})

export const takeGatewayFromPlan = endpoint({
  summary: 'Take a gateway from a floor plan',
  params,
  status: 204,
  failures: [404],
  change: changeOf('gateway', 'taken from a floor plan'),
  async handle({ params, caller, record }, { db }) {
    await db.transaction(async (tx) => {
      const { plan, gateway } = await findBoth(tx, caller, params)
      await takeGateway(tx, caller.organizationId, plan.id, gateway.id)
      await record(tx)
    })
  },
})

async function findBoth(
  tx: Queryable,
  caller: Caller,
  { plan_id, gateway_id }: z.infer<typeof params>,
) {
  const plan = await planQueries.find(tx, caller, plan_id)
  if (!plan) throw planNotFound()
  const gateway = await findGateway(tx, caller.organizationId, readReference(gateway_id))
  if (!gateway) throw notFound(gatewayNotFound)
  return { plan, gateway }
}
