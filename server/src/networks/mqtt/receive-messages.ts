import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { MqttClient } from 'mqtt'
import { type BackOff, waitAfter } from '../back-off.ts'
import { type NetworkMessage, NotOurMessage } from '../network-message.ts'
import { readNoting } from '../uplink.ts'
import type { Broker, MessageSink } from './broker.ts'
import { createMessageWindow } from './message-window.ts'

/** What is being stored at a time. 1 MiB is 64 messages of 16 KiB; that of one device has a few. */
const windowLimits = { messages: 64, bytes: 1024 * 1024 }
const messageLimit = 256 * 1024
/**
 * What the connection may hold that the broker has not read. A broker with a PUBACK outstanding for
 * each of the 65,535 packet identifiers has 256 KiB before it.
 */
const unreadLimit = 300 * 1024
/**
 * Milliseconds that a message takes from which nothing is stored, for each and for each KiB: about
 * ten times what reading it takes, so that a flood of them leaves the process to others.
 */
const idleMs = { each: 0.2, kib: 0.1 }
/** Such messages wait when they are ahead by so many milliseconds. */
const idleAheadMs = 20
/** A topic may have 64 KiB. */
const shownTopic = 200
/** Well within the time after which either side counts as gone. */
const pingMs = 4_000

/**
 * The time of arrival of each message that is being stored, by number, topic and digest. It
 * outlives a connection: a message whose acknowledgement was lost comes again over the next one.
 */
export type Arrivals = Map<string, string>

/** An error keeps mqtt.js from acknowledging a message. */
const notYet = new Error('acknowledged later')

/** What is kept of a packet while it is stored. */
interface Arrived {
  /** Absent at QoS 0. */
  messageId: number | undefined
  topic: string
  payload: Buffer
  /** Whether the broker sends it again. */
  dup: boolean
}

/**
 * Hands messages to the sink, as many at a time as the window holds. While it is full, nothing is
 * read from the socket, and the broker keeps the others. mqtt.js would acknowledge each message
 * before it reads the next. Given an error it sends no PUBACK, which is sent here after storing.
 */
export function receive(client: MqttClient, sink: MessageSink, reading: Reading) {
  const { signal } = reading
  const pace = createIdlePace(signal)
  let isFull = false
  const limits = { ...windowLimits, room: sink.room }
  const window = createMessageWindow(limits, (messageId) => {
    if (!client.stream.writable) return
    client.stream.write(encodeAcknowledgement(messageId))
    if (client.stream.writableLength > unreadLimit) reading.onUnread()
  })
  client.handleMessage = (packet, callback) => {
    if (signal.aborted) return callback(notYet)
    const { messageId, topic, dup } = packet
    // A copy: the payload of a short packet is part of a chunk of the socket.
    const arrived = { messageId, topic, dup, payload: Buffer.from(packet.payload) }
    const storing = store(arrived, sink, reading, pace)
    isFull = true
    window.add({ messageId, bytes: topic.length + arrived.payload.length }, storing, () => {
      isFull = false
      callback(notYet)
    })
  }
  // While the window is full mqtt.js reads no answer to a ping, and would count the broker as gone.
  const holding = setInterval(() => {
    if (!isFull || !client.connected) return
    client.sendPing()
    client.reschedulePing(true)
  }, pingMs)
  client.once('close', () => clearInterval(holding))
  return window
}

interface Reading {
  read: Broker['read']
  hooks: {
    arrivals: Arrivals
    storeBackOff: BackOff
    /** Called after a message was read; `fault` says why it could not be. */
    onRead(fault?: string): void
  }
  signal: AbortSignal
  /** Called when the broker does not read what it is sent. */
  onUnread(): void
}

/** Holds back messages from which nothing is stored, when they come faster than `idleMs` allows. */
function createIdlePace(signal: AbortSignal): (bytes: number) => Promise<void> {
  let freeAt = 0
  return async (bytes) => {
    const now = performance.now()
    freeAt = Math.max(now, freeAt) + idleMs.each + (idleMs.kib * bytes) / 1024
    const ahead = freeAt - now
    if (ahead > idleAheadMs) await delay(ahead, undefined, { signal }).catch(() => undefined)
  }
}

/** PUBACK, MQTT 3.1.1 section 3.4. */
function encodeAcknowledgement(messageId: number): Buffer {
  return Buffer.from([0x40, 0x02, messageId >> 8, messageId & 0xff])
}

/** Stores until it succeeds or the connection ends; true when the message may be acknowledged. */
async function store(
  arrived: Arrived,
  sink: MessageSink,
  reading: Reading,
  pace: (bytes: number) => Promise<void>,
): Promise<boolean> {
  const { arrivals } = reading.hooks
  // No other message has its number until it is acknowledged.
  const name = `${arrived.messageId} ${arrived.topic} ${hash('sha256', arrived.payload)}`
  const receivedAt = arrivals.get(name) ?? now()
  arrivals.set(name, receivedAt)
  try {
    const messages = readArrived(arrived, receivedAt, reading)
    if (messages.length === 0) await pace(arrived.payload.length)
    return await storeAll(messages, arrived.payload, sink, reading)
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

/** Reports what is no message of the network and returns none: repeating it would not help. */
function readArrived(
  { topic, payload, dup }: Arrived,
  receivedAt: string,
  { read, hooks }: Reading,
): NetworkMessage[] {
  try {
    if (payload.length > messageLimit) throw new NotOurMessage('The message is too large.')
    const messages = readNoting(() => read(topic, parseJson(payload.toString()), receivedAt))
    hooks.onRead()
    return dup ? messages.map(markSentAgain) : messages
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown error'
    const reason = error instanceof NotOurMessage ? error.message : name
    hooks.onRead(`MQTT message on ${topic.slice(0, shownTopic)} was not read: ${reason}`)
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
    // Without a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new NotOurMessage('It is no JSON.')
  }
}
