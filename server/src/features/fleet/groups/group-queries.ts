import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'

/** Adds devices to a locked group, and takes others out; returns how many were. */
export async function changeDevices(
  tx: Queryable,
  organizationId: number,
  group: { id: number; add: readonly number[]; remove: readonly number[] },
  now: Date,
): Promise<{ added: number; removed: number }> {
  const removed = await tx.query(
    `delete from grouped_devices
     where organization_id = $1 and group_id = $2 and device_id = any($3::bigint[])
     returning device_id`,
    [organizationId, group.id, group.remove],
  )
  const added = await tx.query(
    `insert into grouped_devices (organization_id, group_id, device_id, added_at)
     select $1, $2, devices.id, $4
     from unnest($3::bigint[]) as wanted (id)
     join devices on devices.id = wanted.id and devices.organization_id = $1
       and devices.deleted_at is null
     on conflict do nothing
     returning device_id`,
    [organizationId, group.id, group.add, now],
  )
  return { added: added.length, removed: removed.length }
}

/** Lists the ids of the devices with these EUIs (in upper case); none for an unknown one. */
export function findByEui(
  db: Queryable,
  organizationId: number,
  euis: readonly string[],
): Promise<{ id: number; eui: string }[]> {
  return db.query<{ id: number; eui: string }>(
    `select id, eui from devices
     where organization_id = $1 and deleted_at is null and eui = any($2::text[])`,
    [organizationId, euis],
  )
}

export interface StoredGroup {
  id: number
  parent_id: number | null
  name: string
  is_open: boolean
  /** Of a site. */
  address: string | null
  user_id: number
  created_at: Moment
  updated_at: Moment
}

const columnNames = [
  'id',
  'parent_id',
  'name',
  'is_open',
  'address',
  'user_id',
  'created_at',
  'updated_at',
]
const columns = columnNames.join(', ')
const columnsOf = (table: string) => columnNames.map((name) => `${table}.${name}`).join(', ')

/**
 * Locks the shape of the organization's trees until the transaction ends. Taken before any other lock
 * on groups.
 */
export async function lockTrees(tx: Queryable, organizationId: number): Promise<void> {
  await tx.query(
    `insert into group_trees (organization_id) values ($1)
     on conflict (organization_id) do update set organization_id = excluded.organization_id`,
    [organizationId],
  )
}

/** All groups, in order of ids. */
export function list(db: Queryable, organizationId: number): Promise<StoredGroup[]> {
  return db.query<StoredGroup>(
    `select ${columns} from device_groups where organization_id = $1 order by id`,
    [organizationId],
  )
}

/** A group with all groups above and below it, in order of ids. None if there is no such group. */
export function listBranch(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredGroup[]> {
  return db.query<StoredGroup>(
    // Each row is read when it is met: a second look-up of each would cost as much again.
    `with recursive above as (
       select ${columns} from device_groups where organization_id = $1 and id = $2
       union
       select ${columnsOf('parent')} from above
       join device_groups as parent on parent.organization_id = $1 and parent.id = above.parent_id
     ), below as (
       select ${columns} from device_groups where organization_id = $1 and id = $2
       union
       select ${columnsOf('child')} from below
       join device_groups as child on child.organization_id = $1 and child.parent_id = below.id
     )
     select * from above union select * from below
     order by id`,
    [organizationId, id],
  )
}

/** Like `list`, with the number of devices of each group. */
export function listCounted(
  db: Queryable,
  organizationId: number,
): Promise<(StoredGroup & { device_count: number })[]> {
  return db.query(
    `select ${columns}, coalesce(counts.device_count, 0) as device_count
     from device_groups
     left join (
       select group_id, count(*) as device_count from grouped_devices
       where organization_id = $1 group by group_id
     ) as counts on counts.group_id = device_groups.id
     where organization_id = $1 order by id`,
    [organizationId],
  )
}

export async function find(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredGroup | undefined> {
  const groups = await db.query<StoredGroup>(
    `select ${columns} from device_groups where organization_id = $1 and id = $2`,
    [organizationId, id],
  )
  return groups[0]
}

/** Like `find`, and locks the group until the transaction ends. */
export async function lock(
  tx: Queryable,
  organizationId: number,
  id: number,
): Promise<StoredGroup | undefined> {
  const groups = await tx.query<StoredGroup>(
    `select ${columns} from device_groups where organization_id = $1 and id = $2
     for no key update`,
    [organizationId, id],
  )
  return groups[0]
}

/** Locks all groups of the organization, whose trees are locked, and returns their ids. */
export async function lockAll(tx: Queryable, organizationId: number): Promise<number[]> {
  const groups = await tx.query<{ id: number }>(
    'select id from device_groups where organization_id = $1 for no key update',
    [organizationId],
  )
  return groups.map(({ id }) => id)
}

interface NewGroup {
  name: string
  parentId: number | null
  userId: number
  now: Date
  address?: string | null
}

export async function insert(
  tx: Queryable,
  organizationId: number,
  group: NewGroup,
): Promise<StoredGroup> {
  const groups = await tx.query<StoredGroup>(
    `insert into device_groups (
       organization_id, parent_id, name, user_id, created_at, updated_at, address
     )
     values ($1, $2, $3, $4, $5, $5, $6)
     returning ${columns}`,
    [organizationId, group.parentId, group.name, group.userId, group.now, group.address ?? null],
  )
  if (!groups[0]) throw new Error('the database returned no row for a new group')
  return groups[0]
}

/** Updates a locked group. */
export async function update(
  tx: Queryable,
  organizationId: number,
  group: Pick<StoredGroup, 'id' | 'parent_id' | 'name' | 'is_open'> & {
    address?: string | null | undefined
  },
  now: Date,
): Promise<StoredGroup> {
  const groups = await tx.query<StoredGroup>(
    `update device_groups set parent_id = $3, name = $4, is_open = $5, updated_at = $6,
       address = case when $7 then $8 else address end
     where organization_id = $1 and id = $2
     returning ${columns}`,
    [
      ...[organizationId, group.id, group.parent_id, group.name, group.is_open, now],
      ...[group.address !== undefined, group.address ?? null],
    ],
  )
  if (!groups[0]) throw new Error(`group ${group.id} was updated without being locked`)
  return groups[0]
}

/** Removes the group and moves its subgroups and floor plans to its parent; false when there is no such group. */
export async function remove(
  tx: Queryable,
  organizationId: number,
  id: number,
  now: Date,
): Promise<boolean> {
  await tx.query(
    `update device_groups as child set parent_id = gone.parent_id, updated_at = $3
     from device_groups as gone
     where gone.organization_id = $1 and gone.id = $2
       and child.organization_id = $1 and child.parent_id = gone.id`,
    [organizationId, id, now],
  )
  await tx.query(
    `update floor_plans set group_id = gone.parent_id
     from device_groups as gone
     where gone.organization_id = $1 and gone.id = $2 and gone.parent_id is not null
       and floor_plans.organization_id = $1 and floor_plans.group_id = gone.id`,
    [organizationId, id],
  )
  const removed = await tx.query(
    'delete from device_groups where organization_id = $1 and id = $2 returning id',
    [organizationId, id],
  )
  return removed.length > 0
}

/** Lists the ids from the group up to its top-level group; empty when there is no such group. */
export async function listWayUp(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<number[]> {
  const groups = await db.query<{ id: number }>(
    `with recursive way as (
       select id, parent_id, 0 as steps from device_groups where organization_id = $1 and id = $2
       union all
       select parent.id, parent.parent_id, way.steps + 1
       from way join device_groups as parent
         on parent.organization_id = $1 and parent.id = way.parent_id
     )
     select id from way order by steps`,
    [organizationId, id],
  )
  return groups.map((group) => group.id)
}

/** Counts the levels from the group down to its lowest subgroup; 1 without subgroups. */
export async function measureHeight(
  db: Queryable,
  organizationId: number,
  id: number,
): Promise<number> {
  const rows = await db.query<{ height: number }>(
    `with recursive below as (
       select id, 1 as level from device_groups where organization_id = $1 and id = $2
       union all
       select child.id, below.level + 1
       from below join device_groups as child
         on child.organization_id = $1 and child.parent_id = below.id
     )
     select coalesce(max(level), 0) as height from below`,
    [organizationId, id],
  )
  return rows[0]?.height ?? 0
}
