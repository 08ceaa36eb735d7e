import type { Queryable } from '../../../db/connect.ts'
import type { Sealer } from '../../../db/seal.ts'
import { sealContext } from '../../../db/sealed-columns.ts'
import type { Moment } from '../../../http/timestamps.ts'
import { type Reference, referredDevice } from './references.ts'

/**
 * What the codec of a device gets as `input.variables`, as at ChirpStack. Sealed: people keep tokens of
 * other services there.
 */
export type DeviceVariables = Record<string, string>

/** @throws SealError if the key of the service is another one. */
export function openVariables(
  sealer: Pick<Sealer, 'open'>,
  deviceId: number,
  sealed: Buffer | null | undefined,
): DeviceVariables {
  if (!sealed) return {}
  return JSON.parse(sealer.open(sealed, sealContext('deviceVariables', deviceId)))
}

/** Undefined if there is no such device. */
export async function findVariables(
  db: Queryable,
  sealer: Pick<Sealer, 'open'>,
  organizationId: number,
  { id, eui }: Reference,
): Promise<{ deviceId: number; variables: DeviceVariables } | undefined> {
  const [device] = await db.query<{ id: number; sealed_variables: Buffer | null }>(
    `select devices.id, devices.sealed_variables from devices
     where devices.organization_id = $1 and devices.deleted_at is null
       and devices.id = ${referredDevice}`,
    [organizationId, id, eui],
  )
  if (!device) return undefined
  const variables = openVariables(sealer, device.id, device.sealed_variables)
  return { deviceId: device.id, variables }
}

export async function storeVariables(
  db: Queryable,
  sealer: Pick<Sealer, 'seal'>,
  organizationId: number,
  {
    deviceId,
    variables,
    now,
  }: { deviceId: number; variables: DeviceVariables; now: Moment | Date },
): Promise<void> {
  const isEmpty = Object.keys(variables).length === 0
  const sealed = isEmpty
    ? null
    : sealer.seal(JSON.stringify(variables), sealContext('deviceVariables', deviceId))
  await db.query(
    `update devices set sealed_variables = $3, updated_at = $4
     where organization_id = $1 and id = $2`,
    [organizationId, deviceId, sealed, now],
  )
}
