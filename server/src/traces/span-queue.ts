import type { EndedSpan } from './span.ts'

/** What waits for the collector. */
export interface SpanQueue {
  add(span: EndedSpan): void
  counts(): { sent: number; dropped: number }
  close(): Promise<void>
}

/** What became of a request: `later` is worth another try, `never` is not. */
export interface Delivery {
  outcome: 'taken' | 'later' | 'never'
  /** Spans of a request that was taken that the collector did not want. */
  rejected: number
  /** Why it was not taken. */
  reason: string
}

interface QueueOptions {
  /** Sends one batch. Never rejects. */
  send(spans: readonly EndedSpan[]): Promise<Delivery>
  /** Called when the collector stops taking spans, and when it takes them again. */
  tell(isWell: boolean, reason: string): void
}

/** The defaults of OpenTelemetry's batch processor: spans, spans, milliseconds. */
const capacity = 2048
const batchSize = 512
const interval = 5000
/** Turns that pass after failures in a row, up to so many. */
const mostTurns = 12
/** Milliseconds for the rest, when the process ends. */
const lastPatience = 2000

/**
 * Keeps spans until the next turn, up to a bound. What comes when it is full is dropped and counted:
 * a collector that is away takes neither memory nor time from others.
 */
export function createSpanQueue({ send, tell }: QueueOptions): SpanQueue {
  let waiting: EndedSpan[] = []
  let sending: Promise<void> | undefined
  let sent = 0
  let dropped = 0
  let failures = 0
  let turnsLeft = 0

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      const { outcome, rejected, reason } = await send(batch)
      if (outcome !== 'taken' && failures === 0) tell(false, reason)
      if (outcome === 'taken' && failures > 0) tell(true, reason)
      failures = outcome === 'taken' ? 0 : failures + 1
      turnsLeft = Math.min(2 ** failures - 1, mostTurns)
      if (outcome === 'later') return
      waiting = waiting.slice(batch.length)
      const lost = outcome === 'taken' ? rejected : batch.length
      dropped += lost
      sent += batch.length - lost
      if (outcome === 'never') return
    }
  }

  function flush(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }

  const timer = setInterval(() => {
    if (turnsLeft > 0) turnsLeft -= 1
    else void flush()
  }, interval)
  timer.unref()

  return {
    add(span) {
      if (waiting.length >= capacity) dropped += 1
      else waiting.push(span)
      if (waiting.length === batchSize && failures === 0) void flush()
    },
    counts: () => ({ sent, dropped }),
    async close() {
      clearInterval(timer)
      const patience = Promise.withResolvers<void>()
      const deadline = setTimeout(patience.resolve, lastPatience)
      await Promise.race([flush(), patience.promise])
      clearTimeout(deadline)
      dropped += waiting.length
      waiting = []
    },
  }
}
