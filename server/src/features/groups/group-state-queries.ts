import type { Queryable } from '../../db/connect.ts'

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
  return db.query<CountedGroups>(
    `select members.groups, ${counts}
     from (
       select device_id, array_agg(group_id order by group_id) as groups
       from grouped_devices where organization_id = $1 group by device_id
     ) as members
     join devices on devices.id = members.device_id and devices.organization_id = $1
       and devices.deleted_at is null
     join device_states as states on states.device_id = devices.id
     group by members.groups`,
    [organizationId, heardSince],
  )
}

const counts = `count(*) as devices,
  count(*) filter (where states.last_seen >= $2) as heard,
  count(*) filter (where states.last_seen is null or states.last_seen < $2) as silent,
  count(*) filter (where states.status ->> 'low_battery' = 'Yes') as low_battery,
  count(*) filter (where states.status ->> 'tamper' = 'Yes') as tamper,
  count(*) filter (where devices.register_status = 'register_error') as register_error`
