import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { readBroker } from './broker.ts'
import { capabilities, limits } from './capabilities.ts'
import { readMessage } from './messages.ts'

/**
 * ChirpStack v4: its gRPC API, its HTTP integration (JSON encoding) and its MQTT integration.
 * chirpstack.io/docs/chirpstack/api/index.html
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  limits,
  callbackPlace: ['server', 'application_id'],
  sharesHeaders: true,
  // Loads the gRPC packages, which take 125 ms that start-up need not wait for.
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages: (request) => [readMessage(request)],
  readBroker,
}
