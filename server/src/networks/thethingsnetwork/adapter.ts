import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { readBroker } from './broker.ts'
import { capabilities, limits } from './capabilities.ts'
import { readMessage } from './messages.ts'

/**
 * The Things Stack v3 (The Things Network, The Things Industries, one's own): its HTTP API, its
 * webhooks and its MQTT server. Facts from TheThingsNetwork/lorawan-stack at 1d21821 (October 2024):
 * api/ttn/lorawan/v3, and the servers below pkg where a file here names them.
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  limits,
  callbackPlace: ['cluster', 'application_id'],
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages: (request) => [readMessage(request)],
  readBroker,
}
