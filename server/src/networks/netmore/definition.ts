import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const netmore: Network = {
  key: 'netmore',
  alias: 'netmore',
  id: 11,
  name: 'Netmore',
  isLora: true,
  forms,
  adapter,
}
