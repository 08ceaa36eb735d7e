import type { AccountValues, NetworkConnection } from '../network.ts'
import { readAccount } from './account.ts'
import { checkAccess } from './check-access.ts'
import { openClient } from './client.ts'
import { addDevice, removeDevice, renameDevice } from './devices.ts'
import { countDownlinkFrames, flushDownlinks, listDownlinks, queueDownlink } from './downlinks.ts'
import { addGateway, removeGateway, updateGateway } from './gateways.ts'

/** A connection to one account; everything that ChirpStack is able to do. */
export function openConnection(
  values: AccountValues,
  options?: { deadlineMs: number },
): Required<NetworkConnection> {
  const account = readAccount(values)
  const client = openClient(account, options)
  const session = { client, account }
  return {
    check: () => checkAccess(session),
    addDevice: (device) => addDevice(session, device),
    renameDevice: (devEui, name) => renameDevice(session, devEui, name),
    removeDevice: (devEui) => removeDevice(session, devEui),
    gateways: {
      add: (gateway) => addGateway(session, gateway),
      update: (gateway) => updateGateway(session, gateway),
      remove: (gatewayEui) => removeGateway(session, gatewayEui),
    },
    queueDownlink: (downlink) => queueDownlink(session, downlink),
    listDownlinks: (devEui) => listDownlinks(session, devEui),
    flushDownlinks: (devEui) => flushDownlinks(session, devEui),
    countDownlinkFrames: (devEui) => countDownlinkFrames(session, devEui),
    close: () => client.close(),
  }
}
