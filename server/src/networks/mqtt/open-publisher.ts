// Connects to a broker on which messages are to be published.
import type { MqttClient } from 'mqtt'
import { NetworkError } from '../network-error.ts'
import type { Outside } from '../outside.ts'
import { openClient, toTrouble, unreachable } from './client.ts'
import { type Allowance, createPublisher, type MqttVersion, type Publisher } from './publisher.ts'

/** A broker, and how the service logs in there. Certificates and keys are PEM. */
export interface PublishTarget {
  url: string
  clientId: string
  username?: string | undefined
  password?: string | undefined
  /** The authority of the broker's certificate; by default those that Node knows. */
  ca?: string | undefined
  cert?: string | undefined
  key?: string | undefined
}

const connectTimeoutMs = 5_000
/** A broker that is silent for one and a half times this long counts as gone. */
const keepAliveSeconds = 15
/** Bytes that a broker may send besides the answers to messages. */
const freeBytes = 8 * 1024

/** The broker speaks no MQTT 5. */
class OtherVersion extends Error {}

/**
 * Connects with MQTT 5, and with 3.1.1 to a broker that does not speak it: such a broker refuses the
 * version, or closes the connection (MQTT 3.1.1, section 3.1.2.2). Throws `NetworkError`.
 */
export async function openPublisher(
  target: PublishTarget,
  outside: Outside,
  version: MqttVersion = 5,
): Promise<Publisher> {
  try {
    return await openWith(target, outside, version)
  } catch (error) {
    if (!(error instanceof OtherVersion)) throw error
    return openWith(target, outside, 4)
  }
}

function openWith(
  { url, ...login }: PublishTarget,
  outside: Outside,
  version: MqttVersion,
): Promise<Publisher> {
  return new Promise((resolve, reject) => {
    let publisher: (Publisher & { end(trouble: NetworkError): void }) | undefined
    let first: Error | undefined
    const options = {
      ...login,
      protocolVersion: version,
      clean: true,
      connectTimeout: connectTimeoutMs,
      keepalive: keepAliveSeconds,
    }
    const allowance = { bytes: freeBytes }
    const client = begin({ url, options, outside, allowance }, (error) => {
      first ??= error
      publisher?.end(toPublishTrouble(error))
    })
    client.on('connect', (packet) => {
      publisher = createPublisher(client, version, { ...packet.properties, allowance })
      resolve(publisher)
    })
    client.on('close', () => {
      // After an error that mqtt.js emits once the stream is closed.
      setImmediate(() => {
        if (publisher) return publisher.end(toPublishTrouble(first))
        client.end(true)
        if (version === 5 && maySpeakOther(first)) reject(new OtherVersion())
        else reject(toPublishTrouble(first))
      })
    })
  })
}

interface Beginning {
  url: string
  options: Parameters<typeof openClient>[1]
  outside: Outside
  allowance: Allowance
}

/** Starts a connection. All errors of it go to `onError`. */
function begin(
  { url, options, outside, allowance }: Beginning,
  onError: (error: Error) => void,
): MqttClient {
  const refuseBytes = (count: number) => {
    allowance.bytes -= count
    return allowance.bytes < 0 ? 'The MQTT broker sends more than answers.' : undefined
  }
  let client: MqttClient
  try {
    client = openClient(url, options, outside, { rules: { refuseBytes }, onRefused: onError })
  } catch (error) {
    // The messages of other errors may quote secrets.
    if (error instanceof NetworkError) throw error
    const name = error instanceof Error ? error.name : 'unknown error'
    throw unreachable(`The MQTT broker could not be called: ${name}.`)
  }
  client.on('error', onError)
  // mqtt.js passes on errors of sockets, but not that a WebSocket is refused.
  client.stream.on('error', onError)
  client.on('disconnect', ({ reasonCode }) => {
    onError(unreachable(`The MQTT broker ended the connection with the reason ${reasonCode ?? 0}.`))
  })
  return client
}

const versionCodes: readonly unknown[] = [1, 132]
const closingCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE']

/** Whether an end before the CONNACK may mean that the broker does not know MQTT 5. */
function maySpeakOther(error: (Error & { code?: unknown }) | undefined): boolean {
  if (!error) return true
  if (error instanceof NetworkError) return false
  if (error.code !== undefined) {
    return versionCodes.includes(error.code) || closingCodes.includes(error.code)
  }
  return !/timeout|unexpected server response|tls|certificate/i.test(error.message)
}

function toPublishTrouble(error: Error | undefined): NetworkError {
  if (error instanceof NetworkError) return error
  return error ? toTrouble(error) : unreachable('The MQTT broker closed the connection.')
}
