import {
  GetDestinationCommand,
  GetDeviceProfileCommand,
  GetServiceProfileCommand,
} from '@aws-sdk/client-iot-wireless'
import { isMissing } from '../aws/errors.ts'
import { NetworkError } from '../network.ts'
import type { Session } from './session.ts'

/** Proves the access key and the three ids; the error says which account field is wrong. */
export async function checkAccess({ wireless, account }: Session): Promise<void> {
  const { destination, deviceProfileId, serviceProfileId } = account
  await explain('destination', destination, () =>
    wireless.send(new GetDestinationCommand({ Name: destination })),
  )
  await explain('device_profile_id', deviceProfileId, () =>
    wireless.send(new GetDeviceProfileCommand({ Id: deviceProfileId })),
  )
  await explain('service_profile_id', serviceProfileId, () =>
    wireless.send(new GetServiceProfileCommand({ Id: serviceProfileId })),
  )
}

async function explain(field: string, value: string, read: () => Promise<unknown>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!isMissing(error)) throw error
    const words = field.replace(' id', '').replaceAll('_', ' ').replace(/ id$/, '')
    throw new NetworkError(
      'refused',
      `AWS has no ${words} with ${field} ${value} in this account and region.`,
    )
  }
}
