import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { capabilities } from './capabilities.ts'
import { readMessages } from './messages.ts'

/**
 * Senet: its downlink call (docs.senetco.io/ap/api) and its notification targets
 * (docs.senetco.io/dev/stream), as far as they are public. Devices are registered in its portal.
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages: ({ body }) => readMessages(body),
}
