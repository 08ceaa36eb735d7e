import type { Queryable } from '../../db/connect.ts'
import type { RegisterStatus } from '../inventory/gateway-queries.ts'
import type { GatewayReference } from '../inventory/gateway-reference.ts'

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

/** Former tokens of a gateway that may be valid at one time. */
const mostFormer = 10

/**
 * Gives a gateway of kind `other` another token. The one before is valid until `until` beside the
 * former ones, unless `endsFormer`; both in milliseconds since 1970. False when too many are valid.
 */
export async function rotateToken(
  db: Queryable,
  organizationId: number,
  gateway: { id: number; sealed: Buffer; hash: Buffer },
  { now, until, endsFormer }: { now: number; until: number; endsFormer: boolean },
): Promise<boolean> {
  const valid = `jsonb_path_query_array(former_tokens, '$[*] ? (@.until > $now)', $5)`
  const rows = await db.query(
    `update gateways
     set sealed_token = $3, token_hash = $4,
       former_tokens = case when $7 then '[]' else ${valid} || jsonb_build_object(
         'hash', encode(token_hash, 'hex'), 'until', $6::bigint) end
     where organization_id = $1 and id = $2 and ($7 or jsonb_array_length(${valid}) < $8)
     returning id`,
    [
      organizationId,
      gateway.id,
      gateway.sealed,
      gateway.hash,
      { now },
      until,
      endsFormer,
      mostFormer,
    ],
  )
  return rows.length > 0
}
