import { type BackOff, waitAfter } from '../back-off.ts'
import { NetworkError } from '../network-error.ts'
import type { BrokerSource, MessageSink, Subscription } from './broker.ts'
import { openBrokerConnection } from './broker-connection.ts'
import type { Arrivals } from './receive-messages.ts'

interface SubscriptionTiming {
  reconnect: BackOff
  /** For a message that could not be stored. */
  store: BackOff
  /** Milliseconds after which a connection counts as mended when others before it ended soon. */
  settled: number
}

const defaultTiming: SubscriptionTiming = {
  reconnect: { firstMs: 1_000, longestMs: 30_000 },
  store: { firstMs: 500, longestMs: 30_000 },
  settled: 10_000,
}

/** Messages in a row that cannot be read before it is told, once others could. */
const mostUnread = 10

/** Keeps a connection to the broker, a new one with back-off when the last has ended. */
export function subscribe(
  source: BrokerSource,
  sink: MessageSink,
  timing: SubscriptionTiming = defaultTiming,
): Subscription {
  let isClosing = false
  /** Connections in a row that did not last. */
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let settling: NodeJS.Timeout | undefined

  const tell = noteChanges(sink)
  /** Stays over new connections: only a message that can be read ends it. */
  let unreadable: NetworkError | undefined
  const note = (trouble: NetworkError | undefined) => tell(trouble ?? unreadable)
  const onReady = () => {
    // One whose session somebody else takes away again and again is connected all the time.
    if (failures <= 1) note(undefined)
    settling = setTimeout(() => {
      failures = 0
      note(undefined)
    }, timing.settled)
  }
  const onEnd = () => {
    clearTimeout(settling)
    if (isClosing) return
    failures += 1
    timer = setTimeout(
      () => {
        connection = open()
      },
      waitAfter(timing.reconnect, failures),
    )
  }
  const arrivals: Arrivals = new Map()
  const hooks = { arrivals, storeBackOff: timing.store, onTrouble: note, onReady, onEnd }
  const onRead = createReadingWatch(sink, (trouble) => {
    unreadable = trouble
    note(undefined)
  })
  const open = () => openBrokerConnection(source, sink, { ...hooks, onRead })
  let connection = open()

  return {
    close: async () => {
      isClosing = true
      clearTimeout(timer)
      await connection.close()
      clearTimeout(settling)
    },
  }
}

/** An outage is told once, not at every attempt. */
function noteChanges({ noteBroker }: MessageSink) {
  let last: string | undefined
  return (trouble: NetworkError | undefined) => {
    const words = trouble?.message ?? ''
    if (words !== last) noteBroker(trouble)
    last = words
  }
}

/** Tells when nothing that comes can be read, and when it can again. */
function createReadingWatch(
  { reportProblem }: MessageSink,
  note: (trouble: NetworkError | undefined) => void,
) {
  let hasRead = false
  let isTold = false
  let unread = 0
  return (fault?: string) => {
    if (fault === undefined) {
      hasRead = true
      unread = 0
      if (isTold) note(undefined)
      isTold = false
      return
    }
    reportProblem(fault)
    unread += 1
    if (unread < (hasRead ? mostUnread : 1)) return
    isTold = true
    note(new NetworkError('refused', `No message of the MQTT broker can be read. ${fault}`))
  }
}
