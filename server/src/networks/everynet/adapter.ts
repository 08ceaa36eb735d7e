import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { capabilities } from './capabilities.ts'
import { readMessages } from './messages.ts'

/** Everynet: its management API v1.0 and its HTTP connections. ns.docs.everynet.io */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  // A connection has one field for it, `authorization`.
  callbackHeader: 'authorization',
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages,
}
