import type { Queryable } from '../../../db/connect.ts'

/** A device that a row names, with what its type and network decide. */
export interface JobDevice {
  id: number
  eui: string
  type_id: number
  is_console_only: boolean
}

/** Finds devices along the index of EUIs. */
export async function findDevices(
  db: Queryable,
  organizationId: number,
  euis: readonly string[],
): Promise<Map<string, JobDevice>> {
  const devices = await db.query<JobDevice>(
    `select id, eui, type_id, is_console_only from devices
     where organization_id = $1 and eui = any($2) and deleted_at is null`,
    [organizationId, euis],
  )
  return new Map(devices.map((device) => [device.eui, device]))
}

/** The groups of devices, as one list of ids for each. */
export async function listGroupsOfAll(
  db: Queryable,
  organizationId: number,
  deviceIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await db.query<{ device_id: number; groups: number[] }>(
    `select device_id, array_agg(group_id order by group_id) as groups from grouped_devices
     where organization_id = $1 and device_id = any($2)
     group by device_id`,
    [organizationId, deviceIds],
  )
  return new Map(rows.map(({ device_id, groups }) => [device_id, groups]))
}
