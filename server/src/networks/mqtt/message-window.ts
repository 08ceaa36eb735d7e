interface Entry {
  /** Absent at QoS 0, which has nothing to acknowledge. */
  messageId: number | undefined
  isStored: boolean
}

/** The messages of one connection that are being stored, in the order in which they came. */
interface MessageWindow {
  /**
   * Takes a message; `proceed` is called when there is room for the next one. One whose `storing`
   * rejects counts as not stored.
   */
  add(messageId: number | undefined, storing: Promise<boolean>, proceed: () => void): void
  /** Resolves when nothing is being stored any more. */
  drain(): Promise<void>
}

/**
 * Lets messages be stored side by side and acknowledges them in their order, as MQTT 3.1.1
 * demands (MQTT-4.6.0-2). One that could not be stored holds up all acknowledgements after it.
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
