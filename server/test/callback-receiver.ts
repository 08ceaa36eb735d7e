import { createServer } from 'node:http'
import type { TestContext } from 'node:test'
import type { ChirpStackSimulator } from '../simulators/chirpstack/simulator.ts'
import { readMessage } from '../src/networks/chirpstack/messages.ts'
import type { NetworkMessage } from '../src/networks/network-message.ts'

interface ReceivedEvent {
  event: string
  secret: string | undefined
  body: Record<string, unknown>
  message: NetworkMessage
}

/** For a test: an HTTP server that stores the simulator's events. */
export async function receiveEvents(
  context: TestContext,
  simulator: ChirpStackSimulator,
  answer: () => number = () => 200,
): Promise<ReceivedEvent[]> {
  const received: ReceivedEvent[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const query = Object.fromEntries(new URL(request.url ?? '', 'http://x').searchParams)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const secret = request.headers['x-secret']
    received.push({
      event: query.event ?? '',
      secret: Array.isArray(secret) ? secret[0] : secret,
      body,
      message: readMessage({ query, body, receivedAt: '2026-03-01T12:00:00.000000Z' }),
    })
    response.writeHead(answer()).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  context.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const url = `http://127.0.0.1:${port}/callbacks/chirpstack/1?account=7`
  simulator.setCallback({ url, header: 'X-Secret', value: 'hush' })
  return received
}
