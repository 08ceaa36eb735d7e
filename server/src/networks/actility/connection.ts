import { type AccountValues, type NetworkConnection, NetworkError } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { list, openSession, type Session } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { flushDownlinks, queueDownlink } from './downlinks.ts'
import { addGateway, listGateways, readProfile, removeGateway, updateGateway } from './gateways.ts'

/** A connection to one account; everything that ThingPark is able to do. */
export function openConnection(values: AccountValues, outside: Outside) {
  const session = openSession(readAccount(values), outside)
  return {
    check: () => check(session),
    addDevice: (device) => addDevice(session, device),
    renameDevice: (devEui, name) => renameDevice(session, devEui, name),
    removeDevice: (devEui) => removeDevice(session, devEui),
    gateways: {
      add: (gateway) => addGateway(session, gateway),
      update: (gateway) => updateGateway(session, gateway),
      remove: (gatewayEui) => removeGateway(session, gatewayEui),
      list: () => listGateways(session),
    },
    queueDownlink: (downlink) => queueDownlink(session, downlink),
    flushDownlinks: (devEui) => flushDownlinks(session, devEui),
    listDevices: () => listDevices(session),
    setCallback: (callback) => setCallback(session, callback),
    readCallback: (callback) => readCallback(session, callback),
    removeCallback: (callback) => removeCallback(session, callback),
    close: () => session.close(),
  } satisfies NetworkConnection
}

/** Proves the service account and the profiles. The AS key is proven by the first message alone. */
async function check(session: Session): Promise<void> {
  const { deviceModelId, baseStationModelId } = session.account
  const known = list(session, '/subscriptions/mine/deviceProfiles', { ID: deviceModelId })
  let isKnown = false
  for await (const page of known) isKnown ||= page.some(({ ID }) => ID === deviceModelId)
  if (!isKnown) {
    throw new NetworkError(
      'refused',
      `ThingPark has no device profile with the ID ${deviceModelId} (device_model_id).`,
    )
  }
  if (baseStationModelId !== undefined) await readProfile(session, baseStationModelId)
}
