import pg from 'pg'
import { type Connections, type ConnectOptions, openConnections } from './connections.ts'
import { belongTo } from './distribution/form-for.ts'
import { isStalePlan, toDatabaseError } from './errors.ts'
import { isConnectionSpent, runPrepared, runTransaction, type Transaction } from './transaction.ts'

/** What runs a statement: the pool, or one transaction. */
export interface Queryable {
  /**
   * Runs one statement and gives its rows. Values are only ever passed as `$1`, `$2`, ...
   *
   * The statement is prepared once per connection under a name, so the text has to be a constant:
   * put what varies into values (lists as one array: `= any($1)`, `unnest($1::text[])`).
   *
   * Types: `bigint` comes as a number; `timestamptz`, `timestamp` and `date` as PostgreSQL's text
   * in UTC (`2026-01-02 03:04:05.678901+00`), because a Date would drop the microseconds;
   * `numeric` as text; `json` parsed; `bytea` as a Buffer. `undefined` is sent as null.
   *
   * @throws DatabaseUnavailable when the server can't be reached or the connection is lost.
   * @throws the error of `pg`, with its SQLSTATE in `code`, for everything else.
   */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface Database extends Queryable {
  /**
   * Runs `work` between BEGIN and COMMIT on one connection. When `work` throws, rolls back and throws
   * the same error. `tx` can't be used after `work` has settled. Statements that `work` awaits
   * together (`Promise.all`) run in their order and take one round trip.
   *
   * When the connection is lost during COMMIT, it is unknown whether the server committed. The
   * transaction then rejects with DatabaseUnavailable, as for every other loss: a resolved
   * transaction is on disk, a rejected one has most likely not happened. Nothing is repeated here;
   * callers that repeat need a unique key that absorbs the repetition.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Listens to a channel, on a connection that the listener holds until it ends. */
  listen(channel: string, hear: (payload: string) => void): Promise<Listening>
  /** Connections in use, and callers that wait for one. */
  usage(): { used: number; waiting: number }
  /** Waits for running statements, then closes all connections. Later calls reject. */
  close(): Promise<void>
}

/**
 * A pool of connections to `url`, which may name several servers (hosts.ts). They open at first use, so
 * a wrong address fails there.
 */
export function connect(url: string, options: ConnectOptions = {}): Database {
  const connections = openConnections(url, options)
  const noteFailure = (error: unknown): never => {
    options.onFailure?.(error)
    connections.learn(error)
    throw error
  }
  const database: Database = {
    query: <Row>(text: string, values?: readonly unknown[]) =>
      queryOnce<Row>(connections, text, values).catch(noteFailure),
    async transaction(work) {
      const client = await connections.take()
      return runTransaction(client, (tx) => {
        belongTo(tx, database)
        return work(tx)
      }).catch(noteFailure)
    },
    listen: async (channel, hear) => listen(await connections.take(), channel, hear),
    usage: connections.usage,
    close: connections.close,
  }
  return database
}

async function queryOnce<Row>(
  connections: Connections,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const client = await connections.take()
  try {
    const rows = await runPrepared<Row>(client, text, values)
    client.release()
    return rows
  } catch (error) {
    // pool.query() would drop the connection, and its prepared statements, after every error, even a
    // unique violation.
    client.release(isConnectionSpent(error))
    // The statement has not run, so it runs again on a new connection. In a transaction it can't.
    if (!isStalePlan(error)) throw error
  }
  return queryOnce(connections, text, values)
}

/** A connection that receives notifications. */
export interface Listening {
  /** Resolves when the connection has ended, by `end` or by a fault. */
  over: Promise<void>
  end(): void
}

/** Listens to a channel. At its end the connection is closed, not returned to the pool. */
export async function listen(
  client: pg.PoolClient,
  channel: string,
  hear: (payload: string) => void,
): Promise<Listening> {
  let isHeld = true
  const end = () => {
    if (isHeld) client.release(true)
    isHeld = false
  }
  const over = new Promise<void>((resolve) => client.once('end', resolve))
  // A lost connection gives its place in the pool back.
  void over.then(end)
  try {
    client.on('notification', ({ payload }) => hear(payload ?? ''))
    // It asks nothing while it listens.
    await client.query(`listen ${pg.escapeIdentifier(channel)}; set idle_session_timeout = 0`)
    return { over, end }
  } catch (error) {
    end()
    throw toDatabaseError(error)
  }
}
