import type { Duplex } from 'node:stream'
import pg from 'pg'
import { DatabaseUnavailable, isFull, isReadOnly, isSilence, toDatabaseError } from './errors.ts'
import { createHosts, type Hosts } from './hosts.ts'
import { outlast } from './outlast.ts'
import { typeParsers } from './statements.ts'

export interface ConnectOptions {
  /** Most connections at one time. Default 10. */
  readonly max?: number
  /** The name in pg_stat_activity, unless the address gives one. */
  readonly applicationName?: string
  /** Milliseconds until the server cancels a statement (SQLSTATE 57014). Default 30 s. */
  readonly statementTimeout?: number
  /** Milliseconds past that until a connection counts as dead that stays silent. Default 5 s. */
  readonly silenceAllowed?: number
  /** Milliseconds to wait for a free or new connection, for each server. Default 5 s. */
  readonly connectTimeout?: number
  /** Milliseconds until a connection plans its statements again. Default 15 s. */
  readonly planLifetime?: number
  /** Called for idle connections that are lost; the next user gets a new one. */
  readonly onError?: (error: Error) => void
  /** Called for each statement or transaction that fails. */
  readonly onFailure?: (error: unknown) => void
}

/** Open connections to the server of a database that takes writes. */
export interface Connections {
  /**
   * A connection for one user, who calls its `release`.
   * @throws DatabaseUnavailable when none comes free or opens in time.
   */
  take(): Promise<pg.PoolClient>
  /** Learns from the failure of a statement that other connections are of no use either. */
  learn(error: unknown): void
  usage(): { used: number; waiting: number }
  close(): Promise<void>
}

/** Of a connection to one of several servers, in seconds. */
const longestLife = 60

/** Seconds until an unused connection is closed. */
const longestIdle = 30

/** A connection that was idle for so many milliseconds may be dead: it is asked before it is used. */
const idleUnasked = 1000
/** Milliseconds in which it has to answer then. */
const answerTimeout = 3000
const question = { text: 'select', query_timeout: answerTimeout }
/** An answer that is missed for so much longer shows that this process stood still. */
const leastStill = 500

/** Fewest milliseconds for which a transaction may wait for its next statement. */
const leastPause = 8000

/** Milliseconds until another connection is opened after the server had none to spare. */
const fullFor = 1000

/** Most callers that wait for a connection; further ones are refused at once. */
const maximumWaiting = 5000

export function openConnections(url: string, options: ConnectOptions): Connections {
  const statementTimeout = options.statementTimeout ?? 30_000
  const connectTimeout = options.connectTimeout ?? 5000
  const hosts = createHosts(url)
  const pool = new pg.Pool({
    Client: hosts.Client,
    max: options.max ?? 10,
    application_name: options.applicationName ?? 'lora-fleet-console',
    connectionTimeoutMillis: connectTimeout,
    idleTimeoutMillis: longestIdle * 1000,
    // Whoever only reads would not notice that its server has become a standby.
    maxLifetimeSeconds: hosts.count > 1 ? longestLife : 0,
    query_timeout: statementTimeout + (options.silenceAllowed ?? 5000),
    keepAlive: true,
    // Sends a statement without waiting for the answer to the previous one.
    pipeline: true,
    types: typeParsers,
    onConnect: async (client) => {
      await hosts.requireWrites(client)
      await prepareSession(client, statementTimeout)
    },
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
  const silence = watchSilence(pool, hosts)
  const takeOnce = () => takeConnection(pool, hosts, silence.isUseless)
  const share = shareWhenFull(pool, takeOnce)
  let takers = 0
  return {
    async take() {
      if (takers >= maximumWaiting) {
        throw new DatabaseUnavailable('too many callers wait for a connection')
      }
      takers += 1
      try {
        return await outlast(
          performance.now() + connectTimeout,
          () => takeOnce().catch(share),
          isFull,
        )
      } finally {
        takers -= 1
      }
    },
    learn: silence.learn,
    usage: () => ({ used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

/**
 * Which connections are of no use any more. When a statement has found one silent, those that were
 * opened before are not used again: after a failover all of them are silent, and each would cost its user
 * the whole time of a statement. The same holds where the server has become a standby and there are others.
 * One that was idle is asked first: after a network was cut off for a moment, it may be silent for ever,
 * as may those that have not answered since.
 */
function watchSilence(pool: pg.Pool, hosts: Hosts) {
  let lastFault = Number.NEGATIVE_INFINITY
  let lastSilence = Number.NEGATIVE_INFINITY
  const openedAt = new WeakMap<pg.PoolClient, number>()
  const answeredAt = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', (client) => openedAt.set(client, performance.now()))
  pool.on('release', (error, client) => {
    if (!error) answeredAt.set(client, performance.now())
  })
  return {
    learn(error: unknown) {
      if (isSilence(error) || (hosts.count > 1 && isReadOnly(error))) {
        lastFault = performance.now()
      }
    },
    async isUseless(client: pg.PoolClient): Promise<boolean> {
      const opened = openedAt.get(client) ?? 0
      const answered = answeredAt.get(client) ?? opened
      if (opened <= lastFault || answered <= lastSilence) return true
      const asked = performance.now()
      if (asked - answered < idleUnasked) return false
      try {
        await client.query(question)
        return false
      } catch (error) {
        // A process that stood still itself has not read the answer, which says nothing about the others.
        const isTimely = performance.now() - asked < answerTimeout + leastStill
        if (isTimely && isSilence(toDatabaseError(error))) {
          lastSilence = Math.max(lastSilence, asked)
        }
        return true
      }
    },
  }
}

/**
 * Where the server has no connection to spare, callers share those that the pool has: after a network
 * was cut off, the server keeps the former connections until it notices.
 */
function shareWhenFull(
  pool: pg.Pool,
  take: () => Promise<pg.PoolClient>,
): (error: unknown) => never {
  const { max } = pool.options
  let open = 0
  pool.on('connect', () => {
    open += 1
  })
  pool.on('remove', () => {
    open -= 1
  })
  const openAgain = () => {
    pool.options.max = max
    // The pool looks after those who wait only when a connection is given back.
    take().then(
      (client) => client.release(),
      () => {},
    )
  }
  let timer: NodeJS.Timeout | undefined
  return (error) => {
    if (isFull(error)) {
      pool.options.max = Math.max(1, open)
      clearTimeout(timer)
      timer = setTimeout(openAgain, fullFor).unref()
    }
    throw error
  }
}

/** Closes the connection without a word to the server, which may not hear it. */
function abandon(client: pg.PoolClient): void {
  // Not in the types of pg.
  const { connection } = client as { connection?: { stream?: Pick<Duplex, 'destroy'> } }
  connection?.stream?.destroy()
  client.release(true)
}

/**
 * Uses SET, at one round trip per connection, and not startup parameters: pgbouncer refuses unknown
 * ones, and `options` in the address would replace ours. Compiling a statement (jit) takes longer than
 * the largest of ours runs.
 *
 * The server ends sessions whose client is gone without a word: otherwise they keep their locks and
 * their place for two hours, the usual time of TCP.
 */
async function prepareSession(client: pg.ClientBase, statementTimeout: number): Promise<void> {
  await client.query(
    `set timezone = 'UTC'; set datestyle = 'ISO'; set jit = off;
     set statement_timeout = ${statementTimeout};
     set idle_in_transaction_session_timeout = ${Math.max(statementTimeout / 3, leastPause)};
     set idle_session_timeout = '${longestIdle * 2}s';
     set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3`,
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

async function takeConnection(
  pool: pg.Pool,
  hosts: Hosts,
  isUseless: (client: pg.PoolClient) => Promise<boolean>,
): Promise<pg.PoolClient> {
  let full: unknown
  for (let left = hosts.count; ; left -= 1) {
    const changes = hosts.changes()
    try {
      for (;;) {
        const client = await pool.connect()
        if (!(await isUseless(client))) return client
        hosts.leave(client)
        abandon(client)
      }
    } catch (error) {
      if (isFull(error)) full ??= error
      // The next server may take it, unless no server was to blame, or each has been tried.
      if (left <= 1 || hosts.changes() === changes) throw toDatabaseError(full ?? error)
    }
  }
}
