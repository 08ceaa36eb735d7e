import type { Queryable } from '../../../db/connect.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { type Reference, referredDevice } from '../../fleet/inventory/references.ts'

/** What readings of a device need to know of it. */
export interface HealthDevice {
  id: number
  type_id: number
  network: string
  app_region: string | null
  last_seen: Moment | null
}

/** Returns the device if the organization has it. */
export async function findHealthDevice(
  db: Queryable,
  organizationId: number,
  { id, eui }: Reference,
): Promise<HealthDevice | undefined> {
  const devices = await db.query<HealthDevice>(
    `select devices.id, devices.type_id, devices.network, devices.app_region, states.last_seen
     from devices
     join device_states as states on states.organization_id = devices.organization_id
       and states.device_id = devices.id
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  return devices[0]
}
