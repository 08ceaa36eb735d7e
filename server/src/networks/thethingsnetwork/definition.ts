import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const thethingsnetwork: Network = {
  key: 'thethingsnetwork',
  alias: 'network_key_3',
  id: 5,
  name: 'The Things Stack',
  isLora: true,
  forms,
  adapter,
}
