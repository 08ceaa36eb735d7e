import { signBrokerAddress } from '../aws/signature.ts'
import type { Broker } from '../mqtt/broker.ts'
import type { AccountValues } from '../network.ts'
import { readAccount } from './account.ts'
import { readMessage } from './messages.ts'

/**
 * The uplinks that the account's destination publishes to a topic (`MqttTopic`). Undefined without
 * `mqtt_url`.
 */
export function readBroker(values: AccountValues): Broker | undefined {
  const { mqtt_url: url, mqtt_topic: topic } = values
  if (!url || !topic) return undefined
  const account = readAccount(values)
  return {
    url,
    sign: () => signBrokerAddress(url, account, new Date()),
    topic,
    read: (_topic, body) => readMessage(body),
  }
}
