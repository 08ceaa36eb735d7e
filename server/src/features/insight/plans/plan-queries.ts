import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { groupsBelow } from '../../fleet/inventory/groups-below.ts'
import type { Picture } from '../../fleet/pictures/picture.ts'

/** A floor plan without its image, and with the number of devices on it. */
export interface StoredPlan {
  id: number
  name: string
  group_id: number
  group_name: string
  type: Picture['type']
  width: number
  height: number
  bytes: number
  revision: number
  devices: number
  created_at: Moment
  updated_at: Moment
}

/** Whose plans: with a `groupId`, those of the group and of the groups below it. */
export interface Viewer {
  organizationId: number
  groupId?: number | undefined
}

const columns = `floor_plans.id, floor_plans.name, floor_plans.group_id, device_groups.name as group_name,
  floor_plans.type, floor_plans.width, floor_plans.height, octet_length(floor_plans.image) as bytes,
  floor_plans.revision, floor_plans.created_at, floor_plans.updated_at,
  (
    select count(*) from plan_positions as positions
    join devices on devices.organization_id = positions.organization_id
      and devices.id = positions.device_id and devices.deleted_at is null
    where positions.organization_id = $1 and positions.plan_id = floor_plans.id
  ) as devices`

const ofGroups = `join device_groups on device_groups.organization_id = floor_plans.organization_id
    and device_groups.id = floor_plans.group_id`

/** Lists plans by group and name; `wanted` is null for those of all groups. */
export function list(
  db: Queryable,
  { organizationId, groupId }: Viewer,
  wanted: number | null,
): Promise<StoredPlan[]> {
  return db.query<StoredPlan>(
    `with recursive ${groupsBelow('$1', '$2')}, ${groupsBelow('$1', '$3').replaceAll('below', 'seen')}
     select ${columns} from floor_plans ${ofGroups}
     where floor_plans.organization_id = $1
       and ($2::bigint is null or floor_plans.group_id in (select below.id from below))
       and ($3::bigint is null or floor_plans.group_id in (select seen.id from seen))
     order by device_groups.name, floor_plans.group_id, floor_plans.name, floor_plans.id`,
    [organizationId, wanted, groupId ?? null],
  )
}

const readable = `floor_plans.organization_id = $1 and floor_plans.id = $2
  and ($3::bigint is null or floor_plans.group_id in (select below.id from below))`

export async function find(
  db: Queryable,
  { organizationId, groupId }: Viewer,
  id: number,
): Promise<StoredPlan | undefined> {
  const rows = await db.query<StoredPlan>(
    `with recursive ${groupsBelow('$1', '$3')}
     select ${columns} from floor_plans ${ofGroups} where ${readable}`,
    [organizationId, id, groupId ?? null],
  )
  return rows[0]
}

export async function findImage(
  db: Queryable,
  { organizationId, groupId }: Viewer,
  id: number,
): Promise<(Pick<Picture, 'type' | 'bytes'> & { revision: number }) | undefined> {
  const rows = await db.query<Pick<Picture, 'type' | 'bytes'> & { revision: number }>(
    `with recursive ${groupsBelow('$1', '$3')}
     select floor_plans.type, floor_plans.image as bytes, floor_plans.revision
     from floor_plans where ${readable}`,
    [organizationId, id, groupId ?? null],
  )
  return rows[0]
}

export async function insert(
  tx: Queryable,
  organizationId: number,
  plan: { name: string; groupId: number; picture: Picture; userId: number; now: Date },
): Promise<number> {
  const { type, width, height, bytes } = plan.picture
  const rows = await tx.query<{ id: number }>(
    `insert into floor_plans (
       organization_id, group_id, name, type, width, height, image, user_id, created_at, updated_at
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     returning id`,
    [organizationId, plan.groupId, plan.name, type, width, height, bytes, plan.userId, plan.now],
  )
  return rows[0]?.id ?? 0
}

/** Changes what is given; false if there is no such plan. */
export async function update(
  tx: Queryable,
  organizationId: number,
  plan: {
    id: number
    name: string | undefined
    groupId: number | undefined
    picture: Picture | undefined
    now: Date
  },
): Promise<boolean> {
  const { type, width, height, bytes } = plan.picture ?? {}
  const rows = await tx.query(
    `update floor_plans set name = coalesce($3, name), group_id = coalesce($4, group_id),
       type = coalesce($5, type), width = coalesce($6, width), height = coalesce($7, height),
       image = coalesce($8, image), updated_at = $9,
       revision = revision + case when $8::bytea is null then 0 else 1 end
     where organization_id = $1 and id = $2
     returning id`,
    [
      ...[organizationId, plan.id, plan.name ?? null, plan.groupId ?? null],
      ...[type ?? null, width ?? null, height ?? null, bytes ?? null, plan.now],
    ],
  )
  return rows.length > 0
}

export async function remove(tx: Queryable, organizationId: number, id: number): Promise<boolean> {
  const rows = await tx.query(
    'delete from floor_plans where organization_id = $1 and id = $2 returning id',
    [organizationId, id],
  )
  return rows.length > 0
}

/** Where a device is on a plan. */
export interface Position {
  device_id: number
  x: number
  y: number
}

export function listPositions(
  db: Queryable,
  { organizationId, groupId }: Viewer,
  planId: number,
): Promise<Position[]> {
  return db.query<Position>(
    `with recursive ${groupsBelow('$1', '$3')}
     select positions.device_id, positions.x, positions.y
     from plan_positions as positions
     join devices on devices.organization_id = $1 and devices.id = positions.device_id
       and devices.deleted_at is null
     where positions.organization_id = $1 and positions.plan_id = $2
       and ($3::bigint is null or exists (
         select from grouped_devices as grouped
         where grouped.organization_id = $1 and grouped.device_id = positions.device_id
           and grouped.group_id in (select below.id from below)
       ))
     order by positions.device_id`,
    [organizationId, planId, groupId ?? null],
  )
}

/** Of one floor plan. */
export const mostDevices = 500

/** Puts a device on a plan; false where the plan has as many others as it may. */
export async function place(
  tx: Queryable,
  organizationId: number,
  planId: number,
  { device_id, x, y }: Position,
): Promise<boolean> {
  await tx.query('select from floor_plans where organization_id = $1 and id = $2 for update', [
    organizationId,
    planId,
  ])
  const rows = await tx.query(
    `insert into plan_positions (organization_id, plan_id, device_id, x, y)
     select $1, $2, $3, $4, $5
     where (
       select count(*) from plan_positions as others
       where others.organization_id = $1 and others.plan_id = $2 and others.device_id <> $3
     ) < $6
     on conflict (organization_id, plan_id, device_id) do update set x = excluded.x, y = excluded.y
     returning device_id`,
    [organizationId, planId, device_id, x, y, mostDevices],
  )
  return rows.length > 0
}

export async function takeAway(
  tx: Queryable,
  organizationId: number,
  planId: number,
  deviceId: number,
): Promise<void> {
  await tx.query(
    `delete from plan_positions
     where organization_id = $1 and plan_id = $2 and device_id = $3`,
    [organizationId, planId, deviceId],
  )
}
