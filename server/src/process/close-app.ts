import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Milliseconds between two looks at the connections. */
const sweepInterval = 50

/**
 * Takes leave of clients: each answer tells its client to close the connection, until all are closed
 * or `patience` milliseconds are over. A server that closes a connection itself may do so while the
 * next request is on its way, which is then lost. Requests are answered as usual meanwhile.
 */
export async function drainApp({ server }: FastifyInstance, patience: number): Promise<void> {
  const dismiss = (_request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close')
  }
  server.prependListener('request', dismiss)
  const { promise: drained, resolve } = Promise.withResolvers<void>()
  const deadline = setTimeout(resolve, patience)
  const sweep = setInterval(
    () => server.getConnections((_error, count) => count === 0 && resolve()),
    sweepInterval,
  )
  await drained
  clearTimeout(deadline)
  clearInterval(sweep)
}

/**
 * Closes the server when the requests under way are answered, or after `patience` milliseconds.
 * Node closes only the connections that are idle at that moment. Without the sweep, a connection
 * that becomes idle later would stay open for its whole keep-alive time.
 */
export async function closeApp(app: FastifyInstance, patience: number): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepInterval)
  const deadline = setTimeout(() => app.server.closeAllConnections(), patience)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(deadline)
  }
}
