import type { AccountValues, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readCallback, readCluster, removeCallback, setCallback } from './callback.ts'
import { openSession } from './client.ts'
import { addDevice, listDevices, removeDevice, renameDevice } from './devices.ts'
import { cancelDownlink, listDownlinks, queueDownlink } from './downlinks.ts'
import { addGateway, listGateways, removeGateway, updateGateway } from './gateways.ts'

/** A connection to one account; everything that Wanesy is able to do. */
export function openConnection(values: AccountValues, outside: Outside) {
  const session = openSession(readAccount(values), outside)
  return {
    check: async () => void (await readCluster(session)),
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
    cancelDownlink: (_devEui, id) => cancelDownlink(session, id),
    listDevices: () => listDevices(session),
    setCallback: (callback) => setCallback(session, callback),
    readCallback: (callback) => readCallback(session, callback),
    removeCallback: (callback) => removeCallback(session, callback),
    close: () => session.close(),
  } satisfies NetworkConnection
}
