import { createHash } from 'node:crypto'
import { type MessageSink, NetworkError, type Subscription } from '../network.ts'
import type { Outside } from '../outside.ts'
import { hasPlainHost } from './broker-host.ts'
import type { Broker } from './broker-source.ts'

/** A session at a broker: of one client id, and kept there while nobody is connected. */
export interface BrokerSession {
  broker: Broker
  /** The client id comes of it. */
  id: string
}

/** Follows a broker. Loads the MQTT client first. */
export function followBroker(
  { broker, id }: BrokerSession,
  sink: MessageSink,
  outside: Outside,
): Subscription {
  const source = { ...broker, clientId: toClientId(id), outside }
  const opened = import('./subscription.ts')
    .then(({ subscribe }) => subscribe(source, sink))
    .catch((error: unknown) => {
      const name = error instanceof Error ? error.name : 'unknown error'
      sink.noteBroker(
        new NetworkError('unreachable', `The MQTT broker cannot be followed: ${name}.`),
      )
    })
  return { close: async () => (await opened)?.close() }
}

/**
 * Ends a session, with what waits in it: a client that asks for a clean one takes the old one away
 * (MQTT 3.1.1, section 3.1.2.4). Throws `NetworkError`.
 */
export async function endSession({ broker, id }: BrokerSession, outside: Outside): Promise<void> {
  const { probeBroker } = await import('./probe.ts')
  await probeBroker({ ...broker, clientId: toClientId(id), outside })
}

/** Whether an account keeps its session when what it says of its broker becomes something else. */
export function isSameSession(one: Broker | undefined, other: Broker | undefined): boolean {
  return one?.url === other?.url && one?.topic === other?.topic && one?.username === other?.username
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
function toClientId(id: string): string {
  return `lfc${createHash('sha256').update(id).digest('hex').slice(0, 20)}`
}
