import { readConfirmation } from '../aws/messages.ts'
import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { readBroker } from './broker.ts'
import { capabilities, limits } from './capabilities.ts'
import { readMessages } from './messages.ts'

/**
 * AWS IoT Core for LoRaWAN: the API of AWS IoT Wireless, and a rule of AWS IoT Core that brings its
 * uplinks to the callback. docs.aws.amazon.com/iot-wireless/latest/apireference
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  limits,
  callbackPlace: ['region', 'server', 'destination'],
  // Loads the client of AWS, which takes 90 ms that start-up need not wait for.
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages,
  readConfirmation,
  readBroker,
}
