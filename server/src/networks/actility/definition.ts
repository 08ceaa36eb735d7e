import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const actility: Network = {
  key: 'actility',
  alias: 'network_key_7',
  id: 8,
  name: 'Actility ThingPark',
  isLora: true,
  forms,
  adapter,
}
