import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import {
  createRequestReader,
  type ReadWholeRequest,
  type WholeRequest,
} from './read-whole-request.ts'

/**
 * Takes a request of a connection and calls `done` when it is answered: with the bytes of the answer
 * where nothing is sent yet. Or returns false, and has done nothing.
 */
export type TakeWhole = (
  request: WholeRequest,
  socket: Socket,
  done: (answer?: string) => void,
) => boolean

interface OwnOptions {
  take: TakeWhole
  /** In bytes. */
  largestBody: number
  /** Milliseconds between looks at the connections; 5,000 by default. */
  interval?: number
  /** In milliseconds. */
  now?(): number
}

export interface OwnConnections {
  /** From now on the next request of each connection is left to Node's HTTP. */
  leaveAll(): void
  /** Ends the connections: the idle ones at once, the others after their answer. */
  end(): void
}

interface Connection {
  socket: Socket
  read: ReadWholeRequest
  /** What is not read yet: the begin of a request, or what came before the answer to the last one. */
  pending: Buffer | undefined
  /** Whether a request waits for its answer, or the answer for its reader. */
  isBusy: boolean
  /** When it was opened, its last answer sent or half a request begun, by `now`. */
  since: number
  /** Whether its last request was answered, and no other has begun. */
  isIdle: boolean
  /** Whether the client has sent all that it will send. */
  hasEnded: boolean
  /** Of this module, so that they can be taken away. */
  listeners: Record<'data' | 'end' | 'error' | 'close', (bytes: Buffer) => void>
}

/** Milliseconds for a request to come in, or the first one to begin. */
const patience = 5000
/** Milliseconds after the time that clients are told: a request may be on its way (as in Node). */
const keepAliveBuffer = 1000

/**
 * Reads the connections of a server before Node's HTTP does, as long as they send plain requests that
 * `take` takes. With the first other byte, a connection and what it has sent is left to Node's HTTP for
 * good. One that has not sent a whole request within some seconds is left as well, so that Node's limits
 * of time hold.
 */
export function ownConnections(server: Server, options: OwnOptions): OwnConnections {
  const [listener] = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  if (!listener) throw new Error('The server has no listener for connections.')
  const { take, largestBody, interval = 5000, now = () => performance.now() } = options
  const connections = new Set<Connection>()
  let isLeaving = false
  let isEnding = false

  function open(socket: Socket): void {
    if (isLeaving || isEnding) {
      listener?.call(server, socket)
      return
    }
    const connection: Connection = {
      ...{ socket, read: createRequestReader(largestBody), pending: undefined },
      ...{ isBusy: false, since: now(), isIdle: false, hasEnded: false },
      listeners: {
        data: (bytes) => receive(connection, bytes),
        end: () => {
          connection.hasEnded = true
          if (!connection.isBusy) socket.end()
        },
        error: () => socket.destroy(),
        close: () => connections.delete(connection),
      },
    }
    connections.add(connection)
    for (const [event, listen] of Object.entries(connection.listeners)) socket.on(event, listen)
  }

  function receive(connection: Connection, bytes: Buffer): void {
    const { pending, socket, isBusy } = connection
    const all = pending ? Buffer.concat([pending, bytes]) : bytes
    if (isBusy) {
      connection.pending = all
      socket.pause()
    } else handle(connection, all)
  }

  function handle(connection: Connection, bytes: Buffer): void {
    const request = isLeaving ? undefined : connection.read(bytes)
    connection.pending = request === 'incomplete' ? bytes : request?.rest
    if (request === 'incomplete') {
      if (connection.isIdle) connection.since = now()
      connection.isIdle = false
      return
    }
    connection.isBusy = true
    // For limit-connections.ts.
    server.emit('busy', connection.socket)
    const isTaken = request && take(request, connection.socket, (text) => answer(connection, text))
    if (isTaken) return
    server.emit('idle', connection.socket)
    leave(connection, bytes)
  }

  function answer(connection: Connection, text?: string): void {
    const { socket } = connection
    if (socket.destroyed) return
    if (text !== undefined) socket.write(text, 'latin1')
    if (isEnding || connection.hasEnded || !socket.writable) socket.destroySoon()
    // A client that does not read its answers is not read either.
    else if (socket.writableNeedDrain) socket.pause().once('drain', () => goOn(connection))
    else goOn(connection)
  }

  function goOn(connection: Connection): void {
    const { socket, pending } = connection
    Object.assign(connection, { isBusy: false, isIdle: true, since: now() })
    server.emit('idle', socket)
    if (pending) handle(connection, pending)
    const isWaiting = connections.has(connection) && !connection.isBusy
    if (isWaiting && socket.isPaused()) socket.resume()
  }

  function leave(connection: Connection, bytes: Buffer): void {
    const { socket, listeners } = connection
    connections.delete(connection)
    for (const [event, listen] of Object.entries(listeners)) socket.removeListener(event, listen)
    if (bytes.length > 0) socket.unshift(bytes)
    listener?.call(server, socket)
    socket.resume()
  }

  function sweep(): void {
    for (const connection of connections) {
      const { socket, isBusy, isIdle, hasEnded, pending } = connection
      if (isBusy || hasEnded) continue
      const age = now() - connection.since
      if (isIdle && age > server.keepAliveTimeout + keepAliveBuffer) socket.destroy()
      if (!isIdle && age > patience) leave(connection, pending ?? Buffer.alloc(0))
    }
  }

  server.removeListener('connection', listener)
  server.on('connection', open)
  const closeAll = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    for (const { socket } of connections) socket.destroy()
    closeAll()
  }
  const timer = setInterval(sweep, interval)
  timer.unref()
  server.once('close', () => clearInterval(timer))
  return {
    leaveAll() {
      isLeaving = true
    },
    end() {
      isEnding = true
      for (const { isBusy, socket } of connections) if (!isBusy) socket.destroy()
    },
  }
}
