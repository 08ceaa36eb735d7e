import type { AccountValues, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { checkAccess } from './check-access.ts'
import { type LoriotOptions, openSession } from './client.ts'
import { addDevice, removeDevice, renameDevice } from './devices.ts'
import { flushDownlinks, queueDownlink, readSession } from './downlinks.ts'
import { addGateway, removeGateway, updateGateway } from './gateways.ts'
import { listDevices, listGateways } from './listing.ts'

/** A connection to one account; everything that LORIOT is able to do. */
export function openConnection(values: AccountValues, outside: Outside, options?: LoriotOptions) {
  const session = openSession(values, outside, options)
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
    flushDownlinks: (devEui) => flushDownlinks(session, devEui),
    readSession: (devEui) => readSession(session, devEui),
    listDevices: () => listDevices(session),
    setCallback: (callback) => setCallback(session, callback),
    readCallback: (callback) => readCallback(session, callback),
    removeCallback: (callback) => removeCallback(session, callback),
    close: () => session.client.close(),
  } satisfies NetworkConnection
}
