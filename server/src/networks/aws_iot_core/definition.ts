import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const awsIotCore: Network = {
  key: 'aws_iot_core',
  alias: 'network_key_5',
  id: 3,
  name: 'AWS IoT Core',
  isLora: false,
  forms,
  loraVariant: 'aws_iot_core_lora',
  adapter,
}
