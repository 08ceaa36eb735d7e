import type { Broker } from '../mqtt/broker.ts'
import type { AccountValues } from '../network.ts'
import { readAccount } from './account.ts'
import { readMessage } from './messages.ts'

/**
 * The account's events by ChirpStack's MQTT integration, with `json=true`. Undefined without
 * `mqtt_url`. A broker redelivers what was not acknowledged only if ChirpStack publishes at QoS 1:
 * `qos=1` under `[integration.mqtt]` in its configuration, where the default is 0.
 */
export function readBroker(values: AccountValues): Broker | undefined {
  const { mqtt_url: url, mqtt_username: username, mqtt_password: password } = values
  if (!url) return undefined
  return {
    url,
    ...(username ? { username } : {}),
    ...(username && password ? { password } : {}),
    topic: `application/${readAccount(values).applicationId}/device/+/event/+`,
    read: (topic, body) => [
      readMessage({ query: { event: topic.slice(topic.lastIndexOf('/') + 1) }, body }),
    ],
  }
}
