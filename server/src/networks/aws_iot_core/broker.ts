import { signBrokerAddress } from '../aws/signature.ts'
import { isObject } from '../message-fields.ts'
import type { Broker } from '../mqtt/broker.ts'
import type { AccountValues } from '../network.ts'
import { readAccount } from './account.ts'
import { readUplink } from './messages.ts'

/**
 * What devices publish, from the broker itself; undefined without `mqtt_url`. Without a rule there
 * is no time of AWS's own: an uplink that carries no `time` gets that of its arrival here.
 */
export function readBroker(values: AccountValues): Broker | undefined {
  const { mqtt_url: url } = values
  if (!url) return undefined
  const account = readAccount(values)
  return {
    url,
    sign: () => signBrokerAddress(url, account, new Date()),
    topic: `${account.topicPrefix}/+/up`,
    read: (topic, body, receivedAt) => [
      readUplink(isObject(body) ? { ...body, topic, timestamp: undefined } : body, receivedAt),
    ],
  }
}
