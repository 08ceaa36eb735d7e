import type { Queryable } from '../../db/connect.ts'
import type { RegisterStatus } from './gateway-queries.ts'
import type { GatewayReference } from './gateway-reference.ts'

/** A gateway that is to be changed, as it is, and what the outbox needs to know of it. */
export interface KnownGateway {
  kind: 'gateway'
  id: number
  name: string
  eui: string
  network: string
  register_method: string
  register_status: RegisterStatus
}

const columns = `'gateway' as kind, id, name, eui, network, register_method, register_status`

/** Locks the gateway that a path names; of several with one EUI the one registered first. */
export async function lock(
  tx: Queryable,
  organizationId: number,
  { id, eui }: GatewayReference,
): Promise<KnownGateway | undefined> {
  const gateways = await tx.query<KnownGateway>(
    `select ${columns} from gateways
     where organization_id = $1 and deleted_at is null and (id = $2 or eui = $3)
     order by id
     limit 1
     for update`,
    [organizationId, id, eui],
  )
  return gateways[0]
}

/** Locks the gateways under these ids and EUIs, in order of ids so that no two wait in a round. */
export function lockAll(
  tx: Queryable,
  organizationId: number,
  { ids, euis }: { ids: readonly number[]; euis: readonly string[] },
): Promise<KnownGateway[]> {
  return tx.query<KnownGateway>(
    `select ${columns} from gateways
     where organization_id = $1 and deleted_at is null and (id = any($2) or eui = any($3))
     order by id
     for update`,
    [organizationId, ids, euis],
  )
}

/** What becomes of a gateway; `ip` left out stays as it is. */
export interface GatewayChange {
  id: number
  name: string
  ip?: string | null | undefined
}

export async function changeAll(
  tx: Queryable,
  organizationId: number,
  changes: readonly GatewayChange[],
  now: Date,
): Promise<void> {
  const given = changes.map((change) => ({ ...change, hasIp: change.ip !== undefined }))
  await tx.query(
    `update gateways
     set name = given.name, updated_at = $3,
       ip = case when given."hasIp" then given.ip else gateways.ip end
     from json_to_recordset($2) as given(id bigint, name text, ip text, "hasIp" boolean)
     where gateways.organization_id = $1 and gateways.id = given.id`,
    [organizationId, JSON.stringify(given), now],
  )
}

/** Leaves tombstones, whose tokens open nothing any more. */
export async function markAllDeleted(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  await tx.query(
    `update gateways
     set deleted_at = $3, updated_at = $3, sealed_token = null, token_hash = null
     where organization_id = $1 and id = any($2)`,
    [organizationId, ids, now],
  )
}
