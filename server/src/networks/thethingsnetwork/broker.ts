import type { Broker } from '../mqtt/broker.ts'
import type { AccountValues } from '../network.ts'
import { mqttUserName, readAccount } from './account.ts'
import { readMessage } from './messages.ts'

/**
 * The application's messages by the MQTT server of The Things Stack
 * (pkg/applicationserver/io/mqtt/topics/v3.go). Undefined without `mqtt_url`. It delivers at QoS 0
 * only: what is sent while nobody listens is not sent again, which is why the webhook stays.
 */
export function readBroker(values: AccountValues): Broker | undefined {
  const { mqtt_url: url, mqtt_username: named } = values
  if (!url) return undefined
  const account = readAccount(values)
  const username = named || mqttUserName(account)
  return {
    url,
    username,
    password: account.apiKey,
    topic: `v3/${username}/devices/+/#`,
    read: (_topic, body, receivedAt) => [readMessage({ body, receivedAt })],
  }
}
