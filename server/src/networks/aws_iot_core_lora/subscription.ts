import { signBrokerAddress } from '../aws/broker-address.ts'
import { followBroker } from '../mqtt/subscription.ts'
import type { AccountValues, MessageSink, Subscription } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readMessage } from './messages.ts'

/**
 * The uplinks that the account's destination publishes to a topic (`MqttTopic`). Undefined without
 * `mqtt_url`.
 */
export function openSubscription(
  values: AccountValues,
  accountId: string,
  sink: MessageSink,
  outside: Outside,
): Subscription | undefined {
  const { mqtt_url: url, mqtt_topic: topic } = values
  if (!url || !topic) return undefined
  const account = readAccount(values)
  const source = {
    url: () => signBrokerAddress(url, account, new Date()),
    topic,
    read: (_topic: string, body: unknown) => readMessage(body),
    outside,
  }
  return followBroker(source, accountId, sink)
}
