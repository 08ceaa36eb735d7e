import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { capabilities, limits } from './capabilities.ts'
import { readMessages } from './messages.ts'

/**
 * Kerlink Wanesy Management Center: its GMS REST API (OpenAPI file of 3.2.6) and its push over
 * HTTP. wikikerlink.fr/wanesy-ran, "GMS API" and "API guide"
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  limits,
  callbackPlace: ['server', 'cluster_id'],
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages,
}
