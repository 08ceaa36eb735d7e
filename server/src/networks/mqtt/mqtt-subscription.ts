import type { MessageSink, Subscription } from '../network.ts'
import { type BackOff, waitAfter } from './back-off.ts'
import { type Arrivals, type BrokerSource, openBrokerConnection } from './broker-connection.ts'

export interface SubscriptionTiming {
  reconnect: BackOff
  /** For a message that could not be stored. */
  store: BackOff
}

const defaultTiming: SubscriptionTiming = {
  reconnect: { firstMs: 1_000, longestMs: 60_000 },
  store: { firstMs: 500, longestMs: 30_000 },
}

/** Keeps a connection to the broker, a new one with back-off when the last has ended. */
export function subscribe(
  source: BrokerSource,
  sink: MessageSink,
  timing: SubscriptionTiming = defaultTiming,
): Subscription {
  let isClosing = false
  let failures = 0
  let lastProblem = ''
  let timer: NodeJS.Timeout | undefined

  // An outage is told once, not at every attempt.
  const reportProblem = (problem: string) => {
    if (problem !== lastProblem) sink.reportProblem(problem)
    lastProblem = problem
  }
  const arrivals: Arrivals = new Map()
  const open = () =>
    openBrokerConnection(source, sink, {
      arrivals,
      storeBackOff: timing.store,
      reportProblem,
      onReady: () => {
        failures = 0
        lastProblem = ''
      },
      onEnd: () => {
        if (isClosing) return
        failures += 1
        timer = setTimeout(
          () => {
            connection = open()
          },
          waitAfter(timing.reconnect, failures),
        )
      },
    })
  let connection = open()

  return {
    close: async () => {
      isClosing = true
      clearTimeout(timer)
      await connection.close()
    },
  }
}
