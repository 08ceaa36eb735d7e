import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { capabilities } from './capabilities.ts'
import { readMessages } from './messages.ts'

/**
 * LORIOT: its Public NWK REST API 5.0, its downlink call (docs.loriot.io, HTTP PUSH) and its data
 * output `httppush`.
 */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  callbackPlace: ['server', 'application_id'],
  // An output has one field for it, `auth`.
  callbackHeader: 'authorization',
  connect: async (values, outside) =>
    (await import('./connection.ts')).openConnection(values, outside),
  readMessages,
}
