import { ofLivingDevices, periodOf } from '../inventory/coarse-states.ts'
import type { DeviceOrder } from '../inventory/device-filter.ts'
import {
  createValues,
  orderBy,
  unknownBattery,
  type Values,
} from '../inventory/device-selection-queries.ts'

/** The last device of a page, where the next one begins. */
export interface Cursor {
  id: number
  /** The value that orders the devices, as the database writes it. */
  rank: string
}

export interface FleetPage {
  limit: number
  offset: number
  after: Cursor | undefined
}

interface Statement {
  text: string
  values: unknown[]
}

/**
 * SQL: `id` and `rank` of a page of all devices in the order of a state, by the index of that state;
 * undefined for other orders. A page costs its rows, and those that were last heard in the same half
 * day. It names only tables of the organization, so Citus runs it as it is: the total is not in it.
 */
export function walkStates(
  organizationId: number,
  order: DeviceOrder,
  page: FleetPage,
): Statement | undefined {
  if (order.sort !== 'last_seen' && order.sort !== 'battery') return undefined
  const values = createValues()
  values.add(organizationId)
  const walk = order.sort === 'battery' ? walkBatteries : walkPeriods
  const { tables, select } = walk(order, page, values)
  const text = `${tables} select id, rank::text as rank from (${select}) as walk
    order by ${orderBy(order).replaceAll(/\brank /g, 'walk.rank ')}
    limit ${values.add(page.limit)} offset ${values.add(page.offset)}`
  return { text, values: values.list }
}

/** The parts of a statement: its common tables, and what selects `id` and `rank`. */
interface Walk {
  tables: string
  select: string
}

/** Devices before a page from which on all states are sorted at once. */
const mostCounted = 1000

const ofOrganization = 'device_states where organization_id = $1'

/**
 * Goes from period to period until there are enough devices, then sorts those of these periods. The
 * planner alone would sort all states: it does not know how many are in a period.
 */
function walkPeriods({ order }: DeviceOrder, page: FleetPage, { add }: Values): Walk {
  const isDown = order === 'desc'
  const beyond = isDown ? '<' : '>'
  const rank = `coalesce(last_seen, '-infinity')`
  const place = page.after && {
    rank: `${add(page.after.rank)}::timestamptz`,
    id: `${add(page.after.id)}::bigint`,
  }
  // '-infinity' is the rank of those that were never heard.
  const behind = place
    ? `and (${rank}, device_id) ${beyond} (${place.rank}, ${place.id})
       and seen_period ${beyond}= ${periodOf(`nullif(${place.rank}, '-infinity')`)}`
    : ''
  const isCounted = page.offset <= mostCounted
  const needed = isCounted ? `${add(page.limit + page.offset)}::bigint` : ''
  const last = `(select ${isDown ? 'min' : 'max'}(period) from walked where found < ${needed})`
  return {
    tables: isCounted ? `with recursive ${periods(isDown, behind, needed)}` : '',
    select: `select devices.id, states.rank from (
        select device_id, ${rank} as rank from ${ofOrganization} ${behind}
          ${isCounted ? `and seen_period ${isDown ? '>=' : '<='} ${last}` : ''}
        order by ${rank} ${order}, device_id ${order}
      ) as states ${ofLivingDevices}`,
  }
}

/**
 * SQL: the periods one after the other, each with the devices found before it. `offset 0` keeps the
 * planner from reading the states in the order of their devices.
 */
function periods(isDown: boolean, behind: string, needed: string): string {
  const [first, beyond] = isDown ? ['max', '<'] : ['min', '>']
  return `walked as (
    select ${first}(seen_period) as period, 0::bigint as found from ${ofOrganization} ${behind}
    union all
    select (
      select ${first}(seen_period) from ${ofOrganization} and seen_period ${beyond} walked.period
    ), walked.found + (
      select count(*) from (
        select from (
          select device_id from ${ofOrganization} and seen_period = walked.period ${behind} offset 0
        ) as states ${ofLivingDevices}
        limit ${needed}
      ) as counted
    )
    from walked where walked.period is not null and walked.found < ${needed}
  )`
}

/** Unknown batteries come last in both directions: a part of their own. */
function walkBatteries({ order }: DeviceOrder, page: FleetPage, { add }: Values): Walk {
  const needed = `${add(page.limit + page.offset)}::bigint`
  const beyond = order === 'asc' ? '>' : '<'
  const unknown = unknownBattery(order)
  const part = (rank: string, condition: string, sorted: string) => `(
      select devices.id, ${rank}::double precision as rank from device_states as states ${ofLivingDevices}
      where states.organization_id = $1 and states.battery_volts ${condition}
      order by ${sorted} limit ${needed}
    )`
  const unknownPart = (behind = '') =>
    part(String(unknown), `is null ${behind}`, `states.device_id ${order}`)
  if (Number(page.after?.rank) === unknown) {
    return {
      tables: '',
      select: unknownPart(`and states.device_id ${beyond} ${add(page.after?.id)}::bigint`),
    }
  }
  const behind = page.after
    ? `and (states.battery_volts, states.device_id) ${beyond}
        (${add(page.after.rank)}::double precision, ${add(page.after.id)}::bigint)`
    : ''
  const knownOrder = `states.battery_volts ${order}, states.device_id ${order}`
  const known = part('states.battery_volts', `is not null ${behind}`, knownOrder)
  return { tables: '', select: `${known} union all ${unknownPart()}` }
}
