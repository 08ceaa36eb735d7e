import type { AccountValues, ConnectionOptions, NetworkConnection } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readCallback, removeCallback, setCallback } from './callback.ts'
import { checkAccess } from './check-access.ts'
import { openClient } from './client.ts'
import { addDevice, readDevice, readLastSeen, removeDevice, renameDevice } from './devices.ts'
import { flushDownlinks, listDownlinks, queueDownlink, readSession } from './downlinks.ts'
import { addGateway, removeGateway, updateGateway } from './gateways.ts'
import { listDevices, listGateways } from './listing.ts'

/** A connection to one account; everything that ChirpStack is able to do. */
export function openConnection(
  values: AccountValues,
  outside: Outside,
  options?: ConnectionOptions,
) {
  const account = readAccount(values)
  const client = openClient(account, outside, options)
  const session = { client, account }
  let isProven = false
  const check = async () => {
    await checkAccess(session)
    isProven = true
  }
  return {
    check,
    async addDevice(device) {
      // ChirpStack takes a device whose profile is another tenant's (chirpstack/src/storage/device.rs).
      if (!isProven) await check()
      await addDevice(session, device)
    },
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
    flushDownlinks: (devEui) => flushDownlinks(session, devEui),
    readSession: (devEui) => readSession(session, devEui),
    listDevices: () => listDevices(session),
    readDevice: (devEui, wanted) => readDevice(session, devEui, wanted),
    readLastSeen: (devEui) => readLastSeen(session, devEui),
    setCallback: (callback) => setCallback(session, callback),
    readCallback: (callback) => readCallback(session, callback),
    removeCallback: (callback) => removeCallback(session, callback),
    close: () => client.close(),
  } satisfies NetworkConnection
}
