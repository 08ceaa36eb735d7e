import { createHash } from 'node:crypto'
import type { AccountValues, MessageSink, Subscription } from '../network.ts'
import { readAccount } from './account.ts'

/**
 * The account's events by ChirpStack's MQTT integration. Undefined without `mqtt_url`. A broker
 * redelivers what was not acknowledged only if ChirpStack publishes at QoS 1: `qos=1` under
 * `[integration.mqtt]` in its configuration, where the default is 0.
 */
export function openSubscription(
  values: AccountValues,
  accountId: string,
  sink: MessageSink,
): Subscription | undefined {
  const { mqtt_url: url, mqtt_username: username, mqtt_password: password } = values
  if (!url) return undefined
  const { applicationId } = readAccount(values)
  const source = {
    url,
    ...(username ? { username } : {}),
    ...(username && password ? { password } : {}),
    topic: `application/${applicationId}/device/+/event/+`,
    clientId: toClientId(accountId),
  }
  const opened = import('./mqtt-subscription.ts').then(({ subscribe }) => subscribe(source, sink))
  return { close: async () => (await opened).close() }
}

/** 23 letters and digits: what every broker must take (MQTT 3.1.1, section 3.1.3.1). */
function toClientId(accountId: string): string {
  return `lfc${createHash('sha256').update(accountId).digest('hex').slice(0, 20)}`
}
