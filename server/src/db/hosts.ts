import pg from 'pg'
import { splitHosts } from './addresses.ts'
import { DatabaseUnavailable, toDatabaseError } from './errors.ts'

/** Which server of a database new connections go to: the one that took writes last. */
export interface Hosts {
  readonly count: number
  /** Counts the changes from one server to the next. */
  changes(): number
  /** For a pool: its clients open connections to the present server. */
  readonly Client: typeof pg.Client
  /** Throws where the server of this connection takes no writes, and goes on to the next server. */
  requireWrites(client: pg.ClientBase): Promise<void>
  /** Goes on to the next server, unless others have done so since this connection was made. */
  leave(client: object): void
}

export function createHosts(url: string): Hosts {
  const urls = splitHosts(url)
  let changes = 0
  const madeAt = new WeakMap<object, number>()
  const leave = (client: object) => {
    if (urls.length > 1 && madeAt.get(client) === changes) changes += 1
  }
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: urls[changes % urls.length] })
      madeAt.set(this, changes)
      this.once('error', () => leave(this))
    }
    override connect(): Promise<pg.Client>
    override connect(done: (...result: never[]) => void): void
    override connect(done?: (...result: never[]) => void): Promise<pg.Client> | undefined {
      if (!done) return super.connect()
      super.connect((...result: unknown[]) => {
        if (result[0]) leave(this)
        done(...(result as never[]))
      })
      return undefined
    }
  }
  return {
    count: urls.length,
    changes: () => changes,
    Client,
    async requireWrites(client) {
      if (urls.length === 1 || (await takesWrites(client))) return
      leave(client)
      throw new DatabaseUnavailable('this server takes no writes')
    },
    leave,
  }
}

/** As libpq asks for `target_session_attrs=read-write`: a standby says no. */
async function takesWrites(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query('show transaction_read_only')
  return rows[0]?.transaction_read_only === 'off'
}

/**
 * The address of the server that takes writes, for one connection.
 * @throws DatabaseUnavailable when there is none.
 */
export async function findWritable(url: string): Promise<string> {
  const urls = splitHosts(url)
  if (urls.length === 1) return url
  let last: unknown = new DatabaseUnavailable('none of its servers takes writes')
  for (const one of urls) {
    const client = new pg.Client({
      connectionString: one,
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      if (await takesWrites(client)) return one
    } catch (error) {
      last = toDatabaseError(error)
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw last
}
