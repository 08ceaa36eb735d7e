import { EventSourceParserStream } from 'eventsource-parser/stream'
import { addressOf, requestHeaders } from '../api/client.ts'
import { resumeSession } from '../session/expiry.ts'
import type { RawEvent } from './events.ts'

interface ConnectionHandlers {
  /** Events of one piece of the answer, in order. */
  onEvents(events: readonly RawEvent[]): void
  onOpen(): void
  onLost(): void
  /** The id of the last event that was handled, in whichever tab. */
  lastId(): string | undefined
}

/** The service sends a sign of life every 15 s. Without two of them the connection is dead. */
const longestSilence = 40_000
const watchInterval = 5000
/** A timer that is so late has slept with the machine. */
const sleptAfter = 20_000
/** A connection that lasted so long was a good one. Others count as failures, even if they were accepted. */
const steadyAfter = 5000
const firstWait = 500
const longestWait = 30_000

/** Reads the stream until `signal`, and connects again whenever it ends. */
export async function keepConnected(
  handlers: ConnectionHandlers,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  let hasAsked = false
  while (!signal.aborted) {
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    signal.addEventListener('abort', stop)
    const watch = watchSilence(stop)
    let retryAfter = 0
    let openedAt = Number.POSITIVE_INFINITY
    try {
      const response = await open(handlers.lastId(), attempt.signal)
      retryAfter = Number(response.headers.get('retry-after') ?? 0) * 1000
      // Who does not want to log in again is asked once.
      if (response.status === 401 && !hasAsked) {
        hasAsked = true
        await resumeSession()
      }
      if (response.ok && response.body) {
        openedAt = performance.now()
        hasAsked = false
        handlers.onOpen()
        await read(response.body, (events) => {
          watch.heard()
          handlers.onEvents(events)
        })
      }
    } catch {
      // Whatever ended it, it is tried again.
    } finally {
      watch.end()
      signal.removeEventListener('abort', stop)
    }
    if (signal.aborted) return
    handlers.onLost()
    if (performance.now() - openedAt > steadyAfter) failures = 0
    const wait = Math.min(longestWait, firstWait * 2 ** failures)
    failures += 1
    await waitFor(Math.max(retryAfter, wait * (0.5 + Math.random() / 2)), signal)
  }
}

function open(lastId: string | undefined, signal: AbortSignal): Promise<Response> {
  return fetch(addressOf('GET /events'), {
    headers: {
      ...requestHeaders(),
      accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    },
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  })
}

/** Passes on what came together at once: a thousand events that were missed are one piece of work. */
async function read(
  body: ReadableStream<Uint8Array>,
  onEvents: (events: readonly RawEvent[]) => void,
): Promise<void> {
  const events = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  let gathered: RawEvent[] = []
  let isPlanned = false
  const pass = () => {
    isPlanned = false
    const passed = gathered
    gathered = []
    if (passed.length > 0) onEvents(passed)
  }
  for (;;) {
    const { done, value } = await events.read()
    if (done) break
    gathered.push({ kind: value.event ?? 'message', id: value.id, data: value.data })
    if (isPlanned) continue
    isPlanned = true
    setTimeout(pass)
  }
  pass()
}

/** Calls `stop` when nothing was heard for too long, also because the machine slept. */
function watchSilence(stop: () => void) {
  let heardAt = Date.now()
  let tickedAt = heardAt
  const timer = setInterval(() => {
    const now = Date.now()
    const slept = now - tickedAt > watchInterval + sleptAfter && !document.hidden
    tickedAt = now
    if (slept || now - heardAt > longestSilence) stop()
  }, watchInterval)
  window.addEventListener('offline', stop)
  return {
    heard() {
      heardAt = Date.now()
    },
    end() {
      clearInterval(timer)
      window.removeEventListener('offline', stop)
    },
  }
}

/** Waits, but not when the network is back or the reader looks again. */
function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const onSight = () => {
      if (!document.hidden) done()
    }
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      document.removeEventListener('visibilitychange', onSight)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
    document.addEventListener('visibilitychange', onSight)
    signal.addEventListener('abort', done)
  })
}
