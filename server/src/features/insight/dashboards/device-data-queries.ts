import type { Queryable } from '../../../db/connect.ts'
import { hasLowBattery, isTampered } from '../../fleet/inventory/coarse-states.ts'
import type { DeviceFilter } from '../../fleet/inventory/device-filter.ts'
import {
  createValues,
  matchingDevices,
  orderBy,
} from '../../fleet/inventory/device-selection-queries.ts'
import { type VerdictState, verdictStates } from '../../fleet/inventory/verdict.ts'
import { ofRhythms, verdictAt } from '../../fleet/inventory/verdict-queries.ts'
import {
  type ListedAlert,
  listedColumns,
  listedJoins,
} from '../../outgoing/alerts/alert-queries.ts'
import { findVerdictWindow } from '../../people/organizations/organization-queries.ts'

const byName = { sort: 'name', order: 'asc' } as const
const order = { sort: 'created_at', order: 'asc' } as const

export interface FilteredCounts extends Record<VerdictState, number> {
  total: number
  low_battery: number
  tampered: number
}

/** Counts the devices that match by their verdict: one scan of the organization's devices. */
export async function countDevices(
  db: Queryable,
  organizationId: number,
  filter: DeviceFilter,
  now: Date,
): Promise<FilteredCounts | undefined> {
  const window = await findVerdictWindow(db, organizationId)
  const values = createValues()
  const organization = values.add(organizationId)
  const matching = matchingDevices({ organization, filter, order, values })
  const verdict = verdictAt(organization, values.add(now), values.add(window))
  const rows = await db.query<FilteredCounts>(
    `select count(*) as total, count(*) filter (where is_low) as low_battery,
       count(*) filter (where is_tampered) as tampered,
       ${verdictStates.map((state) => `count(*) filter (where verdict = '${state}') as ${state}`).join()}
     from (
       select ${verdict} as verdict, ${hasLowBattery()} as is_low, ${isTampered()} as is_tampered
       from (${matching}) as matching
       join devices on devices.organization_id = ${organization} and devices.id = matching.id
       join device_states as states on states.organization_id = ${organization}
         and states.device_id = devices.id
       ${ofRhythms}
     ) as judged`,
    values.list,
  )
  return rows[0]
}

/** Open alerts, newest first; of the devices that match where there is a filter. */
export async function listOpenAlerts(
  db: Queryable,
  organizationId: number,
  filter: DeviceFilter | undefined,
  most: number,
): Promise<{ alerts: ListedAlert[]; total: number }> {
  const values = createValues()
  const organization = values.add(organizationId)
  const matching = filter && matchingDevices({ organization, filter, order, values })
  const ofDevices = matching
    ? `and alerts.device_id in (select matching.id from (${matching}) as matching)`
    : ''
  const rows = await db.query<ListedAlert & { total: number }>(
    `with opened as materialized (
       select * from alerts
       where alerts.organization_id = $1 and alerts.state = 'open' ${ofDevices}
     )
     select ${listedColumns}, (select count(*) from opened) as total
     from (select * from opened order by opened.id desc limit ${values.add(most)}) as alerts
     ${listedJoins}
     order by alerts.id desc`,
    values.list,
  )
  return { alerts: rows, total: rows[0]?.total ?? 0 }
}

export interface ChosenDevices {
  ids: number[]
  /** All that there are; `ids` are the first of them. */
  total: number
}

/** The devices in the order of their names, at most `most`. */
export async function chooseDevices(
  db: Queryable,
  organizationId: number,
  filter: DeviceFilter,
  most: number,
): Promise<ChosenDevices> {
  const values = createValues()
  const organization = values.add(organizationId)
  const matching = matchingDevices({ organization, filter, order: byName, values })
  const rows = await db.query<{ id: number; total: number }>(
    `with matching as materialized (${matching})
     select id, (select count(*) from matching) as total from matching
     order by ${orderBy(byName)} limit ${values.add(most)}`,
    values.list,
  )
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 }
}

/** All uplinks that the devices have ever sent: it changes whenever one of them sends. */
export async function countUplinksOf(
  db: Queryable,
  organizationId: number,
  devices: readonly number[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select coalesce(sum(uplink_count), 0)::bigint as count from device_states
     where organization_id = $1 and device_id = any($2::bigint[])`,
    [organizationId, devices],
  )
  return row?.count ?? 0
}
