import { IoTClient } from '@aws-sdk/client-iot'
import type { Outside } from '../outside.ts'
import { type AwsAccount, addressOf } from './account.ts'
import {
  type CallOptions,
  clientSettings,
  explainErrors,
  guardRequests,
  outermost,
} from './client.ts'

/** AWS IoT Core: its things, rules and endpoints. Every call throws `NetworkError`. */
export function openIot(account: AwsAccount, outside: Outside, options?: CallOptions): IoTClient {
  const address = addressOf(account, 'iot')
  const client = new IoTClient(clientSettings(account, address, outside))
  guardRequests(client.config, outside, options)
  client.middlewareStack.add(explainErrors(account, address, outside.pace), outermost)
  return client
}
