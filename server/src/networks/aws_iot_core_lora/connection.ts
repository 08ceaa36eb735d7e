import {
  GetDestinationCommand,
  GetDeviceProfileCommand,
  GetServiceProfileCommand,
} from '@aws-sdk/client-iot-wireless'
import { confirmDestination } from '../aws/rule-destination.ts'
import { bindCalls } from '../bind-calls.ts'
import { NetworkError } from '../network-error.ts'
import { isMissing } from '../rest.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { openSession, type Session } from './client.ts'
import { addDevice, listDevices, readDevice, removeDevice, renameDevice } from './devices.ts'
import { cancelDownlink, queueDownlink } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'

export const openConnection = bindCalls(openSession, {
  check: checkAccess,
  addDevice,
  renameDevice,
  removeDevice,
  listDevices,
  readDevice,
  gateways: { add: addGateway, update: updateGateway, remove: removeGateway, list: listGateways },
  queueDownlink,
  cancelDownlink,
  setCallback,
  readCallback,
  removeCallback,
  confirmCallback: async ({ openRules, account, outside }, details) =>
    confirmDestination(await openRules(), account, outside, details),
})

/** Checks the access key and the three ids; the error says which account field is wrong. */
async function checkAccess({ wireless, account }: Session): Promise<void> {
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
