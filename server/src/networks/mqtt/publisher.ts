// What is published over one connection to a broker, with MQTT 5 or 3.1.1.
import type { MqttClient } from 'mqtt'
import type { NetworkError } from '../network-error.ts'
import { unreachable } from './client.ts'

export interface Publication {
  topic: string
  payload: string
  isRetained: boolean
  /** User properties. MQTT 3.1.1 has none, so they are left out there. */
  properties: Record<string, string>
}

/** What the broker said: 0, or the reason code of its refusal (MQTT 5, section 3.4.2.1). */
export interface Acknowledgement {
  code: number
  words: string
}

export type MqttVersion = 4 | 5

export interface Publisher {
  version: MqttVersion
  /** Messages that the broker lets be on their way at once. */
  receiveMaximum: number
  /** Why the connection is over. */
  readonly trouble: NetworkError | undefined
  /** Resolves with the PUBACK. Throws `NetworkError` when the connection ends before it. */
  publish(publication: Publication): Promise<Acknowledgement>
  /** Ends the connection. Messages on their way fail with `reason`. */
  close(reason: string): void
}

/** What a broker may send for each message. */
const bytesPerAnswer = 512
/** Bytes of a packet besides its topic and its payload, at most. */
const overhead = 1024
const largestReceiveMaximum = 65_535

/** What the broker may still send. Nothing but answers is asked of it. */
export interface Allowance {
  bytes: number
}

interface ServerLimits {
  receiveMaximum?: number | undefined
  maximumPacketSize?: number | undefined
  maximumQoS?: number | undefined
  retainAvailable?: boolean | undefined
  allowance: Allowance
}

export function createPublisher(client: MqttClient, version: MqttVersion, limits: ServerLimits) {
  const waiting = new Set<(trouble: NetworkError) => void>()
  let trouble: NetworkError | undefined
  const end = (reason: NetworkError) => {
    trouble ??= reason
    for (const reject of waiting) reject(trouble)
    waiting.clear()
    client.end(true)
    client.stream.destroy()
  }
  client.on('packetreceive', ({ cmd }) => {
    if (cmd === 'publish') end(unreachable('The MQTT broker sends messages that nobody asked for.'))
  })
  return {
    version,
    receiveMaximum: Math.max(1, limits.receiveMaximum ?? largestReceiveMaximum),
    get trouble() {
      return trouble
    },
    end,
    publish(publication: Publication): Promise<Acknowledgement> {
      const refusal = findRefusal(publication, limits)
      if (refusal) return Promise.resolve(refusal)
      return new Promise((resolve, reject) => {
        if (trouble) return reject(trouble)
        waiting.add(reject)
        limits.allowance.bytes += bytesPerAnswer
        publishOn(client, version, publication, (answer) => {
          if (!waiting.delete(reject)) return
          if (answer) resolve(answer)
          else reject(trouble ?? unreachable('The MQTT broker closed the connection.'))
        })
      })
    },
    close(reason: string) {
      if (trouble) return
      // With nothing on its way the broker is told, and the socket ends after that.
      if (waiting.size > 0) return end(unreachable(reason))
      trouble = unreachable(reason)
      client.end()
      setTimeout(() => client.stream.destroy(), 1_000).unref()
    },
  }
}

/** What a broker has said before that it does not take: sent to it, it would end the connection. */
function findRefusal(
  { topic, payload, isRetained }: Publication,
  { maximumPacketSize, maximumQoS, retainAvailable }: ServerLimits,
): Acknowledgement | undefined {
  if (maximumQoS === 0) return { code: 155, words: 'The broker takes no QoS 1' }
  if (isRetained && retainAvailable === false) {
    return { code: 154, words: 'The broker retains no messages' }
  }
  const size = Buffer.byteLength(topic) + Buffer.byteLength(payload) + overhead
  if (maximumPacketSize !== undefined && size > maximumPacketSize) {
    return { code: 149, words: `The broker takes ${maximumPacketSize} bytes at most` }
  }
  return undefined
}

/** Calls back with the PUBACK, or with nothing when the connection ended. */
function publishOn(
  client: MqttClient,
  version: MqttVersion,
  { topic, payload, isRetained, properties }: Publication,
  done: (answer: Acknowledgement | undefined) => void,
): void {
  // The client writes nothing at all for a packet with an empty list of them.
  const hasOwn = Object.keys(properties).length > 0
  const more = {
    contentType: 'application/json',
    ...(hasOwn ? { userProperties: properties } : {}),
  }
  const options = {
    qos: 1 as const,
    retain: isRetained,
    ...(version === 5 ? { properties: more } : {}),
  }
  client.publish(topic, payload, options, (error?: Error & { code?: unknown }) => {
    if (!error) return done({ code: 0, words: '' })
    if (typeof error.code !== 'number') return done(undefined)
    done({ code: error.code, words: error.message.replace(/^Publish error: /, '') })
  })
}
