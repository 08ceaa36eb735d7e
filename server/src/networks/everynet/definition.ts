import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const everynet: Network = {
  key: 'everynet',
  alias: 'network_key_8',
  id: 9,
  name: 'Everynet',
  isLora: true,
  forms,
  adapter,
}
