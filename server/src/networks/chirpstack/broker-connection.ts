// One connection to an MQTT 3.1.1 broker, with a session that outlives it.
import { setTimeout as delay } from 'node:timers/promises'
import { connect, type IPublishPacket, type MqttClient } from 'mqtt'
import { type MessageSink, type NetworkMessage, NotOurMessage } from '../network.ts'
import { type BackOff, waitAfter } from './back-off.ts'
import { createMessageWindow } from './message-window.ts'
import { readMessage } from './messages.ts'

export interface BrokerSource {
  url: string
  username?: string
  password?: string
  topic: string
  clientId: string
}

export interface BrokerHooks {
  storeBackOff: BackOff
  reportProblem(problem: string): void
  /** Connected and subscribed. */
  onReady(): void
  /** Called once, whatever ended the connection or kept it from being made. */
  onEnd(): void
}

const windowSize = 64
const connectTimeoutMs = 10_000
const closeTimeoutMs = 1_000
const messageLimit = 256 * 1024

/** Given to mqtt.js instead of an acknowledgement, so that it sends none. */
const notYet = new Error('acknowledged later')

export function openBrokerConnection(
  { url, topic, ...login }: BrokerSource,
  sink: MessageSink,
  hooks: BrokerHooks,
): { close(): Promise<void> } {
  const client = connect(url, {
    ...login,
    protocolVersion: 4,
    clean: false,
    reconnectPeriod: 0,
    connectTimeout: connectTimeoutMs,
    resubscribe: false,
  })
  const ending = new AbortController()
  // mqtt.js tells only some failures by an `error`; of others there is but the end.
  let isExplained = false
  const report = (problem: string) => {
    isExplained = true
    hooks.reportProblem(problem)
  }
  const ended = new Promise<void>((resolve) => {
    client.once('close', () => {
      if (!isExplained && !ending.signal.aborted) report('The MQTT broker closed the connection.')
      ending.abort()
      resolve()
      hooks.onEnd()
    })
  })
  const window = receive(client, sink, { hooks, signal: ending.signal })
  client.on('error', (error) => report(`The MQTT broker could not be reached: ${error.message}`))
  client.on('connect', () => {
    client.subscribeAsync(topic, { qos: 1 }).then(hooks.onReady, (error) => {
      report(`The MQTT broker refused the subscription to ${topic}: ${error.message}`)
      client.stream.destroy()
    })
  })
  return {
    close: async () => {
      const isOver = ending.signal.aborted
      ending.abort()
      await window.drain()
      if (isOver) return
      client.end(!client.connected)
      await Promise.race([ended, delay(closeTimeoutMs)])
      client.stream.destroy()
    },
  }
}

/**
 * Hands messages to the sink, up to `windowSize` at a time. mqtt.js acknowledges a message
 * before it looks at the next; told of an error it leaves that out, and the PUBACK is ours to
 * send.
 */
function receive(
  client: MqttClient,
  sink: MessageSink,
  { hooks, signal }: { hooks: BrokerHooks; signal: AbortSignal },
) {
  const window = createMessageWindow(windowSize, (messageId) => {
    if (client.stream.writable) client.stream.write(encodeAcknowledgement(messageId))
  })
  client.handleMessage = (packet, callback) => {
    if (signal.aborted) return callback(notYet)
    const storing = store(packet, sink, { hooks, signal })
    window.add(packet.messageId, storing, () => callback(notYet))
  }
  return window
}

/** PUBACK, MQTT 3.1.1 section 3.4. */
function encodeAcknowledgement(messageId: number): Buffer {
  return Buffer.from([0x40, 0x02, messageId >> 8, messageId & 0xff])
}

/** Whether the message may be acknowledged; it is tried until the connection ends. */
async function store(
  packet: IPublishPacket,
  sink: MessageSink,
  { hooks, signal }: { hooks: BrokerHooks; signal: AbortSignal },
): Promise<boolean> {
  const message = readPacket(packet, hooks)
  if (!message || message.kind === 'nothing') return true
  for (let failures = 0; failures === 0 || !signal.aborted; ) {
    try {
      await sink.store(message, Buffer.from(packet.payload))
      return true
    } catch {
      failures += 1
      const wait = waitAfter(hooks.storeBackOff, failures)
      await delay(wait, undefined, { signal }).catch(() => undefined)
    }
  }
  return false
}

/** Undefined, and reported, when it is no message of ChirpStack: repeating it would not help. */
function readPacket(
  { topic, payload }: IPublishPacket,
  { reportProblem }: BrokerHooks,
): NetworkMessage | undefined {
  try {
    if (payload.length > messageLimit) throw new NotOurMessage('The message is too large.')
    const event = topic.slice(topic.lastIndexOf('/') + 1)
    return readMessage({ query: { event }, body: parseJson(payload.toString()) })
  } catch (error) {
    if (!(error instanceof NotOurMessage)) throw error
    reportProblem(`MQTT message on ${topic} was not read: ${error.message}`)
    return undefined
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotOurMessage('It is no JSON: json=true is needed in the MQTT integration.')
  }
}
