import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { capabilities } from './capabilities.ts'
import { readMessages } from './messages.ts'
import { checkSignature } from './signature.ts'

/**
 * Actility ThingPark, Enterprise and Wireless, API 7.3: its device and network manager (OpenAPI
 * files device-manager and network-manager), the tunnel interface between its core network (LRC)
 * and an application server (AS), and the messages of IoT Flow. docs.thingpark.com
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  callbackPlace: ['server'],
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages,
  checkSignature: (request, values) => checkSignature(request, values),
}
