import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { capabilities } from './capabilities.ts'
import { readMessages } from './messages.ts'

/**
 * Netmore Connect. Its API is published as api.connect.netmoregroup.com/docs/swagger.json; what is
 * used of it here was read from the client that Cumulocity-IoT/cumulocity-lora generated of version
 * 1.2.83 (java/lora-ns-netmore), which has the calls and members but neither statuses nor errors.
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages,
}
