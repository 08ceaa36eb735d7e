import type { Queryable } from '../../../db/connect.ts'
import { findVerdictWindow } from '../../people/organizations/organization-queries.ts'
import { hasLowBattery, isTampered } from '../inventory/coarse-states.ts'
import type { TypeColumns } from '../inventory/references.ts'
import { unusualDevices, type VerdictCounts, verdictCounts } from '../inventory/verdict-queries.ts'

/** What is counted of devices. */
export interface DeviceCounts extends VerdictCounts {
  devices: number
  low_battery: number
  tamper: number
  register_error: number
}

/** The devices that are in exactly these groups. */
export interface CountedGroups extends DeviceCounts {
  /** In order of ids; at least one. */
  groups: number[]
}

/**
 * Counts the organization's devices by the exact groups that they are in: one row for each group
 * when every device is in one, so that the rows stay few however many devices there are. A device in
 * several groups of one branch can then be counted there once. The memberships are read in the order
 * of an index. Of devices and states, those that are unusual or gone are read, by indexes that hold
 * little else: all others are ok.
 */
export async function countByGroups(
  db: Queryable,
  organizationId: number,
  now: Date,
): Promise<CountedGroups[]> {
  const values = [organizationId, now, await findVerdictWindow(db, organizationId)]
  return db.query<CountedGroups>(countText('organization_id = $1'), values)
}

/** The same only for the memberships in these groups, which are ranges of an index. */
export async function countInGroups(
  db: Queryable,
  organizationId: number,
  now: Date,
  groupIds: readonly number[],
): Promise<CountedGroups[]> {
  const values = [organizationId, now, await findVerdictWindow(db, organizationId), groupIds]
  return db.query<CountedGroups>(countText(inGroups), values)
}

const inGroups = 'organization_id = $1 and group_id = any($4::bigint[])'

/**
 * `condition` chooses the memberships that count. Most devices are in one group: an array of the groups
 * of each would take half of the time.
 */
function countText(condition: string): string {
  return `with unusual as materialized ${unusualDevices('$1', '$2', '$3')}
    select coalesce(members.several, array[members.first]) as groups, count(*) as devices, ${verdictCounts('count(*)')},
      count(*) filter (where ${hasLowBattery('unusual')}) as low_battery,
      count(*) filter (where ${isTampered('unusual')}) as tamper,
      count(*) filter (where unusual.register_status = 'register_error') as register_error
    from (
      select device_id, min(group_id) as first, case when min(group_id) < max(group_id) then (
        select array_agg(group_id order by group_id) from grouped_devices as others
        where ${condition} and others.device_id = grouped_devices.device_id
      ) end as several
      from grouped_devices where ${condition} group by device_id
    ) as members
    left join unusual on unusual.id = members.device_id
    where not exists (
      select from devices as gone
      where gone.organization_id = $1 and gone.id = members.device_id
        and gone.deleted_at is not null
    )
    group by members.first, members.several`
}

/** How many devices of a type are in some groups. */
export interface CountedType extends TypeColumns {
  devices: number
}

/** With more devices, their types are read from the index of all, 100 in a page. */
const mostLookedUp = 300

/**
 * Counts the devices of groups by type: reads their memberships, and no others. The number of devices
 * is needed since the planner does not know it: a wrong guess reads three pages for each of thousands.
 */
export function countTypes(
  db: Queryable,
  organizationId: number,
  { groupIds, devices }: { groupIds: readonly number[]; devices: number },
): Promise<CountedType[]> {
  const isLookedUp = devices <= mostLookedUp
  return db.query<CountedType>(
    `with counted as (
       select devices.type_id, count(distinct devices.id) as devices
       from grouped_devices as members
       join (
         select id, type_id from devices where organization_id = $1 and deleted_at is null
         ${isLookedUp ? '' : 'offset 0'}
       ) as devices on devices.id = members.device_id
       where members.organization_id = $1 and members.group_id = any($2::bigint[])
       group by devices.type_id
     )
     select counted.type_id, counted.devices, device_types.type_name as custom_type_name,
       device_types.part_number as custom_part_number
     from counted left join device_types on device_types.id = counted.type_id
       and device_types.organization_id = $1
     order by counted.devices desc, counted.type_id`,
    [organizationId, groupIds],
  )
}
