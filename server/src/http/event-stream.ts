import { finished } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { actorOf } from './api-key.ts'
import type { Caller } from './endpoint.ts'
import { HttpError, tooManyRequests } from './errors.ts'
import { createRoom } from './room.ts'

/** An answer that goes on: server-sent events, until the client or the service ends it. */
export interface EventStream {
  /** Sends whole events. A client that has not read too much of what came before is cut off. */
  send(events: string): void
  /** Resolves when the client has taken what was sent, or the stream is over. */
  taken(): Promise<void>
  /** Ends the answer. */
  end(): void
  /** Aborts when the stream is over, for whatever reason. */
  readonly over: AbortSignal
}

/** What the handler of a stream returns: begins to send, and does not wait for the end. */
export type Follow = (stream: EventStream) => void

/** Bounds the streams that are open in this process, and closes them when it stops. */
export interface OpenStreams {
  /** Milliseconds between checks of the login and its rights. */
  checkInterval: number
  /** Counts a stream of the caller until `leave`; throws a 429 beyond the bounds. */
  enter(caller: Caller, end: () => void): { leave(): void }
}

/**
 * Bytes that wait for a slow client until it is cut off. It comes back and resumes. So is one that takes
 * nothing for some time (slow-clients.ts).
 */
const mostWaiting = 1024 * 1024

/** Streams of one user or API key. Each tab has one where tabs cannot share. */
const mostOfUser = 16
/** Streams of all API keys of an organization: they leave people theirs. */
const mostOfKeys = 50
const mostOfOrganization = 100
const mostOfTenant = 200
/** The room of all: a tenant takes at most as much as it leaves free. */
const capacity = 1000

export function createOpenStreams(app: FastifyInstance, checkInterval = 20_000): OpenStreams {
  const streams = new Set<{ caller: Caller; end(): void }>()
  const room = createRoom(capacity)
  const count = (isSame: (caller: Caller) => boolean) =>
    [...streams].filter(({ caller }) => isSame(caller)).length
  // Before the requests under way are awaited: a stream would never be done.
  app.addHook('preClose', async () => {
    for (const { end } of streams) end()
  })
  return {
    checkInterval,
    enter(caller, end) {
      const { organizationId, tenantId, key } = caller
      const ofUser = count((other) => actorOf(other) === actorOf(caller))
      const ofOrganization = count((other) => other.organizationId === organizationId)
      const ofKeys = count((other) => other.organizationId === organizationId && !!other.key)
      const ofTenant = count((other) => other.tenantId === tenantId)
      const isFull = [
        ofUser >= mostOfUser,
        key !== undefined && ofKeys >= mostOfKeys,
        ofOrganization >= mostOfOrganization,
        ofTenant >= mostOfTenant,
        room.partOf(caller) >= 1,
      ]
      if (isFull.includes(true)) throw tooManyRequests(30)
      const stream = { caller, end }
      streams.add(stream)
      room.change(caller, 1)
      return {
        leave() {
          if (streams.delete(stream)) room.change(caller, -1)
        },
      }
    },
  }
}

interface StreamOptions {
  streams: OpenStreams
  caller: Caller
  /** Throws the 401 or 403 that the same request would be answered with now. */
  checkAgain(): Promise<unknown>
}

/**
 * Sends events as the handler gives them. Neither a proxy nor this service compresses or buffers
 * them. The stream ends soon after the login or its rights do.
 */
export function sendEvents(reply: FastifyReply, follow: Follow, options: StreamOptions): void {
  const { raw } = reply
  const over = new AbortController()
  const end = () => raw.end()
  const place = options.streams.enter(options.caller, end)
  const check = setInterval(() => {
    options.checkAgain().catch((error) => {
      // A database that is away proves nothing.
      if (error instanceof HttpError && error.status < 500) end()
    })
  }, options.streams.checkInterval)
  finished(raw, () => {
    clearInterval(check)
    place.leave()
    over.abort()
  })
  reply.hijack()
  raw.writeHead(200, streamHeaders(reply))
  raw.flushHeaders()
  follow({
    send(events) {
      if (over.signal.aborted || raw.writableEnded) return
      raw.write(events)
      if (raw.writableLength > mostWaiting) raw.destroy()
    },
    taken: () => drained(reply, over.signal),
    end,
    over: over.signal,
  })
}

export const streamType = 'text/event-stream; charset=utf-8'

export function streamHeaders(reply: FastifyReply) {
  return {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': streamType,
    'cache-control': 'no-store, no-transform',
    // nginx would wait for more before it passes anything on.
    'x-accel-buffering': 'no',
  }
}

function drained({ raw }: FastifyReply, over: AbortSignal): Promise<void> {
  if (over.aborted || !raw.writableNeedDrain) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      raw.off('drain', done)
      over.removeEventListener('abort', done)
      resolve()
    }
    raw.on('drain', done)
    over.addEventListener('abort', done)
  })
}
