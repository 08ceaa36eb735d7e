import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { euiPart } from '../../../lora/eui.ts'
import type { RegisterMethod } from '../../accounts/connections/account-queries.ts'
import { createValues, type Values } from '../inventory/device-selection-queries.ts'
import type { RegisterStatus } from '../inventory/gateway-queries.ts'
import type { PlaceRow } from '../inventory/places.ts'
import type { Reference } from '../inventory/references.ts'
import { type TagFilter, type Tags, tagPath } from '../inventory/tags.ts'
import type { VerdictState } from '../inventory/verdict.ts'
import { gatewayVerdictAt, ofUsual } from './gateway-verdict-queries.ts'
import { uptimeSince } from './outage-queries.ts'

/** The counters of a gateway at the beginning of an hour. */
export interface HourNote {
  hour: Moment
  uplink_count: number
  downlink_count: number
}

/** Whether the counters are noted for this hour: one step in an index. */
export async function isHourNoted(db: Queryable, hour: Date): Promise<boolean> {
  const notes = await db.query('select from gateway_hours where hour = $1 limit 1', [hour])
  return notes.length > 0
}

/** Notes the counters of all gateways of all organizations. */
export async function noteHour(db: Queryable, hour: Date): Promise<void> {
  await db.query(
    `insert into gateway_hours (hour, gateway_id, organization_id, uplink_count, downlink_count)
     select $1, states.gateway_id, states.organization_id, states.uplink_count,
       states.downlink_count
     from gateway_states as states
     join gateways on gateways.organization_id = states.organization_id
       and gateways.id = states.gateway_id and gateways.deleted_at is null
     on conflict do nothing`,
    [hour],
  )
}

export async function removeNotes(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from gateway_hours where hour < $1', [before])
}

/** Lists the notes of a gateway: one range of the primary key. */
export function listNotes(
  db: Queryable,
  organizationId: number,
  gatewayId: number,
  from: Date,
): Promise<HourNote[]> {
  return db.query<HourNote>(
    `select hour, uplink_count, downlink_count from gateway_hours
     where organization_id = $1 and gateway_id = $2 and hour >= $3`,
    [organizationId, gatewayId, from],
  )
}

/** A gateway as the console shows it. */
export interface FleetGateway extends PlaceRow {
  id: number
  gateway_eui: string
  name: string
  network: string
  register_method: RegisterMethod
  register_status: RegisterStatus
  register_error: string | null
  refused_at: Moment | null
  ip: string | null
  region: string | null
  description: string | null
  settings: Record<string, string>
  tags: Tags
  /** As the network's messages tell. */
  told_latitude: number | null
  told_longitude: number | null
  created_at: Moment
  uplink_count: number
  downlink_count: number
  first_seen: Moment | null
  last_seen: Moment | null
  verdict: VerdictState
  usual_seconds: number | null
  /** In percent; null before its first uplink. */
  uptime_7_days: number | null
  uptime_30_days: number | null
}

const columnsAt = (
  now: string,
) => `gateways.id, gateways.gateway_eui, gateways.name, gateways.network,
  gateways.register_method, gateways.register_status, gateways.register_error,
  gateways.refused_at, gateways.ip,
  gateways.region, gateways.description, gateways.settings, gateways.tags, gateways.latitude, gateways.longitude,
  gateways.altitude, gateways.place_source,
  states.latitude as told_latitude, states.longitude as told_longitude, gateways.created_at,
  states.uplink_count, states.downlink_count, states.first_seen, states.last_seen,
  ${gatewayVerdictAt(now)} as verdict, usual.seconds as usual_seconds,
  ${uptimeOfDays(7, now)} as uptime_7_days, ${uptimeOfDays(30, now)} as uptime_30_days`

function uptimeOfDays(days: number, now: string): string {
  const time = `${now}::timestamptz`
  return uptimeSince(`${time} - interval '${days} days'`, time)
}

const ofStates = `join gateway_states as states
  on states.organization_id = gateways.organization_id and states.gateway_id = gateways.id`

const tables = `gateways ${ofStates} ${ofUsual}`

/** What the list can be sorted by. No expression is null, so that a place in the order is certain. */
const sortExpressions = (now: string) => ({
  name: 'gateways.name_order',
  network: 'gateways.network',
  status: 'gateways.register_status',
  first_seen: `coalesce(states.first_seen, '-infinity')`,
  last_seen: `coalesce(states.last_seen, '-infinity')`,
  uplink_count: 'states.uplink_count',
  downlink_count: 'states.downlink_count',
  uptime: `coalesce(${uptimeOfDays(30, now)}, 101)`,
  created_at: 'gateways.created_at',
})

export type GatewaySort = keyof ReturnType<typeof sortExpressions>

export interface GatewayFilter {
  search: string
  network: string | undefined
  tag: TagFilter | undefined
  status: string | undefined
  verdict: VerdictState | undefined
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
  now: Date
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

/** The ids of all gateways that match, by name. */
export async function listGatewayIds(
  db: Queryable,
  organizationId: number,
  filter: Pick<GatewayFilter, 'search' | 'network' | 'tag'>,
  now: Date,
): Promise<number[]> {
  const { list, add } = createValues()
  const at = { organization: add(organizationId), now: add(now) }
  const whole = { ...filter, status: undefined, verdict: undefined, silentSince: undefined }
  const { matching } = matchingGateways(at, whole, 'name', add)
  const rows = await db.query<{ id: number }>(
    `select id from (${matching}) as matching where $2::timestamptz is not null
     order by sort_value, id`,
    list,
  )
  return rows.map(({ id }) => id)
}

function pageStatement(organizationId: number, filter: GatewayFilter, page: GatewayPage) {
  const { sort, order, limit, offset, after } = page
  const { list: values, add } = createValues()
  const organization = add(organizationId)
  const now = add(page.now)
  const { matching, isAll } = matchingGateways({ organization, now }, filter, sort, add)
  const beyond = order === 'asc' ? '>' : '<'
  // The gateway of a cursor is found even if it has been deleted since.
  const behind =
    after === null
      ? ''
      : `where (sort_value, id) ${beyond} ((
           select ${sortExpressions(now)[sort]} from gateways ${ofStates}
           where gateways.organization_id = ${organization} and gateways.id = ${add(after)}::bigint
         ), ${add(after)}::bigint)`
  const text = `with matching as ${isAll ? '' : 'materialized'} (${matching})
     select counted.total, page.*
     from (select count(*) as total from ${isAll ? living(organization) : 'matching'}) as counted
     left join lateral (
       select ${columnsAt(now)}, shown.sort_value
       from (
         select id, sort_value from matching ${behind}
         order by sort_value ${order}, id ${order}
         limit ${add(limit)}::bigint offset ${add(offset)}::bigint
       ) as shown
       join gateways on gateways.organization_id = ${organization} and gateways.id = shown.id
       join gateway_states as states on states.organization_id = gateways.organization_id
         and states.gateway_id = gateways.id
       ${ofUsual}
     ) as page on true
     order by page.sort_value ${order}, page.id ${order}`
  return { text, values }
}

/** SQL: the gateways that match, each with the value that orders them. */
function matchingGateways(
  { organization, now }: { organization: string; now: string },
  filter: GatewayFilter,
  sort: GatewaySort,
  add: Values['add'],
): { matching: string; isAll: boolean } {
  const { search, network, tag, status, verdict, silentSince } = filter
  const contains = (text: string) => add(`%${text.replace(/[\\%_]/g, '\\$&')}%`)
  const pattern = search && contains(search)
  const euiPattern = search && contains(euiPart(search))
  const silent = silentSince && `${add(silentSince)}::timestamptz`
  const conditions = [
    ...(pattern
      ? [`(gateways.name ilike ${pattern} or gateways.gateway_eui ilike ${euiPattern})`]
      : []),
    ...(network ? [`gateways.network = ${add(network)}`] : []),
    ...(tag ? [`gateways.tags @@ ${add(tagPath(tag))}::jsonpath`] : []),
    ...(status ? [`gateways.register_status = ${add(status)}`] : []),
    ...(verdict ? [`${gatewayVerdictAt(now)} = ${add(verdict)}`] : []),
    ...(silent ? [`(states.last_seen is null or states.last_seen < ${silent})`] : []),
  ]
  const expression = sortExpressions(now)[sort]
  const joins = verdict ? `${ofStates} ${ofUsual}` : ofStates
  const needsStates = (verdict ?? silent) !== undefined || expression.includes('states.')
  return {
    isAll: conditions.length === 0,
    matching: `select gateways.id, ${expression} as sort_value
      from ${living(organization, needsStates ? joins : '')}
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
  now: Date,
): Promise<FleetGateway | undefined> {
  const gateways = await db.query<FleetGateway>(
    `select ${columnsAt('$4')} from ${tables}
     where gateways.organization_id = $1 and gateways.deleted_at is null
       and (gateways.id = $2 or gateways.eui = $3)
     order by gateways.id
     limit 1`,
    [organizationId, id, eui, now],
  )
  return gateways[0]
}

/** Reads chosen gateways that there are, in the order of ids. */
export function readFleetGateways(
  db: Queryable,
  organizationId: number,
  ids: readonly number[],
  now: Date,
): Promise<FleetGateway[]> {
  return db.query<FleetGateway>(
    `select ${columnsAt('$3')} from ${tables}
     where gateways.organization_id = $1 and gateways.deleted_at is null
       and gateways.id = any($2)
     order by gateways.id`,
    [organizationId, ids, now],
  )
}
