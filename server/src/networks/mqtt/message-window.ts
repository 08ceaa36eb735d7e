interface Entry {
  /** Absent at QoS 0, where nothing is acknowledged. */
  messageId: number | undefined
  isStored: boolean
}

/** The messages of one connection that are being stored, in the order of their arrival. */
interface MessageWindow {
  /**
   * Takes a message; calls `proceed` when there is room for the next one. A message whose `storing`
   * rejects counts as not stored.
   */
  add(messageId: number | undefined, storing: Promise<boolean>, proceed: () => void): void
  /** Resolves when no message is being stored any more. */
  drain(): Promise<void>
}

/**
 * Stores messages concurrently and acknowledges them in their order, as MQTT 3.1.1 requires
 * (MQTT-4.6.0-2). A message that could not be stored holds up all later acknowledgements.
 */
export function createMessageWindow(
  limit: number,
  acknowledge: (messageId: number) => void,
): MessageWindow {
  const entries: Entry[] = []
  const storings = new Set<Promise<void>>()
  let waiting: (() => void) | undefined

  const moveOn = () => {
    while (entries[0]?.isStored) {
      const messageId = entries.shift()?.messageId
      if (messageId !== undefined) acknowledge(messageId)
    }
    if (entries.length >= limit) return
    const proceed = waiting
    waiting = undefined
    proceed?.()
  }

  return {
    add: (messageId, storing, proceed) => {
      const entry = { messageId, isStored: false }
      entries.push(entry)
      waiting = proceed
      const stored = storing
        .catch(() => false)
        .then((isStored) => {
          entry.isStored = isStored
          storings.delete(stored)
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
