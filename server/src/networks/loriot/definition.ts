import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const loriot: Network = {
  key: 'loriot',
  alias: 'network_key_4',
  id: 6,
  name: 'LORIOT',
  isLora: true,
  forms,
  adapter,
}
