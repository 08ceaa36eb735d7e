import type { Queryable } from '../../db/connect.ts'
import type { RegisterMethod } from '../connections/account-queries.ts'

/** Where a device is to be registered, as far as it is known. */
export interface Place {
  network: string | undefined
  registerMethod: RegisterMethod | undefined
}

/**
 * Whether the organization has a device under the EUI, or anybody has one at the operator's account
 * that it would be registered through.
 */
export async function isEuiTaken(
  db: Queryable,
  organizationId: number,
  eui: string,
  { network, registerMethod }: Place,
): Promise<boolean> {
  const vendorNetwork = registerMethod === 'vendor' ? network : undefined
  const rows = await db.query(
    `select id from devices
     where organization_id = $1 and eui = $2 and deleted_at is null
     union all
     select id from devices
     where register_method = 'vendor' and network = $3 and eui = $2 and deleted_at is null
     limit 1`,
    [organizationId, eui, vendorNetwork],
  )
  return rows.length > 0
}

export async function setSealedKey(
  tx: Queryable,
  organizationId: number,
  deviceId: number,
  sealedKey: Buffer,
): Promise<void> {
  await tx.query('update devices set sealed_key = $3 where organization_id = $1 and id = $2', [
    organizationId,
    deviceId,
    sealedKey,
  ])
}
