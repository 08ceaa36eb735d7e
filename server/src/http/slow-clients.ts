import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import { HttpError } from './errors.ts'

/**
 * The least rate of clients. A body or an answer holds a share of its organization until it is over, so
 * one that trickles would keep the others of the organization waiting.
 */
export interface SlowClients {
  /** Answers 408 when a body comes too slowly. Called when reading it begins. */
  watchBody: preParsingHookHandler
  /** The body is there. Otherwise it is watched until the next look. */
  leaveBody(request: IncomingMessage): void
  /** Cuts off a client that takes too little of what waits for it. It may be idle. */
  watchReader(answer: ServerResponse): void
}

export interface ClientPace {
  /** Milliseconds within which a body must bring `leastBytes`, or end. */
  bodyWindow: number
  /**
   * Milliseconds within which a reader must take a piece of what waits for it (`json-pieces.ts`): some
   * 64 kB, or all there is.
   */
  readerWindow: number
}

/** A kilobyte a second for bodies, three for answers in pieces. */
export const defaultPace: ClientPace = { bodyWindow: 5000, readerWindow: 20_000 }
const leastBytes = 5 * 1024
/** Looks within a window. They are counted, and not the time: a pause of this process is nobody's fault. */
const looks = 5

interface Watch {
  isOver(): boolean
  /** Whether the client has done its part for now. */
  isIdle(): boolean
  /** Bytes that came or went so far. */
  bytes(): number
  least: number
  giveUp(): void
  /** What `bytes` was when enough had come, and how many looks ago. */
  mark: number
  age: number
}

export function watchSlowClients(app: FastifyInstance, pace: ClientPace): SlowClients {
  const bodies = lookEach(app, pace.bodyWindow / looks)
  const readers = lookEach(app, pace.readerWindow / looks)
  return {
    watchBody({ raw: request }, _reply, _payload, done) {
      const { socket } = request
      if (!(socket instanceof Socket) || request.complete) return done()
      bodies.set(request, {
        isOver: () => request.complete || request.destroyed,
        isIdle: () => false,
        bytes: () => socket.bytesRead,
        least: leastBytes,
        giveUp() {
          // Nobody listens where the answer did not wait for the body.
          if (request.listenerCount('error') > 0) request.emit('error', tooSlow())
          else request.destroy()
        },
        mark: socket.bytesRead,
        age: 0,
      })
      done()
    },
    leaveBody: (request) => void bodies.delete(request),
    watchReader(answer) {
      const { socket } = answer
      if (!(socket instanceof Socket)) return
      readers.set(answer, {
        isOver: () => answer.writableFinished || answer.destroyed || socket.destroyed,
        isIdle: () => socket.writableLength === 0,
        bytes: () => socket.bytesWritten - socket.writableLength,
        least: 1,
        giveUp: () => answer.destroy(),
        mark: 0,
        age: 0,
      })
    },
  }
}

/** Fastify answers errors of the body with their status. The rest of the body is not read. */
function tooSlow(): HttpError & { statusCode: number } {
  const headers = { connection: 'close' }
  const error = new HttpError(408, 'The request body came in too slowly.', { headers })
  return Object.assign(error, { statusCode: error.status })
}

function lookEach(app: FastifyInstance, milliseconds: number): Map<object, Watch> {
  const watches = new Map<object, Watch>()
  const timer = setInterval(() => {
    for (const [key, watch] of watches) if (look(watch)) watches.delete(key)
  }, milliseconds)
  // Without `unref` an app that is never closed would keep the process.
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return watches
}

/** Whether the watch has ended. */
function look(watch: Watch): boolean {
  if (watch.isOver()) return true
  const bytes = watch.bytes()
  if (watch.isIdle() || bytes - watch.mark >= watch.least) {
    watch.mark = bytes
    watch.age = 0
    return false
  }
  watch.age += 1
  if (watch.age < looks) return false
  watch.giveUp()
  return true
}
