import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const other: Network = {
  key: 'other',
  alias: 'other',
  name: 'Other',
  isLora: false,
  forms,
  adapter,
}
