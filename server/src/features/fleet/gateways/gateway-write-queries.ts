import type { Queryable } from '../../../db/connect.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'
import type { RegisterStatus } from '../inventory/gateway-queries.ts'
import { type Place, placeColumns, placeOfJson, setPlace } from '../inventory/places.ts'
import type { Reference } from '../inventory/references.ts'
import type { Tags } from '../inventory/tags.ts'

/** Returns the EUIs under which the organization has a gateway on the network. */
export async function findTakenGateways(
  db: Queryable,
  organizationId: number,
  network: string,
  euis: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ eui: string }>(
    `select eui from gateways
     where organization_id = $1 and network = $2 and eui = any($3) and deleted_at is null`,
    [organizationId, network, euis],
  )
  return new Set(rows.map(({ eui }) => eui))
}

/** Finds the register methods of the organization's accounts at each network. */
export async function findRegisterMethods(
  tx: Queryable,
  organizationId: number,
  networks: readonly string[],
): Promise<Map<string, RegisterMethod[]>> {
  const rows = await tx.query<{ network: string; methods: RegisterMethod[] }>(
    `select network, array_agg(register_method) as methods from network_accounts
     where organization_id = $1 and network = any($2)
     group by network`,
    [organizationId, networks],
  )
  return new Map(rows.map(({ network, methods }) => [network, methods]))
}

/** Lists why gateways wait for their registration, by id. */
export async function listReasons(
  tx: Queryable,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await tx.query<{ id: number; register_error: string }>(
    `select id, register_error from gateways
     where organization_id = $1 and id = any($2) and register_error is not null`,
    [organizationId, ids],
  )
  return new Map(rows.map(({ id, register_error: reason }) => [id, reason]))
}

export interface GatewayRow {
  id: number
  gatewayEui: string
  name: string
  network: string
  registerMethod: RegisterMethod
  ip: string | null
  region: string | null
  description: string | null
  settings: Record<string, string>
  tags?: Tags | undefined
  place?: Place | undefined
  registerStatus: RegisterStatus
  /** Why it has to wait. */
  registerError?: string | undefined
  /** Of a gateway of kind `other`: its token, sealed under its id, and the token's hash. */
  token: { sealed: Buffer; hash: Buffer } | undefined
}

/**
 * Inserts gateways with empty states and returns their number. Gateways whose EUI is taken are left
 * out. The order of EUIs keeps two batches with EUIs in common from a deadlock.
 */
export async function insertAll(
  tx: Queryable,
  organizationId: number,
  gateways: readonly GatewayRow[],
  origin: { userId: number; now: Date },
): Promise<number> {
  const given = gateways.map(({ token, ...gateway }) => ({
    ...gateway,
    sealedToken: token?.sealed.toString('hex') ?? null,
    tokenHash: token?.hash.toString('hex') ?? null,
  }))
  const rows = await tx.query<{ inserted: number }>(
    `with gateway as (
       insert into gateways (
         id, organization_id, gateway_eui, name, network, register_method, ip, region,
         description, settings, register_status, sealed_token, token_hash, user_id, created_at,
         updated_at, register_error, tags, ${placeColumns}
       )
       overriding system value
       select id, $1, "gatewayEui", name, network, "registerMethod", ip, region, description,
         settings, "registerStatus", decode("sealedToken", 'hex'), decode("tokenHash", 'hex'), $3,
         $4, $4, "registerError", coalesce(tags, '{}'), ${placeOfJson}
       from json_to_recordset($2) as given(
         id bigint, "gatewayEui" text, name text, network text, "registerMethod" text, ip text,
         region text, description text, settings jsonb, "registerStatus" text, "sealedToken" text,
         "tokenHash" text, "registerError" text, tags jsonb, place jsonb
       )
       order by network, upper("gatewayEui")
       on conflict (organization_id, network, eui) where deleted_at is null do nothing
       returning id, organization_id
     ), state as (
       insert into gateway_states (gateway_id, organization_id)
       select id, organization_id from gateway
     )
     select count(*) as inserted from gateway`,
    [organizationId, JSON.stringify(given), origin.userId, origin.now],
  )
  return rows[0]?.inserted ?? 0
}

/** A stored gateway, with what changes, deletions and the outbox need. */
export interface RegisteredGateway {
  kind: 'gateway'
  id: number
  name: string
  eui: string
  network: string
  register_method: string
  register_status: RegisterStatus
}

const columns = `'gateway' as kind, id, name, eui, network, register_method, register_status`

/** Locks the gateway that a path names; of several with one EUI, the one registered first. */
export async function lock(
  tx: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<RegisteredGateway | undefined> {
  const gateways = await tx.query<RegisteredGateway>(
    `select ${columns} from gateways
     where organization_id = $1 and deleted_at is null and (id = $2 or eui = $3)
     order by id
     limit 1
     for update`,
    [organizationId, id, eui],
  )
  return gateways[0]
}

/** Locks the gateways under these ids and EUIs. The order of ids prevents deadlocks. */
export function lockAll(
  tx: Queryable,
  organizationId: number,
  { ids, euis }: { ids: readonly number[]; euis: readonly string[] },
): Promise<RegisteredGateway[]> {
  return tx.query<RegisteredGateway>(
    `select ${columns} from gateways
     where organization_id = $1 and deleted_at is null and (id = any($2) or eui = any($3))
     order by id
     for update`,
    [organizationId, ids, euis],
  )
}

/** New values of a gateway; undefined leaves a value as it is. */
interface ChangedColumns {
  id: number
  name?: string | undefined
  ip?: string | null | undefined
  tags?: Tags | undefined
  /** Null takes it away. */
  place?: Place | null | undefined
}

export async function changeAll(
  tx: Queryable,
  organizationId: number,
  changes: readonly ChangedColumns[],
  now: Date,
): Promise<void> {
  const given = changes.map((change) => ({
    ...change,
    hasIp: change.ip !== undefined,
    hasPlace: change.place !== undefined,
  }))
  await tx.query(
    `update gateways
     set name = coalesce(given.name, gateways.name), updated_at = $3,
       ip = case when given."hasIp" then given.ip else gateways.ip end,
       tags = coalesce(given.tags, gateways.tags), ${setPlace('gateways')}
     from json_to_recordset($2) as given(
       id bigint, name text, ip text, "hasIp" boolean, tags jsonb, "hasPlace" boolean, place jsonb
     )
     where gateways.organization_id = $1 and gateways.id = given.id`,
    [organizationId, JSON.stringify(given), now],
  )
}

/** Leaves tombstones without tokens. */
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

/** Former tokens of a gateway that may be valid at the same time. */
const mostFormer = 10

/**
 * Gives a gateway of kind `other` a new token. The current token stays valid until `until`, like the
 * former ones, unless `endsFormer`. Times are milliseconds since 1970. False when too many are valid.
 */
export async function rotateToken(
  db: Queryable,
  organizationId: number,
  gateway: { id: number; sealed: Buffer; hash: Buffer },
  { now, until, endsFormer }: { now: number; until: number; endsFormer: boolean },
): Promise<boolean> {
  const valid = `jsonb_path_query_array(former_tokens, '$[*] ? (@.until > $now)', $5)`
  // Not by jsonb_build_object: Citus takes only immutable functions within a case of an update.
  const former = `('{"hash":"' || encode(token_hash, 'hex') || '","until":' || $6::bigint::text
         || '}')::jsonb`
  const rows = await db.query(
    `update gateways
     set sealed_token = $3, token_hash = $4,
       former_tokens = case when $7 then '[]' else ${valid} || ${former} end
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
