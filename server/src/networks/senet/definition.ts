import { apiKeyField, otherServerField } from '../account-fields.ts'
import type { Network } from '../network.ts'
import { readMessages } from './messages.ts'

/**
 * Senet: its downlink call (docs.senetco.io/ap/api) and its notification targets
 * (docs.senetco.io/dev/stream), as far as they are public.
 *
 * Its calls for registering devices are documented behind its portal alone, where registering takes
 * a token sent by e-mail as well (docs.senetco.io/ap/mgmt). The portal asks for contract and device
 * profile; the API does not.
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
  // It does not give back what it was given to send, and reports no more than the acknowledgement
  // of confirmed downlinks.
  capabilities: { registration: 'by_hand', downlinks: 'pushed', reports: ['acknowledged'] },
  readMessages: ({ body }) => readMessages(body),
  load: () => import('./connection.ts'),
}
