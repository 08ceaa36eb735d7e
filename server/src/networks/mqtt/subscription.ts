import { createHash } from 'node:crypto'
import type { MessageSink, Subscription } from '../network.ts'
import type { BrokerSource } from './broker-connection.ts'
import { hasPlainHost } from './broker-host.ts'

/**
 * Follows a broker for an account, whose id decides the client id and with it the session. Loads
 * the MQTT client first.
 */
export function followBroker(
  source: Omit<BrokerSource, 'clientId'>,
  accountId: string,
  sink: MessageSink,
): Subscription {
  const clientId = toClientId(accountId)
  const opened = import('./mqtt-subscription.ts')
    .then(({ subscribe }) => subscribe({ ...source, clientId }, sink))
    .catch((error: unknown) => {
      const name = error instanceof Error ? error.name : 'unknown error'
      sink.reportProblem(`The MQTT broker cannot be followed: ${name}.`)
    })
  return { close: async () => (await opened)?.close() }
}

/** What is wrong with the address of a broker; undefined when nothing is. */
export function findBrokerFault(text: string): string | undefined {
  const url = URL.parse(text)
  const isBroker =
    url && protocols.includes(url.protocol) && hasPlainHost(url) && !url.username && !url.password
  if (isBroker) return undefined
  return 'The MQTT broker must be like mqtt://host:1883, mqtts://host:8883, ws://host/path or wss://host/path, without user name and password.'
}

const protocols = ['mqtt:', 'mqtts:', 'ws:', 'wss:']

/** 23 letters and digits: what every broker must take (MQTT 3.1.1, section 3.1.3.1). */
function toClientId(accountId: string): string {
  return `lfc${createHash('sha256').update(accountId).digest('hex').slice(0, 20)}`
}
