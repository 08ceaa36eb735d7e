import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** A way to a database, or to another server, that can fall silent. */
export interface DatabaseProxy {
  /** The address of the server on this way. */
  url: string
  /** Forwards nothing more, in both directions, and takes no new connections to the database. */
  silence(): void
  /** Forwards new connections. Those from before stay silent for ever, as after a failover. */
  heal(): void
  /** From now on each packet takes so much longer, in each direction. */
  delay(milliseconds: number): void
}

/**
 * For tests: a network between the service and its database. When it is silent it drops all packets,
 * without a reset. `change` may change what the service sends.
 */
export async function startDatabaseProxy(
  t: { after(end: () => Promise<void>): unknown },
  url: string,
  change: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<DatabaseProxy> {
  const target = targetOf(new URL(url))
  const open = new Set<Socket>()
  const silent = new WeakSet<Socket>()
  let isSilent = false
  let delay = 0
  /** Keeps the order, also when the delay becomes shorter. */
  const pass = (write: () => void, due: { at: number }) => {
    const now = performance.now()
    due.at = Math.max(due.at, now + delay)
    if (due.at <= now) write()
    else setTimeout(write, Math.ceil(due.at - now))
  }
  const forward = (from: Socket, to: Socket, changeOf: (bytes: Buffer) => Buffer) => {
    open.add(from)
    from.on('error', () => undefined)
    const due = { at: 0 }
    from.on('data', (bytes: Buffer) =>
      pass(() => silent.has(from) || to.write(changeOf(bytes)), due),
    )
    from.on('close', () => pass(() => silent.has(from) || to.destroy(), due))
  }
  const listener = createServer((client) => {
    open.add(client)
    if (isSilent) return void client.on('error', () => undefined)
    const server = connect(target)
    forward(client, server, change)
    forward(server, client, (bytes) => bytes)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(async () => {
    for (const socket of open) socket.destroy()
    listener.close()
  })
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port.')
  const through = new URL(url)
  through.search = ''
  through.hostname = '127.0.0.1'
  through.port = String(address.port)
  return {
    url: through.href,
    silence() {
      isSilent = true
      for (const socket of open) silent.add(socket)
    },
    heal() {
      isSilent = false
    },
    delay(milliseconds) {
      delay = milliseconds
    },
  }
}

/** Where the server of an address listens: the embedded one on a socket of Unix, where there are these. */
export function targetOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const host = searchParams.get('host') ?? hostname
  const at = Number(searchParams.get('port') ?? port)
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${at}` } : { host, port: at }
}
