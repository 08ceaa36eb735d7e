import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { euiPart } from '../../../lora/eui.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'
import { createValues, type Values } from '../inventory/device-selection-queries.ts'
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

const ofStates = `join gateway_states as states
  on states.organization_id = gateways.organization_id and states.gateway_id = gateways.id`

const tables = `gateways ${ofStates}`

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
 * Reads a page of gateways and their total. All gateways by name are read in the order of an index, and
 * counted in an index: some 400 in a page of 8 kB. A filter or another order reads every gateway (1,000
 * gateways: 3 ms). Equal sort values are ordered by id, so that no page repeats or leaves out one.
 */
export async function listFleetGateways(
  db: Queryable,
  organizationId: number,
  filter: GatewayFilter,
  page: GatewayPage,
): Promise<{ total: number; gateways: FleetGateway[] }> {
  const { text, values } = pageStatement(organizationId, filter, page)
  const rows = await db.query<FleetGateway & { total: number }>(text, values)
  return {
    total: rows[0]?.total ?? 0,
    gateways: rows.filter((row) => (row.id as number | null) !== null),
  }
}

function pageStatement(organizationId: number, filter: GatewayFilter, page: GatewayPage) {
  const { sort, order, limit, offset, after } = page
  const { list: values, add } = createValues()
  const organization = add(organizationId)
  const { matching, isAll } = matchingGateways(organization, filter, sort, add)
  const beyond = order === 'asc' ? '>' : '<'
  // The gateway of a cursor is found even if it has been deleted since.
  const behind =
    after === null
      ? ''
      : `where (sort_value, id) ${beyond} ((
           select ${sortExpressions[sort]} from ${tables}
           where gateways.organization_id = ${organization} and gateways.id = ${add(after)}::bigint
         ), ${add(after)}::bigint)`
  const text = `with matching as ${isAll ? '' : 'materialized'} (${matching})
     select counted.total, page.*
     from (select count(*) as total from ${isAll ? living(organization) : 'matching'}) as counted
     left join lateral (
       select ${columns}, shown.sort_value
       from (
         select id, sort_value from matching ${behind}
         order by sort_value ${order}, id ${order}
         limit ${add(limit)}::bigint offset ${add(offset)}::bigint
       ) as shown
       join gateways on gateways.organization_id = ${organization} and gateways.id = shown.id
       join gateway_states as states on states.organization_id = gateways.organization_id
         and states.gateway_id = gateways.id
     ) as page on true
     order by page.sort_value ${order}, page.id ${order}`
  return { text, values }
}

/** SQL: the gateways that match, each with the value that orders them. */
function matchingGateways(
  organization: string,
  filter: GatewayFilter,
  sort: GatewaySort,
  add: Values['add'],
): { matching: string; isAll: boolean } {
  const { search, network, status, silentSince } = filter
  const contains = (text: string) => add(`%${text.replace(/[\\%_]/g, '\\$&')}%`)
  const pattern = search && contains(search)
  const euiPattern = search && contains(euiPart(search))
  const silent = silentSince && `${add(silentSince)}::timestamptz`
  const conditions = [
    ...(pattern
      ? [`(gateways.name ilike ${pattern} or gateways.gateway_eui ilike ${euiPattern})`]
      : []),
    ...(network ? [`gateways.network = ${add(network)}`] : []),
    ...(status ? [`gateways.register_status = ${add(status)}`] : []),
    ...(silent ? [`(states.last_seen is null or states.last_seen < ${silent})`] : []),
  ]
  const expression = sortExpressions[sort]
  const needsStates = silent !== undefined || expression.includes('states.')
  return {
    isAll: conditions.length === 0,
    matching: `select gateways.id, ${expression} as sort_value
      from ${living(organization, needsStates ? ofStates : '')}
      ${conditions.map((condition) => `and ${condition}`).join(' ')}`,
  }
}

/** SQL: the gateways of the organization. */
function living(organization: string, joins = ''): string {
  return `gateways ${joins}
    where gateways.organization_id = ${organization} and gateways.deleted_at is null`
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
