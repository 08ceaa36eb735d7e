import type { Queryable } from '../../../db/connect.ts'

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
