import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const chirpstack: Network = {
  key: 'chirpstack',
  alias: 'network_key_9',
  id: 10,
  name: 'ChirpStack v4',
  isLora: true,
  forms,
  adapter,
}
