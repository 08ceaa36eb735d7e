import type { Queryable } from '../../../db/connect.ts'
import type { Caller } from '../../../http/endpoint.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { findVerdictWindow } from '../../people/organizations/organization-queries.ts'
import type { RegisterStatus } from '../inventory/device-queries.ts'
import { groupsBelow } from '../inventory/groups-below.ts'
import type { VerdictState } from '../inventory/verdict.ts'
import { ofRhythms, verdictAt } from '../inventory/verdict-queries.ts'

/** A device as a member of one group. */
export interface GroupedDevice {
  group_id: number
  added_at: Moment
  id: number
  device_eui: string
  /** Null when the device was adopted without its key. */
  sealed_key: Buffer | null
  name: string
  type_id: number
  network: string
  /** Null when the gateway is deleted. */
  gateway_id: number | null
  extra_notes: string | null
  register_status: RegisterStatus
  register_error: string | null
  user_id: number
  created_at: Moment
  updated_at: Moment
  last_seen: Moment | null
  verdict: VerdictState
}

const members = `grouped_devices as members
  join devices on devices.id = members.device_id and devices.organization_id = $1
    and devices.deleted_at is null`

const entries = `select members.group_id, members.added_at, devices.id, devices.device_eui,
    devices.sealed_key, devices.name, devices.type_id, devices.network,
    gateways.id as gateway_id, devices.extra_notes, devices.register_status,
    devices.register_error, devices.user_id, devices.created_at, devices.updated_at,
    states.last_seen, ${verdictAt('$1', '$2', '$6')} as verdict
  from ${members}
  join device_states as states on states.organization_id = devices.organization_id
    and states.device_id = devices.id
  ${ofRhythms}
  left join gateways on gateways.organization_id = devices.organization_id
    and gateways.id = devices.gateway_id and gateways.deleted_at is null
  where members.organization_id = $1`

/**
 * `$1` is the organization, `$2` the time, `$3` the groups, `$4` the last
 * device read so far when there is one group, `$5` the limit, and `$6` the window.
 */
const devicesOfGroups = `${entries}
    and members.group_id = any($3::bigint[]) and members.device_id > $4::bigint
  order by members.group_id, members.device_id
  limit $5::bigint`

/** A group, with a recent count of its devices. */
export interface CountedGroup {
  id: number
  device_count: number
}

/** Rows per statement: some milliseconds of work for the consumer. */
const portionSize = 500

/**
 * Reads the devices of the groups, in the order of `groups` and then by id, in portions that are never
 * empty. The database reads the next portion while the consumer takes one. No connection is held in
 * between, however slow the consumer is; changes made meanwhile may show, as in the pages of a list.
 */
export async function* readDevices(
  db: Queryable,
  organizationId: number,
  now: Date,
  groups: readonly CountedGroup[],
): AsyncGenerator<GroupedDevice[]> {
  const steps = planSteps(groups)
  const window = await findVerdictWindow(db, organizationId)
  const read = async ({ groupIds, after, most }: Step): Promise<GroupedDevice[]> => {
    const values = [organizationId, now, groupIds, after, most, window]
    return sortByGroup(await db.query<GroupedDevice>(devicesOfGroups, values), groupIds)
  }
  let step = steps.shift()
  let next = step && read(step)
  while (step && next) {
    const portion = await next
    const last = portion.at(-1)
    const isMore = last !== undefined && step.most !== null && portion.length >= step.most
    step = isMore ? { ...step, after: last.id } : steps.shift()
    next = step && read(step)
    // The consumer may stop here, and then nobody awaits it.
    next?.catch(() => {})
    if (portion.length > 0) yield portion
  }
}

/** One statement: several small groups, or part of a large one. */
interface Step {
  groupIds: number[]
  after: number
  most: number | null
}

function planSteps(groups: readonly CountedGroup[]): Step[] {
  const steps: Step[] = []
  let room = 0
  for (const { id, device_count } of groups) {
    if (device_count === 0) continue
    const last = steps.at(-1)
    if (last && device_count <= room) {
      last.groupIds.push(id)
      room -= device_count
    } else if (device_count < portionSize) {
      steps.push({ groupIds: [id], after: 0, most: null })
      room = portionSize - device_count
    } else {
      steps.push({ groupIds: [id], after: 0, most: portionSize })
      room = 0
    }
  }
  return steps
}

/** The database returns them in the order of group ids. */
function sortByGroup(devices: GroupedDevice[], groupIds: readonly number[]): GroupedDevice[] {
  if (groupIds.length < 2) return devices
  const byGroup = Map.groupBy(devices, ({ group_id }) => group_id)
  return groupIds.flatMap((id) => byGroup.get(id) ?? [])
}

export interface DeviceName {
  id: number
  name: string
  device_eui: string
}

/** Lists the names of a group's devices, by id. */
export function listNames(
  db: Queryable,
  organizationId: number,
  groupId: number,
): Promise<DeviceName[]> {
  return db.query<DeviceName>(
    `select devices.id, devices.name, devices.device_eui from ${members}
     where members.organization_id = $1 and members.group_id = $2 order by devices.id`,
    [organizationId, groupId],
  )
}

/** Lists the groups of a device, by id; with a `groupId`, only it and the groups below it. */
export function listGroupsOf(
  db: Queryable,
  { organizationId, groupId }: Pick<Caller, 'organizationId' | 'groupId'>,
  deviceId: number,
): Promise<{ id: number; name: string }[]> {
  const isLimited = groupId !== undefined
  return db.query<{ id: number; name: string }>(
    `${isLimited ? `with recursive ${groupsBelow('$1', '$3')}` : ''}
     select device_groups.id, device_groups.name
     from grouped_devices as members
     join device_groups on device_groups.organization_id = members.organization_id
       and device_groups.id = members.group_id
     where members.organization_id = $1 and members.device_id = $2
       ${isLimited ? 'and device_groups.id in (select below.id from below)' : ''}
     order by device_groups.id`,
    [organizationId, deviceId, ...(isLimited ? [groupId] : [])],
  )
}

/** Returns the ids that are no device of the organization. */
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
 * Sets the devices of a locked group. Devices that stay keep the time at which they were added. The
 * lists are joined, because `<> all ($3)` compares every pair.
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
 * Sets the groups of each device; the groups are locked. Groups that stay keep the time at which the
 * device was added.
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
