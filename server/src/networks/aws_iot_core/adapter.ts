import { readConfirmation } from '../aws/messages.ts'
import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { readBroker } from './broker.ts'
import { capabilities } from './capabilities.ts'
import { readMessages } from './messages.ts'

/**
 * AWS IoT Core: a thing for each device, uplinks and downlinks on topics under a prefix, and a rule
 * that brings the uplinks to the callback. docs.aws.amazon.com/iot/latest/apireference
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  callbackPlace: ['region', 'server', 'topic_prefix'],
  // Loads the clients of AWS, which take 100 ms that start-up need not wait for.
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages,
  readConfirmation,
  readBroker,
}
