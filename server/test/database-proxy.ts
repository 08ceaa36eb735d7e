import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** A way to a database that can fall silent. */
export interface DatabaseProxy {
  /** The address of the database on this way. */
  url: string
  /** Forwards nothing more, in both directions, and takes no new connections to the database. */
  silence(): void
  /** Forwards new connections. Those from before stay silent for ever, as after a failover. */
  heal(): void
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
  const forward = (from: Socket, to: Socket, changeOf: (bytes: Buffer) => Buffer) => {
    open.add(from)
    from.on('error', () => undefined)
    from.on('data', (bytes: Buffer) => silent.has(from) || to.write(changeOf(bytes)))
    from.on('close', () => silent.has(from) || to.destroy())
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
  }
}

/** The embedded server listens on a socket of Unix if the system has these. */
/** Where the server of an address listens. */
export function targetOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const host = searchParams.get('host') ?? hostname
  const at = Number(searchParams.get('port') ?? port)
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${at}` } : { host, port: at }
}
