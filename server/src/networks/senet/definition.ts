import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const senet: Network = {
  key: 'senet',
  alias: 'network_key_2',
  id: 4,
  name: 'Senet',
  isLora: true,
  forms,
  adapter,
}
