import type { NetworkError } from '../network-error.ts'
import type { NetworkMessage } from '../network-message.ts'
import type { Outside } from '../outside.ts'

/** Where an account's messages are published, and how they are read. */
export interface Broker {
  url: string
  /** Makes the address of one connection, where an address is valid for a short time only. */
  sign?(): string
  username?: string
  password?: string
  topic: string
  /**
   * Reads the messages in one publication from its payload, parsed from JSON. `receivedAt` is ISO
   * 8601 in UTC with microseconds. Throws `NotOurMessage`.
   */
  read(topic: string, body: unknown, receivedAt: string): NetworkMessage[]
}

/** A broker and the MQTT session by which it is followed. */
export interface BrokerSource extends Broker {
  clientId: string
  outside: Outside
}

/** The memory that an organization has for messages of all its brokers while they are stored. */
export interface MessageRoom {
  /** Whether less than all of it is taken. */
  isFree(): boolean
  /** Takes so many bytes of it. The returned function gives them back. */
  hold(bytes: number): () => void
}

/** Where a subscription hands over what it receives. */
export interface MessageSink {
  room: MessageRoom
  /**
   * Stores one message, given as read and as sent; the message is acknowledged after it. Up to 64
   * messages are stored at a time, as far as there is room. A message whose storing rejects is stored again with back-off,
   * and holds up those after it.
   */
  store(message: NetworkMessage, sent: Buffer): Promise<void>
  /** Logs a message that could not be read. */
  reportProblem(problem: string): void
  /** Takes each new reason why the broker is not followed; undefined when it is followed again. */
  noteBroker(trouble: NetworkError | undefined): void
}

/** Messages that come by subscription. It reconnects by itself until it is closed. */
export interface Subscription {
  /** Ends it after the messages under way are stored. */
  close(): Promise<void>
}

/** Whether an account whose broker is changed from `one` to `other` keeps its session. */
export function isSameSession(one: Broker | undefined, other: Broker | undefined): boolean {
  return one?.url === other?.url && one?.topic === other?.topic && one?.username === other?.username
}

const protocols = ['mqtt:', 'mqtts:', 'ws:', 'wss:']

/** What is wrong with the address of a broker; undefined when nothing is. */
export function findBrokerFault(text: string): string | undefined {
  const url = URL.parse(text)
  const isBroker =
    url && protocols.includes(url.protocol) && hasPlainHost(url) && !url.username && !url.password
  if (isBroker) return undefined
  return 'The MQTT broker must be like mqtt://host:1883, mqtts://host:8883, ws://host/path or wss://host/path, without user name and password.'
}

/**
 * Whether all parsers read the host of a broker alike. They disagree about other characters, so
 * that the host that is called could be another one than the host that was checked.
 */
export function hasPlainHost({ hostname }: URL): boolean {
  return /^[a-z0-9.-]+$/i.test(hostname) || /^\[[0-9a-f:.]+\]$/i.test(hostname)
}
