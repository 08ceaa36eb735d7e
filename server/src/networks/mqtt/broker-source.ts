import type { NetworkMessage } from '../network-message.ts'
import type { Outside } from '../outside.ts'

/** Where an account's messages are published, and how they are read. */
export interface Broker {
  url: string
  /** Makes the address of one connection, where that holds for a short time only. */
  sign?(): string
  username?: string
  password?: string
  topic: string
  /**
   * The messages in one publication, its payload parsed from JSON, and when it came, ISO 8601 in
   * UTC with microseconds. Throws `NotOurMessage`.
   */
  read(topic: string, body: unknown, receivedAt: string): NetworkMessage[]
}

/** A broker, and the session there by which it is followed. */
export interface BrokerSource extends Broker {
  clientId: string
  outside: Outside
}
