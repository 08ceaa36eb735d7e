import type { Queryable } from '../../db/connect.ts'
import type { RegisterMethod } from '../connections/account-queries.ts'
import type { RegisterStatus } from '../inventory/gateway-queries.ts'

export async function isEuiTaken(
  db: Queryable,
  organizationId: number,
  network: string,
  eui: string,
): Promise<boolean> {
  const rows = await db.query(
    `select id from gateways
     where organization_id = $1 and network = $2 and eui = $3 and deleted_at is null`,
    [organizationId, network, eui],
  )
  return rows.length > 0
}

/** The ways in which the organization has an account of its own at each of these networks. */
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

/** Why those of the gateways wait that were not registered at their networks yet. */
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

export interface NewGateway {
  id: number
  gatewayEui: string
  name: string
  network: string
  registerMethod: RegisterMethod
  ip: string | null
  region: string | null
  description: string | null
  settings: Record<string, string>
  registerStatus: RegisterStatus
  /** Of a gateway of kind `other`: what it sends, sealed under its id, and the hash of that. */
  token: { sealed: Buffer; hash: Buffer } | undefined
}

/**
 * Inserts gateways with nothing heard of them, and tells how many: those whose EUI another request
 * has taken are left out. In the order of EUIs, so that two batches that share some do not wait
 * for each other.
 */
export async function insertAll(
  tx: Queryable,
  organizationId: number,
  gateways: readonly NewGateway[],
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
         updated_at
       )
       overriding system value
       select id, $1, "gatewayEui", name, network, "registerMethod", ip, region, description,
         settings, "registerStatus", decode("sealedToken", 'hex'), decode("tokenHash", 'hex'), $3,
         $4, $4
       from json_to_recordset($2) as given(
         id bigint, "gatewayEui" text, name text, network text, "registerMethod" text, ip text,
         region text, description text, settings jsonb, "registerStatus" text, "sealedToken" text,
         "tokenHash" text
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
