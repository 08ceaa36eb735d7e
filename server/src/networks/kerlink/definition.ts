import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const kerlink: Network = {
  key: 'kerlink',
  alias: 'network_key_6',
  id: 7,
  name: 'Kerlink Wanesy',
  isLora: true,
  forms,
  adapter,
}
