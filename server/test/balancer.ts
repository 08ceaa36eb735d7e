import { connect, createServer, type Socket } from 'node:net'

/** For tests: passes connections on to several servers in turn, past those that are down. */
export async function startBalancer(
  t: { after(end: () => Promise<void>): unknown },
  port: number,
  ports: readonly number[],
): Promise<void> {
  const open = new Set<Socket>()
  let turn = 0
  const join = (client: Socket, triesLeft: number) => {
    if (triesLeft === 0) return void client.destroy()
    const server = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1')
    let isJoined = false
    server.on('connect', () => {
      isJoined = true
      client.pipe(server).pipe(client)
    })
    server.on('error', () => isJoined || join(client, triesLeft - 1))
    server.on('close', () => isJoined && client.destroy())
    client.on('close', () => server.destroy())
  }
  const listener = createServer((client) => {
    open.add(client)
    client.on('error', () => undefined)
    client.on('close', () => open.delete(client))
    join(client, ports.length)
  })
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve))
  t.after(async () => {
    for (const client of open) client.destroy()
    listener.close()
  })
}
