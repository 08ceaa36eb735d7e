import { followBroker } from '../mqtt/subscription.ts'
import type { AccountValues, MessageSink, Subscription } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readMessage } from './messages.ts'

/**
 * The account's events by ChirpStack's MQTT integration, with `json=true`. Undefined without
 * `mqtt_url`. A broker redelivers what was not acknowledged only if ChirpStack publishes at QoS 1:
 * `qos=1` under `[integration.mqtt]` in its configuration, where the default is 0.
 */
export function openSubscription(
  values: AccountValues,
  accountId: string,
  sink: MessageSink,
  outside: Outside,
): Subscription | undefined {
  const { mqtt_url: url, mqtt_username: username, mqtt_password: password } = values
  if (!url) return undefined
  const source = {
    url,
    ...(username ? { username } : {}),
    ...(username && password ? { password } : {}),
    topic: `application/${readAccount(values).applicationId}/device/+/event/+`,
    read: (topic: string, body: unknown) => [
      readMessage({ query: { event: topic.slice(topic.lastIndexOf('/') + 1) }, body }),
    ],
    outside,
  }
  return followBroker(source, accountId, sink)
}
