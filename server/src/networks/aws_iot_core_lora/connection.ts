import type { CallOptions } from '../aws/client.ts'
import { confirmDestination } from '../aws/rule-destination.ts'
import type { AccountValues, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { checkAccess } from './check-access.ts'
import { addDevice, readDevice, removeDevice, renameDevice } from './devices.ts'
import { cancelDownlink, type KnownIds, queueDownlink } from './downlinks.ts'
import { addGateway, removeGateway, updateGateway } from './gateways.ts'
import { listDevices, listGateways } from './listing.ts'
import { openSession } from './session.ts'

/** A connection to one account; everything that AWS IoT Core for LoRaWAN is able to do. */
export function openConnection(values: AccountValues, outside: Outside, options?: CallOptions) {
  const account = readAccount(values)
  const session = openSession(account, outside, options)
  const knownIds: KnownIds = new Map()
  return {
    check: () => checkAccess(session),
    addDevice: (device) => addDevice(session, device),
    renameDevice: (devEui, name) => renameDevice(session, devEui, name),
    removeDevice: (devEui) => removeDevice(session, devEui),
    gateways: {
      add: (gateway) => addGateway(session, gateway),
      update: (gateway) => updateGateway(session, gateway),
      remove: (gatewayEui) => removeGateway(session, gatewayEui),
      list: () => listGateways(session),
    },
    queueDownlink: (downlink) => queueDownlink(session, knownIds, downlink),
    cancelDownlink: (devEui, itemId) => cancelDownlink(session, knownIds, devEui, itemId),
    listDevices: () => listDevices(session),
    readDevice: (devEui) => readDevice(session, devEui),
    setCallback: (callback) => setCallback(session, callback),
    readCallback: (callback) => readCallback(session, callback),
    removeCallback: (callback) => removeCallback(session, callback),
    confirmCallback: async (details) =>
      confirmDestination(await session.openRules(), account, outside, details),
    close: () => session.close(),
  } satisfies NetworkConnection
}
