import type { Network } from '../network.ts'
import { adapter } from './adapter.ts'
import { forms } from './forms.ts'

export const awsIotCoreLora: Network = {
  key: 'aws_iot_core_lora',
  alias: 'network_key_5_lora',
  name: 'AWS IoT Core for LoRaWAN',
  isLora: true,
  forms,
  adapter,
}
