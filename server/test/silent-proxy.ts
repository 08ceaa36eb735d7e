import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** A way to a database that can fall silent. */
export interface SilentProxy {
  /** The address of the database on this way. */
  url: string
  /** Forwards nothing more, in both directions, and takes no new connections to the database. */
  silence(): void
  /** Forwards new connections. Those from before stay silent for ever, as after a failover. */
  heal(): void
}

/** For tests: as a network that drops packets between the service and its database, without a reset. */
export async function startSilentProxy(
  t: { after(end: () => Promise<void>): unknown },
  url: string,
): Promise<SilentProxy> {
  const target = targetOf(new URL(url))
  const open = new Set<Socket>()
  let isSilent = false
  const listener = createServer((client) => {
    open.add(client)
    client.on('error', () => undefined)
    if (isSilent) return
    const server = connect(target)
    open.add(server)
    server.on('error', () => undefined)
    client.pipe(server).pipe(client)
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
      for (const socket of open) socket.unpipe().pause()
    },
    heal() {
      isSilent = false
    },
  }
}

/** The embedded server listens on a socket of Unix, where the system has these. */
function targetOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const host = searchParams.get('host') ?? hostname
  const at = Number(searchParams.get('port') ?? port)
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${at}` } : { host, port: at }
}
