// One connection to an MQTT 3.1.1 broker, with a session that outlives it.
import { setTimeout as delay } from 'node:timers/promises'
import type { IPublishPacket, MqttClient } from 'mqtt'
import { type MessageSink, NetworkError } from '../network.ts'
import { type NetworkMessage, NotOurMessage } from '../network-message.ts'
import type { Outside } from '../outside.ts'
import { plainReason } from '../plain-reason.ts'
import { type BackOff, waitAfter } from './back-off.ts'
import { openClient } from './client.ts'
import { createMessageWindow } from './message-window.ts'

/** Where an account's messages are published, and how they are read. */
export interface BrokerSource {
  /** One that is made at each connect where it holds for a short time only. */
  url: string | (() => string)
  username?: string
  password?: string
  topic: string
  clientId: string
  /**
   * The messages in one publication, its payload parsed from JSON, and when it came, ISO 8601 in
   * UTC with microseconds. Throws `NotOurMessage`.
   */
  read(topic: string, body: unknown, receivedAt: string): NetworkMessage[]
  outside: Outside
}

export interface BrokerHooks {
  arrivals: Arrivals
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

/**
 * When each message arrived that is being stored, by its number, topic and payload. It outlives a connection:
 * a message whose acknowledgement was lost with one comes again over the next.
 */
export type Arrivals = Map<string, string>

/** Given to mqtt.js instead of an acknowledgement, so that it sends none. */
const notYet = new Error('acknowledged later')

export function openBrokerConnection(
  source: BrokerSource,
  sink: MessageSink,
  hooks: BrokerHooks,
): { close(): Promise<void> } {
  try {
    return follow(source, sink, hooks)
  } catch (error) {
    // Other messages may quote the address, which can carry a signature.
    const known = error instanceof NetworkError ? error.message : undefined
    return giveUp(hooks, known ?? `The MQTT broker could not be called: ${nameOf(error)}.`)
  }
}

/** Throws when the connection cannot even be begun. */
function follow(source: BrokerSource, sink: MessageSink, hooks: BrokerHooks) {
  const { topic, read } = source
  const ending = new AbortController()
  // mqtt.js tells only some failures by an `error`; of others there is but the end.
  let isExplained = false
  const report = (problem: string) => {
    isExplained = true
    hooks.reportProblem(problem)
  }
  const client = begin(source, () => report('The MQTT broker sent a packet that is too large.'))
  const ended = new Promise<void>((resolve) => {
    client.once('close', () => {
      if (!isExplained && !ending.signal.aborted) report('The MQTT broker closed the connection.')
      ending.abort()
      resolve()
      hooks.onEnd()
    })
  })
  const window = receive(client, sink, { read, hooks, signal: ending.signal })
  client.on('error', (error) =>
    report(`The MQTT broker could not be reached: ${plainReason(error.message)}`),
  )
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

function begin(
  { url, outside, username, password, clientId }: BrokerSource,
  onTooLarge: () => void,
) {
  const options = {
    clientId,
    username,
    password,
    protocolVersion: 4 as const,
    clean: false,
    connectTimeout: connectTimeoutMs,
    resubscribe: false,
  }
  return openClient(typeof url === 'string' ? url : url(), options, outside, onTooLarge)
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error'
}

function giveUp(hooks: BrokerHooks, problem: string) {
  hooks.reportProblem(problem)
  // After the caller has what is returned here.
  setImmediate(hooks.onEnd)
  return { close: async () => undefined }
}

/**
 * Hands messages to the sink, up to `windowSize` at a time. mqtt.js acknowledges a message
 * before it looks at the next; told of an error it leaves that out, and the PUBACK is ours to
 * send.
 */
function receive(client: MqttClient, sink: MessageSink, reading: Reading) {
  const { signal } = reading
  const window = createMessageWindow(windowSize, (messageId) => {
    if (client.stream.writable) client.stream.write(encodeAcknowledgement(messageId))
  })
  client.handleMessage = (packet, callback) => {
    if (signal.aborted) return callback(notYet)
    const storing = store(packet, sink, reading)
    window.add(packet.messageId, storing, () => callback(notYet))
  }
  return window
}

interface Reading {
  read: BrokerSource['read']
  hooks: BrokerHooks
  signal: AbortSignal
}

/** PUBACK, MQTT 3.1.1 section 3.4. */
function encodeAcknowledgement(messageId: number): Buffer {
  return Buffer.from([0x40, 0x02, messageId >> 8, messageId & 0xff])
}

/** Whether the message may be acknowledged; it is tried until the connection ends. */
async function store(
  packet: IPublishPacket,
  sink: MessageSink,
  reading: Reading,
): Promise<boolean> {
  const { arrivals } = reading.hooks
  // Until it is acknowledged no other message has its number.
  const name = `${packet.messageId} ${packet.topic} ${packet.payload}`
  const receivedAt = arrivals.get(name) ?? now()
  arrivals.set(name, receivedAt)
  try {
    const messages = readPacket(packet, receivedAt, reading)
    return await storeAll(messages, Buffer.from(packet.payload), sink, reading)
  } finally {
    if (arrivals.get(name) === receivedAt) arrivals.delete(name)
  }
}

async function storeAll(
  messages: readonly NetworkMessage[],
  sent: Buffer,
  sink: MessageSink,
  { hooks, signal }: Reading,
): Promise<boolean> {
  if (messages.length === 0) return true
  for (let failures = 0; failures === 0 || !signal.aborted; ) {
    try {
      await Promise.all(messages.map((message) => sink.store(message, sent)))
      return true
    } catch {
      failures += 1
      const wait = waitAfter(hooks.storeBackOff, failures)
      await delay(wait, undefined, { signal }).catch(() => undefined)
    }
  }
  return false
}

/** None, and reported, when it is no message of the network: repeating it would not help. */
function readPacket(
  { topic, payload, dup }: IPublishPacket,
  receivedAt: string,
  { read, hooks }: Reading,
): NetworkMessage[] {
  try {
    if (payload.length > messageLimit) throw new NotOurMessage('The message is too large.')
    const messages = read(topic, parseJson(payload.toString()), receivedAt)
    return dup ? messages.map(markSentAgain) : messages
  } catch (error) {
    const reason = error instanceof NotOurMessage ? error.message : nameOf(error)
    hooks.reportProblem(`MQTT message on ${topic} was not read: ${reason}`)
    return []
  }
}

function markSentAgain(message: NetworkMessage): NetworkMessage {
  const isTimeless = message.kind === 'uplink' && message.isTimeless
  return isTimeless ? { ...message, isSentAgain: true } : message
}

/** ISO 8601 in UTC with microseconds. */
function now(): string {
  return new Date().toISOString().replace('Z', '000Z')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotOurMessage('It is no JSON.')
  }
}
