import { type BackOff, waitAfter } from '../back-off.ts'
import { NetworkError } from '../network-error.ts'
import type { BrokerSource, MessageSink, Subscription } from './broker.ts'
import { openBrokerConnection } from './broker-connection.ts'
import { createMinuteLimit } from './packet-guard.ts'
import type { Arrivals } from './receive-messages.ts'

interface SubscriptionTiming {
  reconnect: BackOff
  /** Before a message that could not be stored is stored again. */
  store: BackOff
  /** Milliseconds after which a connection counts as stable when those before it ended early. */
  settled: number
}

const defaultTiming: SubscriptionTiming = {
  reconnect: { firstMs: 1_000, longestMs: 30_000 },
  store: { firstMs: 500, longestMs: 30_000 },
  settled: 10_000,
}

/** Unreadable messages in a row before the owner is told, once a message could be read. */
const mostUnread = 10

/** More would fill the log. */
const reportsPerMinute = 60

/** Keeps a connection to the broker: when one ends, the next is opened with back-off. */
export function subscribe(
  source: BrokerSource,
  sink: MessageSink,
  timing: SubscriptionTiming = defaultTiming,
): Subscription {
  let isClosing = false
  /** Connections in a row that ended early. */
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let settling: NodeJS.Timeout | undefined

  const tell = noteChanges(sink)
  /** Survives new connections: only a message that can be read ends it. */
  let unreadable: NetworkError | undefined
  const note = (trouble: NetworkError | undefined) => tell(trouble ?? unreadable)
  const onReady = () => {
    // A client whose session another client takes over again and again connects all the time.
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

/** Reports an outage once, and not at every attempt. */
function noteChanges({ noteBroker }: MessageSink) {
  let last: string | undefined
  return (trouble: NetworkError | undefined) => {
    const words = trouble?.message ?? ''
    if (words !== last) noteBroker(trouble)
    last = words
  }
}

/** Reports when no message can be read, and when messages can be read again. */
function createReadingWatch(
  { reportProblem }: MessageSink,
  note: (trouble: NetworkError | undefined) => void,
) {
  let hasRead = false
  let isTold = false
  let unread = 0
  const mayReport = createMinuteLimit(reportsPerMinute)
  return (fault?: string) => {
    if (fault === undefined) {
      hasRead = true
      unread = 0
      if (isTold) note(undefined)
      isTold = false
      return
    }
    if (mayReport()) reportProblem(fault)
    unread += 1
    if (unread < (hasRead ? mostUnread : 1)) return
    isTold = true
    note(new NetworkError('refused', `No message of the MQTT broker can be read. ${fault}`))
  }
}
