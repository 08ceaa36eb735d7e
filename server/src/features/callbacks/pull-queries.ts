import type { Queryable } from '../../db/connect.ts'
import {
  type NamingAccount,
  namedDevice,
  namedDeviceValues,
} from '../inventory/named-device-queries.ts'

/** A device whose network asks for its next downlink. */
export interface AskedDevice {
  organization_id: number
  device_id: number
}

export async function findAskedDevice(
  db: Queryable,
  account: NamingAccount,
  eui: string,
): Promise<AskedDevice | undefined> {
  const devices = await db.query<AskedDevice>(
    `select organization_id, id as device_id from (${namedDevice}) as named`,
    namedDeviceValues(account, eui),
  )
  return devices[0]
}

/** Locks a device's queue for this transaction; false when it never had one, or others hold it. */
export async function lockFreeQueue(
  tx: Queryable,
  { organization_id, device_id }: AskedDevice,
  now: Date,
): Promise<boolean> {
  const queues = await tx.query(
    `select device_id from downlink_queues
     where organization_id = $1 and device_id = $2
       and (claimed_until is null or claimed_until < $3)
     for update`,
    [organization_id, device_id, now],
  )
  return queues.length > 0
}
