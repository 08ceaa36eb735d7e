import { apiKeyField, otherServerField } from '../account-fields.ts'
import type { Network } from '../network.ts'
import { readMessages } from './messages.ts'

/**
 * Senet: the public parts of its downlink call (docs.senetco.io/ap/api) and its notification
 * targets (docs.senetco.io/dev/stream).
 *
 * Only the portal documents the calls that register devices, and they need a token sent by e-mail
 * (docs.senetco.io/ap/mgmt). The portal asks for contract and device profile; the API does not.
 */
export const senet: Network = {
  key: 'senet',
  alias: 'network_key_2',
  id: 4,
  name: 'Senet',
  isLora: true,
  accountFields: [
    apiKeyField,
    { name: 'contract', label: 'Contract', required: true },
    { name: 'device_profile', label: 'Device profile', required: true },
    otherServerField,
  ],
  forms: { device: { fields: { joinEui: 'optional', appRegion: 'optional' } } },
  // A downlink cannot be taken back. Only acknowledgements of confirmed downlinks are reported.
  capabilities: {
    registration: 'by_hand',
    downlinks: 'pushed',
    confirmed: true,
    reports: ['acknowledged'],
  },
  readMessages: ({ body, receivedAt }) => readMessages(body, receivedAt),
  load: () => import('./connection.ts'),
}
