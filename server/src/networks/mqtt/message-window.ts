import type { MessageRoom } from './broker.ts'

interface Entry {
  /** Absent at QoS 0, where nothing is acknowledged. */
  messageId: number | undefined
  isStored: boolean
}

interface WindowMessage {
  messageId: number | undefined
  bytes: number
}

/**
 * What keeps the next message waiting. The last one that is taken may exceed bytes and room, since
 * its length is not known before, and a window that stores nothing takes one in any case: so no
 * connection ever waits for the messages of others.
 */
interface WindowLimits {
  messages: number
  bytes: number
  room: MessageRoom
}

/** The messages of one connection that are being stored, in the order of their arrival. */
interface MessageWindow {
  /**
   * Takes a message that has so many bytes; calls `proceed` when there is room for the next one. A
   * message whose `storing` rejects counts as not stored.
   */
  add(message: WindowMessage, storing: Promise<boolean>, proceed: () => void): void
  /** Resolves when no message is being stored any more. */
  drain(): Promise<void>
}

/**
 * Stores messages concurrently and acknowledges them in their order, as MQTT 3.1.1 requires
 * (MQTT-4.6.0-2). A message that could not be stored holds up all later acknowledgements.
 */
export function createMessageWindow(
  limits: WindowLimits,
  acknowledge: (messageId: number) => void,
): MessageWindow {
  const entries: Entry[] = []
  const storings = new Set<Promise<void>>()
  let bytesHeld = 0
  let waiting: (() => void) | undefined

  const isFull = () =>
    entries.length >= limits.messages ||
    (storings.size > 0 && (bytesHeld >= limits.bytes || !limits.room.isFree()))

  const moveOn = () => {
    while (entries[0]?.isStored) {
      const messageId = entries.shift()?.messageId
      if (messageId !== undefined) acknowledge(messageId)
    }
    if (isFull()) return
    const proceed = waiting
    waiting = undefined
    proceed?.()
  }

  return {
    add: ({ messageId, bytes }, storing, proceed) => {
      const entry = { messageId, isStored: false }
      entries.push(entry)
      const giveBack = limits.room.hold(bytes)
      bytesHeld += bytes
      waiting = proceed
      const stored = storing
        .catch(() => false)
        .then((isStored) => {
          entry.isStored = isStored
          storings.delete(stored)
          bytesHeld -= bytes
          giveBack()
          moveOn()
        })
      storings.add(stored)
      moveOn()
    },
    drain: async () => {
      while (storings.size > 0) await Promise.all(storings)
    },
  }
}
