import type { Queryable } from '../../db/connect.ts'
import type { RegisterStatus } from './gateway-queries.ts'
import type { GatewayReference } from './gateway-reference.ts'

/** What the outbox needs to know of a gateway that was changed. */
export interface ChangedGateway {
  kind: 'gateway'
  id: number
  eui: string
  network: string
  register_method: string
  register_status: RegisterStatus
}

const changed = `'gateway' as kind, gateways.id, gateways.eui, gateways.network,
  gateways.register_method, gateways.register_status`

/** The gateway that a path names; of several with one EUI the one registered first. */
const named = `select id, name from gateways
  where organization_id = $1 and deleted_at is null and (id = $2 or eui = $3)
  order by id
  limit 1
  for update`

/** `ip` left out stays as it is. */
export async function change(
  tx: Queryable,
  organizationId: number,
  { id, eui }: GatewayReference,
  change: { name: string; ip: string | null | undefined; now: Date },
): Promise<(ChangedGateway & { is_renamed: boolean }) | undefined> {
  const rows = await tx.query<ChangedGateway & { is_renamed: boolean }>(
    `with named as (${named})
     update gateways
     set name = $4, ip = case when $5 then $6 else gateways.ip end, updated_at = $7
     from named
     where gateways.id = named.id
     returning ${changed}, named.name <> $4 as is_renamed`,
    [organizationId, id, eui, change.name, change.ip !== undefined, change.ip ?? null, change.now],
  )
  return rows[0]
}

/** Leaves a tombstone, whose token opens nothing any more. */
export async function markDeleted(
  tx: Queryable,
  organizationId: number,
  { id, eui }: GatewayReference,
  now: Date,
): Promise<ChangedGateway | undefined> {
  const rows = await tx.query<ChangedGateway>(
    `with named as (${named})
     update gateways
     set deleted_at = $4, updated_at = $4, sealed_token = null, token_hash = null
     from named
     where gateways.id = named.id
     returning ${changed}`,
    [organizationId, id, eui, now],
  )
  return rows[0]
}
