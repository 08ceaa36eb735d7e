import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A CONNACK of MQTT 5, with properties. */
export const connack = (...properties: number[]) =>
  Buffer.from([0x20, 3 + properties.length, 0, 0, properties.length, ...properties])

/** A server that says `answers`, one to each piece of bytes that it gets. An empty one hangs up. */
export async function startHostile(
  context: { after(end: () => void): void },
  answers: readonly Buffer[],
) {
  const sockets = new Set<Socket>()
  const seen = { connections: 0, bytes: 0 }
  const server = createServer((socket) => {
    seen.connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    let next = 0
    socket.on('data', (chunk) => {
      seen.bytes += chunk.length
      const answer = answers[next]
      next += 1
      if (answer && answer.length === 0) socket.destroy()
      else if (answer) socket.write(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `mqtt://127.0.0.1:${port}`, seen }
}
