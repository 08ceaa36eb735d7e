import type { Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'
import type { RegisterMethod } from '../connections/account-queries.ts'
import type { RegisterStatus } from '../inventory/gateway-queries.ts'
import type { Reference } from '../inventory/references.ts'

/** A gateway as the console shows it. */
export interface FleetGateway {
  id: number
  gateway_eui: string
  name: string
  network: string
  register_method: RegisterMethod
  register_status: RegisterStatus
  register_error: string | null
  ip: string | null
  region: string | null
  description: string | null
  settings: Record<string, string>
  latitude: number | null
  longitude: number | null
  /** As the network's messages tell. */
  told_latitude: number | null
  told_longitude: number | null
  created_at: Moment
  uplink_count: number
  downlink_count: number
  first_seen: Moment | null
  last_seen: Moment | null
}

const columns = `gateways.id, gateways.gateway_eui, gateways.name, gateways.network,
  gateways.register_method, gateways.register_status, gateways.register_error, gateways.ip,
  gateways.region, gateways.description, gateways.settings, gateways.latitude, gateways.longitude,
  states.latitude as told_latitude, states.longitude as told_longitude, gateways.created_at,
  states.uplink_count, states.downlink_count, states.first_seen, states.last_seen`

const tables = `gateways join gateway_states as states
  on states.organization_id = gateways.organization_id and states.gateway_id = gateways.id`

/** What the list can be sorted by. No expression is null, so that a place in the order is certain. */
const sortExpressions = {
  name: 'lower(gateways.name)',
  network: 'gateways.network',
  status: 'gateways.register_status',
  first_seen: `coalesce(states.first_seen, '-infinity')`,
  last_seen: `coalesce(states.last_seen, '-infinity')`,
  uplink_count: 'states.uplink_count',
  downlink_count: 'states.downlink_count',
  created_at: 'gateways.created_at',
} as const

export type GatewaySort = keyof typeof sortExpressions

export interface GatewayFilter {
  search: string
  network: string | undefined
  status: string | undefined
  /** Not heard since then, or never. */
  silentSince: Date | undefined
}

interface GatewayPage {
  sort: GatewaySort
  order: 'asc' | 'desc'
  limit: number
  offset: number
  /** The id of the gateway behind which the page begins; null for the first page. */
  after: number | null
}

/**
 * Reads a page of gateways and their total, which is counted: an organization has few (1,000
 * gateways: 3 ms). Equal sort values are ordered by id, so that no page repeats or leaves out one.
 */
export async function listFleetGateways(
  db: Queryable,
  organizationId: number,
  filter: GatewayFilter,
  page: GatewayPage,
): Promise<{ total: number; gateways: FleetGateway[] }> {
  const { sort, order, limit, offset, after } = page
  const rows = await db.query<FleetGateway & { total: number }>(
    pageQuery(sortExpressions[sort], order),
    [...valuesOf(organizationId, filter), after, limit, offset],
  )
  return {
    total: rows[0]?.total ?? 0,
    gateways: rows.filter((row) => (row.id as number | null) !== null),
  }
}

/** The gateway of a cursor is found even if it has been deleted since. */
function pageQuery(expression: string, order: 'asc' | 'desc'): string {
  const beyond = order === 'asc' ? '>' : '<'
  return `with listed as materialized (
       select gateways.id, ${expression} as sort_value from ${tables}
       where gateways.organization_id = $1 and gateways.deleted_at is null
         and ($2 = '%%' or gateways.name ilike $2 or gateways.gateway_eui ilike $2)
         and ($3::text is null or gateways.network = $3)
         and ($4::text is null or gateways.register_status = $4)
         and ($5::timestamptz is null or states.last_seen is null or states.last_seen < $5)
     ), place as (
       select gateways.id, ${expression} as sort_value from ${tables}
       where gateways.organization_id = $1 and gateways.id = $6
     )
     select counted.total, page.*
     from (select count(*) as total from listed) as counted
     left join lateral (
       select ${columns}, shown.sort_value
       from (
         select listed.id, listed.sort_value from listed
         where $6::bigint is null or exists (
           select from place
           where (listed.sort_value, listed.id) ${beyond} (place.sort_value, place.id)
         )
         order by listed.sort_value ${order}, listed.id ${order}
         limit (select $7::bigint) offset (select $8::bigint)
       ) as shown
       join gateways on gateways.organization_id = $1 and gateways.id = shown.id
       join gateway_states as states on states.organization_id = gateways.organization_id
         and states.gateway_id = gateways.id
     ) as page on true
     order by page.sort_value ${order}, page.id ${order}`
}

function valuesOf(organizationId: number, filter: GatewayFilter): unknown[] {
  const search = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`
  const { network = null, status = null, silentSince = null } = filter
  return [organizationId, search, network, status, silentSince]
}

/** Of two gateways with one EUI on two networks, finds the one registered first. */
export async function findFleetGateway(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<FleetGateway | undefined> {
  const gateways = await db.query<FleetGateway>(
    `select ${columns} from ${tables}
     where gateways.organization_id = $1 and gateways.deleted_at is null
       and (gateways.id = $2 or gateways.eui = $3)
     order by gateways.id
     limit 1`,
    [organizationId, id, eui],
  )
  return gateways[0]
}

/** Sets the place that the owner gives, or removes it. */
export async function placeGateway(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
  place: { lat: number; lng: number } | null,
): Promise<void> {
  await db.query(
    `update gateways set latitude = $4, longitude = $5
     where organization_id = $1 and deleted_at is null and id = (
       select min(named.id) from gateways as named
       where named.organization_id = $1 and named.deleted_at is null
         and (named.id = $2 or named.eui = $3)
     )`,
    [organizationId, id, eui, place?.lat ?? null, place?.lng ?? null],
  )
}
