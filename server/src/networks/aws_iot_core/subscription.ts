import { signBrokerAddress } from '../aws/broker-address.ts'
import { isObject } from '../message-fields.ts'
import { followBroker } from '../mqtt/subscription.ts'
import type { AccountValues, MessageSink, Subscription } from '../network.ts'
import type { Outside } from '../outside.ts'
import { readAccount } from './account.ts'
import { readUplink } from './messages.ts'

/**
 * What devices publish, from the broker itself; undefined without `mqtt_url`. Without a rule there
 * is no time of AWS's own: an uplink that carries no `time` gets that of its arrival here.
 */
export function openSubscription(
  values: AccountValues,
  accountId: string,
  sink: MessageSink,
  outside: Outside,
): Subscription | undefined {
  const { mqtt_url: url } = values
  if (!url) return undefined
  const account = readAccount(values)
  const source = {
    url: () => signBrokerAddress(url, account, new Date()),
    topic: `${account.topicPrefix}/+/up`,
    read: (topic: string, body: unknown, receivedAt: string) => [
      readUplink(isObject(body) ? { ...body, topic, timestamp: undefined } : body, receivedAt),
    ],
    outside,
  }
  return followBroker(source, accountId, sink)
}
