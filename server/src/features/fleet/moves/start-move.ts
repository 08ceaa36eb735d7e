import type { Queryable } from '../../../db/connect.ts'
import { sealContext } from '../../../db/secret-keys.ts'
import type { Caller } from '../../../http/endpoint.ts'
import type { FieldErrors } from '../../../http/errors.ts'
import { toMethod } from '../../accounts/connections/account-name.ts'
import type { RegistrationServices } from '../devices/registration.ts'
import { advanceMove } from './advance-move.ts'
import { findMoveFaults, type MoveBody, readTarget } from './move-form.ts'
import { insertMove, lockMovingDevice } from './move-queries.ts'

export type Started = { id: number } | { errors: FieldErrors } | 'device_gone' | 'moves_already'

export const movesAlready = 'The device moves already: cancel that move first.'

/** Begins the move of a device, and writes its first call to the outbox. */
export async function startMove(
  tx: Queryable,
  services: Pick<RegistrationServices, 'billingPlans' | 'sealer'>,
  { organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>,
  {
    deviceId,
    body,
    now,
    isDryRun,
  }: { deviceId: number; body: MoveBody; now: Date; isDryRun?: boolean },
): Promise<Started> {
  const device = await lockMovingDevice(tx, organizationId, deviceId)
  if (!device) return 'device_gone'
  if (device.is_moving) return 'moves_already'
  const errors = await findMoveFaults(tx, services, organizationId, { device, body, now })
  if (Object.keys(errors).length > 0) return { errors }
  if (isDryRun) return { id: 0 }
  const { network, ...target } = readTarget(device, body, now)
  const id = await insertMove(tx, organizationId, device, {
    ...target,
    userId,
    now,
    toNetwork: network.key,
    toMethod: toMethod(body.registerMethod, body.accountName),
    sealedKey: body.deviceKey
      ? services.sealer.seal(body.deviceKey, sealContext('movingDeviceKey', deviceId))
      : null,
  })
  await advanceMove(tx, services.sealer, { organizationId, moveId: id }, now)
  return { id }
}
