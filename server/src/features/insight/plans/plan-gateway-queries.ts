import type { Queryable } from '../../../db/connect.ts'

/** Where a gateway is on a plan. */
export interface GatewayPosition {
  gateway_id: number
  x: number
  y: number
}

export function listGateways(
  db: Queryable,
  organizationId: number,
  planId: number,
): Promise<GatewayPosition[]> {
  return db.query<GatewayPosition>(
    `select gateway_id, x, y from plan_gateways
     where organization_id = $1 and plan_id = $2
     order by gateway_id`,
    [organizationId, planId],
  )
}

/** Of one floor plan. */
export const mostGateways = 100

/** Puts a gateway on a plan; false where the plan has as many others as it may. */
export async function placeGateway(
  tx: Queryable,
  organizationId: number,
  planId: number,
  { gateway_id, x, y }: GatewayPosition,
): Promise<boolean> {
  await tx.query('select from floor_plans where organization_id = $1 and id = $2 for update', [
    organizationId,
    planId,
  ])
  const rows = await tx.query(
    `insert into plan_gateways (organization_id, plan_id, gateway_id, x, y)
     select $1, $2, $3, $4, $5
     where (
       select count(*) from plan_gateways as others
       where others.organization_id = $1 and others.plan_id = $2 and others.gateway_id <> $3
     ) < $6
     on conflict (organization_id, plan_id, gateway_id) do update set x = excluded.x, y = excluded.y
     returning gateway_id`,
    [organizationId, planId, gateway_id, x, y, mostGateways],
  )
  return rows.length > 0
}

export async function takeGateway(
  tx: Queryable,
  organizationId: number,
  planId: number,
  gatewayId: number,
): Promise<void> {
  await tx.query(
    `delete from plan_gateways
     where organization_id = $1 and plan_id = $2 and gateway_id = $3`,
    [organizationId, planId, gatewayId],
  )
}
