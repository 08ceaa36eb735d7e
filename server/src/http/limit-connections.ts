import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface LimitOptions {
  most: number
  /** Called for connections that are closed; at most once a minute. */
  tell(closed: number): void
}

/** Milliseconds. */
const tellInterval = 60_000

/**
 * Keeps the open connections of a server within `most`. One more closes the connection that has been
 * without a request for longest: clients open another when they need one. Where all have requests, the
 * new one is closed. Without a bound, idle connections would use up the files that a process may open,
 * and with them its way to the database.
 */
export function limitConnections(server: Server, { most, tell }: LimitOptions): void {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>()
  const requests = new WeakMap<Socket, number>()
  let open = 0
  let closed = 0
  let toldAt = Number.NEGATIVE_INFINITY

  const count = (socket: Socket, change: 1 | -1) => {
    const under = (requests.get(socket) ?? 0) + change
    requests.set(socket, under)
    if (under > 0) idle.delete(socket)
    else if (!socket.destroyed) idle.add(socket)
  }
  server.on('connection', (socket: Socket) => {
    open += 1
    idle.add(socket)
    socket.once('close', () => {
      open -= 1
      idle.delete(socket)
    })
    if (open > most) closeOldest()
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })

  function closeOldest(): void {
    const [oldest] = idle
    if (!oldest) return
    idle.delete(oldest)
    oldest.destroy()
    closed += 1
    if (performance.now() - toldAt < tellInterval) return
    toldAt = performance.now()
    tell(closed)
    closed = 0
  }
}

/** Connections of clients: half of the files that this process may open. */
export function findConnectionRoom(): number {
  // Not in the types of Node. The report would look up names.
  Object.assign(process.report, { excludeNetwork: true })
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } }
  }
  const files = report.userLimits?.open_files?.soft
  return typeof files === 'number' ? Math.floor(files / 2) : Infinity
}
