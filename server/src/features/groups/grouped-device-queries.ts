import type { Database, Queryable } from '../../db/connect.ts'
import type { Moment } from '../../http/timestamps.ts'
import type { RegisterStatus } from '../devices/device-queries.ts'

/** A device as a member of one group. */
export interface GroupedDevice {
  group_id: number
  added_at: Moment
  id: number
  device_eui: string
  /** Null of a device that was adopted without its key. */
  sealed_key: Buffer | null
  name: string
  type_id: number
  network: string
  /** Of a gateway that is not deleted. */
  gateway_id: number | null
  extra_notes: string | null
  register_status: RegisterStatus
  register_error: string | null
  user_id: number
  created_at: Moment
  updated_at: Moment
  last_seen: Moment | null
  /** Heard since the given moment. */
  is_reporting: boolean
}

const members = `grouped_devices as members
  join devices on devices.id = members.device_id and devices.organization_id = $1
    and devices.deleted_at is null`

const entries = `select members.group_id, members.added_at, devices.id, devices.device_eui,
    devices.sealed_key, devices.name, devices.type_id, devices.network,
    gateways.id as gateway_id, devices.extra_notes, devices.register_status,
    devices.register_error, devices.user_id, devices.created_at, devices.updated_at,
    states.last_seen, coalesce(states.last_seen >= $2, false) as is_reporting
  from ${members}
  join device_states as states on states.device_id = devices.id
  left join gateways on gateways.id = devices.gateway_id and gateways.deleted_at is null
  where members.organization_id = $1`

/** `$1` the organization, `$2` since when a device must have been heard to count as reporting. */
export const everyGroupedDevice = `${entries} order by members.group_id, devices.id`

/** The same of the group `$3` alone. */
const devicesOfGroup = `${entries} and members.group_id = $3 order by devices.id`

/** The devices of every group, by group and device id; see `readPortions`. */
export function readAll(
  db: Database,
  organizationId: number,
  heardSince: Date,
  take: (portion: GroupedDevice[]) => void,
): Promise<void> {
  return readPortions(db, everyGroupedDevice, [organizationId, heardSince], take)
}

/** The devices of one group, by id; see `readPortions`. */
export function readGroup(
  db: Database,
  organizationId: number,
  groupId: number,
  heardSince: Date,
  take: (portion: GroupedDevice[]) => void,
): Promise<void> {
  return readPortions(db, devicesOfGroup, [organizationId, heardSince, groupId], take)
}

/** Rows that are fetched at a time: some milliseconds of work for who takes them. */
const portionSize = 500

/**
 * The rows of one statement, with sealed keys, in portions of which none is empty: while `take` has
 * one, the database makes the next, and no row has to stay in memory.
 */
function readPortions(
  db: Database,
  statement: string,
  values: readonly unknown[],
  take: (portion: GroupedDevice[]) => void,
): Promise<void> {
  return db.transaction(async (tx) => {
    const fetch = () => tx.query<GroupedDevice>(`fetch ${portionSize} from grouped_device`)
    let [, , portion] = await Promise.all([
      // All rows are wanted: by default the planner hurries for the first tenth of a cursor's.
      tx.query('set local cursor_tuple_fraction = 1'),
      tx.query(`declare grouped_device no scroll cursor for ${statement}`, values),
      fetch(),
    ])
    while (portion.length > 0) {
      const following = fetch()
      // Should `take` throw, nobody waits for it any more.
      following.catch(() => {})
      take(portion)
      portion = await following
    }
  })
}

export interface DeviceName {
  id: number
  name: string
}

/** The devices of one group, by id; only what they are called. */
export function listNames(
  db: Queryable,
  organizationId: number,
  groupId: number,
): Promise<DeviceName[]> {
  return db.query<DeviceName>(
    `select devices.id, devices.name from ${members}
     where members.organization_id = $1 and members.group_id = $2 order by devices.id`,
    [organizationId, groupId],
  )
}

/** The groups that a device is in, by id. */
export function listGroupsOf(
  db: Queryable,
  organizationId: number,
  deviceId: number,
): Promise<{ id: number; name: string }[]> {
  return db.query<{ id: number; name: string }>(
    `select device_groups.id, device_groups.name
     from grouped_devices as members
     join device_groups on device_groups.organization_id = members.organization_id
       and device_groups.id = members.group_id
     where members.organization_id = $1 and members.device_id = $2
     order by device_groups.id`,
    [organizationId, deviceId],
  )
}

/** Those of the ids that are no device of the organization. */
export async function findUnknown(
  db: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<number[]> {
  const unknown = await db.query<{ id: number }>(
    `select wanted.id from unnest($2::bigint[]) as wanted (id)
     where not exists (
       select from devices
       where devices.id = wanted.id and devices.organization_id = $1
         and devices.deleted_at is null
     )
     order by wanted.id`,
    [organizationId, deviceIds],
  )
  return unknown.map(({ id }) => id)
}

/**
 * Makes these the devices of a group that is locked. Those that stay keep the time at which they
 * were added. The lists are joined, because `<> all ($3)` compares every pair.
 */
export async function setDevices(
  tx: Queryable,
  organizationId: number,
  group: { id: number; deviceIds: readonly number[] },
  now: Date,
): Promise<void> {
  await tx.query(
    `delete from grouped_devices as members
     where members.organization_id = $1 and members.group_id = $2 and not exists (
       select from unnest($3::bigint[]) as wanted (id) where wanted.id = members.device_id
     )`,
    [organizationId, group.id, group.deviceIds],
  )
  await tx.query(
    `insert into grouped_devices (organization_id, group_id, device_id, added_at)
     select $1, $2, devices.id, $4
     from unnest($3::bigint[]) as wanted (id)
     join devices on devices.id = wanted.id and devices.organization_id = $1
       and devices.deleted_at is null
     on conflict do nothing`,
    [organizationId, group.id, group.deviceIds, now],
  )
}

/**
 * Makes these the groups of each device; all groups are locked. A device stays in a group since the
 * time at which it was added.
 */
export async function setGroups(
  tx: Queryable,
  organizationId: number,
  devices: readonly { deviceId: number; groups: readonly number[] }[],
  now: Date,
): Promise<void> {
  const pairs = devices.flatMap(({ deviceId, groups }) => groups.map((group) => [group, deviceId]))
  const groupIds = pairs.map(([group]) => group)
  const deviceIds = pairs.map(([, device]) => device)
  await tx.query(
    `delete from grouped_devices as members
     where members.organization_id = $1 and members.device_id = any($2) and not exists (
       select from unnest($3::bigint[], $4::bigint[]) as wanted (group_id, device_id)
       where wanted.group_id = members.group_id and wanted.device_id = members.device_id
     )`,
    [organizationId, devices.map(({ deviceId }) => deviceId), groupIds, deviceIds],
  )
  await tx.query(
    `insert into grouped_devices (organization_id, group_id, device_id, added_at)
     select $1, wanted.group_id, wanted.device_id, $4
     from unnest($2::bigint[], $3::bigint[]) as wanted (group_id, device_id)
     on conflict do nothing`,
    [organizationId, groupIds, deviceIds, now],
  )
}
