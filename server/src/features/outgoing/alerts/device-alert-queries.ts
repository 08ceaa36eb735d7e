import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { type Reference, referredDevice } from '../../fleet/inventory/references.ts'

/** What alerts know of a device. */
export interface WatchedDevice {
  id: number
  muted_until: Moment | null
  interval_seconds: number | null
  learnt_at: Moment | null
}

export async function findDevice(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<WatchedDevice | undefined> {
  const rows = await db.query<WatchedDevice>(
    `select devices.id, mutes.muted_until, rhythms.interval_seconds, rhythms.learnt_at
     from devices
     left join alert_mutes as mutes
       on mutes.organization_id = $1 and mutes.device_id = devices.id
     left join alert_rhythms as rhythms
       on rhythms.organization_id = $1 and rhythms.device_id = devices.id
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  return rows[0]
}

export async function mute(
  db: Queryable,
  organizationId: number,
  { device, until, userId }: { device: number; until: Date | null; userId: number },
): Promise<void> {
  if (until === null) {
    await db.query('delete from alert_mutes where organization_id = $1 and device_id = $2', [
      organizationId,
      device,
    ])
    return
  }
  await db.query(
    `insert into alert_mutes (organization_id, device_id, muted_until, user_id)
     values ($1, $2, $3, $4)
     on conflict (organization_id, device_id) do update
     set muted_until = excluded.muted_until, user_id = excluded.user_id`,
    [organizationId, device, until, userId],
  )
}
