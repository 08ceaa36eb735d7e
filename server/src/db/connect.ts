import type { Duplex } from 'node:stream'
import pg from 'pg'
import { belongTo } from './distribution/form-for.ts'
import { DatabaseUnavailable, isSilence, isStalePlan, toDatabaseError } from './errors.ts'
import { typeParsers } from './statements.ts'
import { isConnectionSpent, runPrepared, runTransaction, type Transaction } from './transaction.ts'

interface Silence {
  /** When a connection was last found to be silent. */
  last: number
  /** When the present connections were opened. */
  openedAt: WeakMap<pg.PoolClient, number>
}

const silences = new WeakMap<pg.Pool, Silence>()

/**
 * When one connection has fallen silent, those that were opened before it was noticed are not used
 * again: after a failover all of them are silent, and each would cost its user the whole time. Returns
 * a function that notes the silence in an error, and throws the error.
 */
function watchSilence(pool: pg.Pool): (error: unknown) => never {
  const silence: Silence = { last: Number.NEGATIVE_INFINITY, openedAt: new WeakMap() }
  silences.set(pool, silence)
  pool.on('connect', (client) => silence.openedAt.set(client, performance.now()))
  return (error) => {
    if (isSilence(error)) silence.last = performance.now()
    throw error
  }
}

/** Whether the connection was opened before another one was found to be silent. */
function isOutdated(pool: pg.Pool, client: pg.PoolClient): boolean {
  const silence = silences.get(pool)
  return silence !== undefined && (silence.openedAt.get(client) ?? 0) <= silence.last
}

/** Closes the connection without a word to the server, which may not hear it. */
function abandon(client: pg.PoolClient): void {
  // Not in the types of pg.
  const { connection } = client as { connection?: { stream?: Pick<Duplex, 'destroy'> } }
  connection?.stream?.destroy()
  client.release(true)
}

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

interface ConnectOptions {
  /** Most connections at one time. Default 10. */
  readonly max?: number
  /** The name in pg_stat_activity, unless the address gives one. */
  readonly applicationName?: string
  /** Milliseconds until the server cancels a statement (SQLSTATE 57014). Default 30 s. */
  readonly statementTimeout?: number
  /** Milliseconds past that until a connection counts as dead that stays silent. Default 5 s. */
  readonly silenceAllowed?: number
  /** Milliseconds to wait for a free or new connection. Default 5 s. */
  readonly connectTimeout?: number
  /** Milliseconds until a connection plans its statements again. Default 15 s. */
  readonly planLifetime?: number
  /** Called for idle connections that are lost; the next user gets a new one. */
  readonly onError?: (error: Error) => void
  /** Called for each statement or transaction that fails. */
  readonly onFailure?: (error: unknown) => void
}

/** Most callers that wait for a connection; further ones are refused at once. */
const maximumWaiting = 5000

/** A pool of connections to `url`. They open at first use, so a wrong address fails there. */
export function connect(url: string, options: ConnectOptions = {}): Database {
  const statementTimeout = options.statementTimeout ?? 30_000
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.applicationName ?? 'lora-fleet-console',
    connectionTimeoutMillis: options.connectTimeout ?? 5000,
    idleTimeoutMillis: 60_000,
    query_timeout: statementTimeout + (options.silenceAllowed ?? 5000),
    keepAlive: true,
    // Sends a statement without waiting for the answer to the previous one.
    pipeline: true,
    types: typeParsers,
    onConnect: (client) => prepareSession(client, statementTimeout),
  })
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The pool attaches the whole client, and a log would show its keys.
    delete error.client
    if (!pool.ending) options.onError?.(error)
  })
  // The pool listens only to idle connections. One that dies while it is taken, between two
  // statements, would end the process by an unhandled 'error' event.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('acquire', planRefresher(options.planLifetime ?? 15_000))
  const noteSilence = watchSilence(pool)
  const noteFailure = (error: unknown): never => {
    options.onFailure?.(error)
    return noteSilence(error)
  }
  const database: Database = {
    query: <Row>(text: string, values?: readonly unknown[]) =>
      queryOnce<Row>(pool, text, values).catch(noteFailure),
    async transaction(work) {
      const client = await takeConnection(pool)
      return runTransaction(client, (tx) => {
        belongTo(tx, database)
        return work(tx)
      }).catch(noteFailure)
    },
    listen: async (channel, hear) => listen(await takeConnection(pool), channel, hear),
    usage: () => ({ used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
  return database
}

/**
 * Uses SET, at one round trip per connection, and not startup parameters: pgbouncer refuses unknown
 * ones, and `options` in the address would replace ours. Compiling a statement (jit) takes longer than
 * the largest of ours runs.
 */
async function prepareSession(client: pg.ClientBase, statementTimeout: number): Promise<void> {
  await client.query(
    `set timezone = 'UTC'; set datestyle = 'ISO'; set jit = off;
     set statement_timeout = ${statementTimeout};
     set idle_in_transaction_session_timeout = ${statementTimeout * 2}`,
  )
}

/**
 * A prepared statement keeps its plan until its tables are analysed (plancache.c). A plan made while
 * a table had one page goes on reading the whole table after it has grown, until autovacuum runs.
 * Planning at each run instead costs about 1 ms per batch of uplinks (measured).
 */
function planRefresher(lifetime: number): (client: pg.PoolClient) => void {
  const plannedAt = new WeakMap<pg.PoolClient, number>()
  return (client) => {
    const now = performance.now()
    const since = plannedAt.get(client)
    if (since !== undefined && now - since < lifetime) return
    plannedAt.set(client, now)
    // Sent with the next statement, which runs also if this one fails: each has its own Sync.
    if (since !== undefined) client.query('discard plans').catch(() => {})
  }
}

async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= maximumWaiting) {
    throw new DatabaseUnavailable('too many callers wait for a connection')
  }
  try {
    for (;;) {
      const client = await pool.connect()
      if (!isOutdated(pool, client)) return client
      abandon(client)
    }
  } catch (error) {
    throw toDatabaseError(error)
  }
}

async function queryOnce<Row>(
  pool: pg.Pool,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const client = await takeConnection(pool)
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
  return queryOnce(pool, text, values)
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
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    return { over, end }
  } catch (error) {
    end()
    throw toDatabaseError(error)
  }
}
