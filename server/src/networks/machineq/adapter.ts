import type { NetworkAdapter } from '../network.ts'
import { accountFields, checkAccount } from './account.ts'
import { capabilities } from './capabilities.ts'
import { readMessages } from './messages.ts'

/** Comcast machineQ: its API v1 and the REST destinations of its output profiles. */
export const adapter: NetworkAdapter = {
  accountFields,
  checkAccount,
  capabilities,
  callbackPlace: ['server'],
  connect: async (values, outside, callbackUrl) =>
    (await import('./connection.ts')).openConnection(values, outside, { callbackUrl }),
  readMessages,
}
