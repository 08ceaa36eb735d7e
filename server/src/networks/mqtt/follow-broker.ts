// Follows a broker. The MQTT client is loaded when it is first needed.
import { createHash } from 'node:crypto'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import type { Broker, MessageSink, Subscription } from './broker.ts'

/** A session at a broker, which the broker keeps while nobody is connected. */
interface BrokerSession {
  broker: Broker
  /** The client id is derived from it. */
  id: string
}

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

/** Proves that a broker lets the account in. Throws `NetworkError`. */
export async function tryBroker(broker: Broker, outside: Outside): Promise<void> {
  const { probeBroker } = await import('./client.ts')
  await probeBroker({ ...broker, outside })
}

/**
 * Ends a session with all messages that wait in it: a client that connects with a clean session
 * discards the stored one (MQTT 3.1.1, section 3.1.2.4). Throws `NetworkError`.
 */
export async function endSession({ broker, id }: BrokerSession, outside: Outside): Promise<void> {
  const { probeBroker } = await import('./client.ts')
  await probeBroker({ ...broker, clientId: toClientId(id), outside })
}

/** 23 letters and digits: what every broker must accept (MQTT 3.1.1, section 3.1.3.1). */
function toClientId(id: string): string {
  return `lfc${createHash('sha256').update(id).digest('hex').slice(0, 20)}`
}
