import type { Queryable } from '../../db/connect.ts'
import { groupsBelow } from '../inventory/groups-below.ts'
import type { TypeColumns } from '../inventory/type-name.ts'

/** What is counted of devices. */
export interface DeviceCounts {
  devices: number
  /** Heard since the start of the window. */
  heard: number
  silent: number
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
 * of their index, and the devices and their states by hash joins: 0.6 s with 100,000 devices in
 * 10,000 groups on two busy cores.
 */
export function countByGroups(
  db: Queryable,
  organizationId: number,
  heardSince: Date,
): Promise<CountedGroups[]> {
  return db.query<CountedGroups>(countText('organization_id = $1'), [organizationId, heardSince])
}

/** The same for the memberships in these groups alone, which are ranges of an index. */
export function countInGroups(
  db: Queryable,
  organizationId: number,
  heardSince: Date,
  groupIds: readonly number[],
): Promise<CountedGroups[]> {
  const values = [organizationId, heardSince, groupIds]
  return db.query<CountedGroups>(countText(inGroups), values)
}

const inGroups = 'organization_id = $1 and group_id = any($3::bigint[])'

/** `condition` chooses the memberships that count. */
function countText(condition: string): string {
  return `select members.groups, ${counts}
    from (
      select device_id, array_agg(group_id order by group_id) as groups
      from grouped_devices where ${condition} group by device_id
    ) as members
    join devices on devices.organization_id = $1 and devices.id = members.device_id
      and devices.deleted_at is null
    join device_states as states on states.organization_id = devices.organization_id
      and states.device_id = devices.id
    group by members.groups`
}

const counts = `count(*) as devices,
  count(*) filter (where states.last_seen >= $2) as heard,
  count(*) filter (where states.last_seen is null or states.last_seen < $2) as silent,
  count(*) filter (where states.status ->> 'low_battery' = 'Yes') as low_battery,
  count(*) filter (where states.status ->> 'tamper' = 'Yes') as tamper,
  count(*) filter (where devices.register_status = 'register_error') as register_error`

/** How many devices of a type are in a group or below it. */
export interface CountedType extends TypeColumns {
  devices: number
}

/** Counts the devices of a branch by type: reads the memberships of its groups, and no others. */
export function countTypes(
  db: Queryable,
  organizationId: number,
  groupId: number,
): Promise<CountedType[]> {
  return db.query<CountedType>(
    `with recursive ${groupsBelow('$1', '$2')}, counted as (
       select devices.type_id, count(distinct devices.id) as devices
       from below
       join grouped_devices as members on members.organization_id = $1
         and members.group_id = below.id
       join devices on devices.id = members.device_id and devices.organization_id = $1
         and devices.deleted_at is null
       group by devices.type_id
     )
     select counted.type_id, counted.devices, device_types.type_name as custom_type_name,
       device_types.part_number as custom_part_number
     from counted left join device_types on device_types.id = counted.type_id
       and device_types.organization_id = $1
     order by counted.devices desc, counted.type_id`,
    [organizationId, groupId],
  )
}
