import type { AccountValues, ConnectionOptions, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { checkAccess } from './check-access.ts'
import { openSession } from './client.ts'
import { addDevice, readLastSeen, removeDevice, renameDevice } from './devices.ts'
import { cancelDownlink, listDownlinks, queueDownlink } from './downlinks.ts'
import { addGateway, removeGateway, updateGateway } from './gateways.ts'
import { listDevices, listGateways } from './listing.ts'
import { readDevice } from './read-devices.ts'

/** A connection to one account; everything that The Things Stack is able to do. */
export function openConnection(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
) {
  const session = openSession(readAccount(values), outside, options)
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
    queueDownlink: (downlink) => queueDownlink(session, downlink),
    listDownlinks: (devEui) => listDownlinks(session, devEui),
    cancelDownlink: (devEui, itemId) => cancelDownlink(session, devEui, itemId),
    listDevices: () => listDevices(session),
    readDevice: (devEui, wanted) => readDevice(session, devEui, wanted),
    readLastSeen: (devEui) => readLastSeen(session, devEui),
    setCallback: (callback) => setCallback(session, callback),
    readCallback: (callback) => readCallback(session, callback),
    removeCallback: (callback) => removeCallback(session, callback),
    close: () => session.close(),
  } satisfies NetworkConnection
}
