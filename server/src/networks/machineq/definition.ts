import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const machineq: Network = {
  key: 'machineq',
  alias: 'network_key_1',
  id: 2,
  name: 'Comcast machineQ',
  isLora: true,
  forms,
  adapter,
}
