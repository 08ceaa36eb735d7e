import {
  type AccountValues,
  type NetworkAdapter,
  type NetworkConnection,
  NetworkError,
} from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { readMessage } from './messages.ts'
import { openSubscription } from './subscription.ts'

/**
 * ChirpStack v4: its gRPC API, its HTTP integration (JSON encoding) and its MQTT integration.
 * chirpstack.io/docs/chirpstack/api/index.html
 */
export const chirpstack: NetworkAdapter = {
  accountFields,
  checkAccount,
  reportsSentDownlinks: true,
  connect,
  readMessage,
  subscribe: openSubscription,
}

/** Loads the gRPC packages at the first call: they take 125 ms, which start-up need not wait for. */
function connect(values: AccountValues): NetworkConnection {
  let opened: Promise<Required<NetworkConnection>> | undefined
  let isClosed = false
  const open = async () => {
    if (isClosed) throw new NetworkError('unreachable', 'The connection is closed.')
    opened ??= import('./connection.ts').then(({ openConnection }) => openConnection(values))
    return opened
  }
  return {
    check: async () => (await open()).check(),
    addDevice: async (device) => (await open()).addDevice(device),
    renameDevice: async (devEui, name) => (await open()).renameDevice(devEui, name),
    removeDevice: async (devEui) => (await open()).removeDevice(devEui),
    gateways: {
      add: async (gateway) => (await open()).gateways.add(gateway),
      update: async (gateway) => (await open()).gateways.update(gateway),
      remove: async (gatewayEui) => (await open()).gateways.remove(gatewayEui),
    },
    queueDownlink: async (downlink) => (await open()).queueDownlink(downlink),
    listDownlinks: async (devEui) => (await open()).listDownlinks(devEui),
    flushDownlinks: async (devEui) => (await open()).flushDownlinks(devEui),
    countDownlinkFrames: async (devEui) => (await open()).countDownlinkFrames(devEui),
    close: () => {
      isClosed = true
      void opened?.then((connection) => connection.close())
    },
  }
}
