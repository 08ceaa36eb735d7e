import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { distribute } from './distribution/distribute.ts'
import { type Statement, splitStatements } from './distribution/split-statements.ts'
import { listSpreadTables } from './distribution/spread-tables.ts'
import { toDatabaseError } from './errors.ts'
import { findWritable } from './hosts.ts'
import { SetupError } from './setup-error.ts'

/** The migrations of this program. */
export const migrationsDirectory = join(import.meta.dirname, 'migrations')

/** The oldest PostgreSQL that is tested (major version). */
export const oldestServer = 15

/** Key of the advisory lock: "lora" in ASCII. Any number that nobody else uses would do. */
const lockKey = 0x6c6f7261
/** Milliseconds until a process looks again whether it is its turn. */
const turnMilliseconds = 200

/** The first line of a file whose statements run one by one, such as `create index concurrently`. */
const oneByOne = /^-- One by one\b/

/** An index that is made beside uplinks takes one process of PostgreSQL, and leaves them the other cores. */
export const oneProcess = 'set max_parallel_maintenance_workers = 0'

/** A file of the folder, and what `schema_migrations` remembers of it. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/**
 * Brings the database at `url` up to the last migration in `directory`, and returns the names of the
 * files that it ran. Files are called `0001-schema.sql`, numbered without gaps. Each runs in one
 * transaction together with its row in `schema_migrations`, so a failure or a crash leaves nothing
 * half-done. The statements of a file that begins with `-- One by one` run outside a transaction, and
 * from the first one again after a failure. Servers that start at the same time take turns. New tables
 * of a database that Citus has distributed are distributed with it.
 *
 * Refuses, and changes nothing, when the server is too old, or when the database has run other files
 * than those of this program.
 *
 * Why not postgrator 8: it takes no lock, opens no transaction, records a file in a separate
 * statement, accepts (or undoes) a newer database, and skips a late file with a low number.
 * @param count Only the first so many files.
 * @param signal Ends it between two files, with an AbortError.
 */
export async function migrate(
  url: string,
  directory: string,
  { count, signal }: { count?: number; signal?: AbortSignal | undefined } = {},
): Promise<string[]> {
  const migrations = readMigrations(directory).slice(0, count)
  return withClient(url, async (client) => {
    const done: string[] = []
    for (;;) {
      signal?.throwIfAborted()
      await beginTurn(client, signal)
      const name = await applyNext(client, migrations, url)
      if (name === undefined) return done
      done.push(name)
    }
  })
}

/**
 * Checks that the database is at the last migration in `directory`. Changes nothing.
 * @throws SetupError when it is not.
 */
export async function checkMigrated(url: string, directory: string): Promise<void> {
  const [next] = await listPending(url, directory)
  if (next === undefined) return
  throw new SetupError(
    `The database is older than this program: it lacks migration ${next}. A start of the` +
      ' service brings it up to date.',
  )
}

/**
 * The files that `migrate` would run. Changes nothing.
 * @throws SetupError when the database belongs to another version.
 */
export async function listPending(url: string, directory: string): Promise<string[]> {
  const migrations = readMigrations(directory)
  return withClient(url, async (client) => {
    const { rows } = await client.query(`select to_regclass('schema_migrations') as made`)
    const pending = rows[0]?.made ? await findPending(client, migrations) : migrations
    return pending.map(({ name }) => name)
  })
}

/** The migrations of a folder in order; throws when names are not numbered 1, 2, 3, ... */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name, index) => {
    const number = index + 1
    const prefix = String(number).padStart(4, '0')
    if (!name.startsWith(`${prefix}-`)) {
      throw new Error(`Migration ${name}: the next file must be called ${prefix}-what-it-does.sql.`)
    }
    // A checkout on Windows may have CRLF.
    const text = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n')
    return { number, name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: await findWritable(url),
    application_name: 'lora-fleet-console migrations',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    // Without a statement timeout, because building an index may take long.
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
       set client_min_messages = warning; set timezone = 'UTC'`,
    )
    return await work(client)
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await client.end()
  }
}

/**
 * Runs the first file that the database has not seen, and ends the turn; returns its name. The applied
 * migrations are read again in each turn.
 */
async function applyNext(
  client: pg.Client,
  migrations: readonly Migration[],
  url: string,
): Promise<string | undefined> {
  try {
    // Other statements wait behind one that waits for the lock of a table, so that wait is short.
    await client.query(
      `set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = 0`,
    )
    await prepare(client)
    const [next] = await findPending(client, migrations)
    if (next && oneByOne.test(next.text)) {
      await withClient(url, async (worker) => {
        await worker.query(oneProcess)
        await runStatements(next, worker)
      })
    } else if (next) await applyEverywhere(client, next)
    if (next) await noteApplied(client, next)
    await client.query('commit')
    return next?.name
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Begins a transaction that has the lock. The lock belongs to the transaction and not to the session, so
 * that it holds behind a pooler that hands out connections per transaction. Nobody waits for it within a
 * statement: `create index concurrently` would wait for that one's end.
 */
async function beginTurn(client: pg.Client, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    await client.query('begin isolation level read committed')
    const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as is_mine', [
      lockKey,
    ])
    if (rows[0]?.is_mine) return
    await client.query('rollback')
    await sleep(turnMilliseconds, undefined, { signal })
  }
}

/** Where Citus has distributed the database, it also distributes the tables that the migration makes. */
async function applyEverywhere(client: pg.Client, migration: Migration): Promise<void> {
  const isSpread = (await listSpreadTables(client)).length > 0
  // Foreign keys to tables of which each machine has a copy need it.
  if (isSpread) await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`)
  await apply(client, migration, isSpread)
  if (!isSpread) return
  await distribute({
    async query<Row>(text: string, values: readonly unknown[] = []) {
      return (await client.query(text, [...values])).rows as Row[]
    },
  })
}

async function prepare(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string; made: string | null }>(
    `select current_setting('server_version_num')::integer as number,
       current_setting('server_version') as version, to_regclass('schema_migrations') as made`,
  )
  const [server] = rows
  if (!server || server.number < oldestServer * 10_000) {
    throw new SetupError(
      `PostgreSQL ${oldestServer} or newer is needed; this is ${server?.version}.`,
    )
  }
  if (server.made) return
  await client.query(
    `create table schema_migrations (
       number integer primary key,
       name text not null,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  )
}

/** @throws SetupError when the database has run other migrations than those of this program. */
async function findPending(
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const { rows } = await client.query<Migration>(
    'select number, name, checksum from schema_migrations order by number',
  )
  for (const [index, { number, name, checksum }] of rows.entries()) {
    const known = migrations[index]
    if (!known && index > 0) {
      throw new SetupError(
        `The database is newer than this program: it has migration ${name}, and the last one here` +
          ` is ${migrations.at(-1)?.name}. Start the newer version again.`,
      )
    }
    if (known?.name !== name || known.checksum !== checksum) {
      throw new SetupError(
        `The database was made by a version that this one can't upgrade: its migration ${number},` +
          ` ${name}, is another. Start with a new database: set DATA_DIR to a new directory, or` +
          ' DATABASE_URL to an empty database.',
      )
    }
  }
  return migrations.slice(rows.length)
}

async function apply(client: pg.Client, migration: Migration, isSpread: boolean): Promise<void> {
  if (isSpread) await runStatements(migration, client, runSpread)
  else await runPart(client, migration, { text: migration.text, start: 0 })
  if (client.getTransactionStatus() !== 'T') {
    throw new Error(`Migration ${migration.name} ends its transaction: take out BEGIN and COMMIT.`)
  }
}

async function runStatements(
  migration: Migration,
  client: pg.Client,
  run = runAsIs,
): Promise<void> {
  for (const part of splitStatements(migration.text)) await runPart(client, migration, part, run)
}

async function runPart(
  client: pg.Client,
  { name, text }: Migration,
  part: Statement,
  run = runAsIs,
): Promise<void> {
  try {
    await run(client, part.text)
  } catch (error) {
    throw describeFailure(name, text.slice(0, part.start), part.text, error)
  }
}

async function runAsIs(client: pg.Client, statement: string): Promise<void> {
  await client.query(statement)
}

async function noteApplied(
  client: pg.Client,
  { number, name, checksum }: Migration,
): Promise<void> {
  await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ])
}

/** A new table may refer to any other, until `distribute` knows where it belongs. */
async function runSpread(client: pg.Client, statement: string): Promise<void> {
  const isNewTable = /^(\s|--.*\n)*create table\b/i.test(statement)
  if (!isNewTable) return runAsIs(client, statement)
  await client.query('set local citus.enable_ddl_propagation to off')
  await client.query(statement)
  await client.query('set local citus.enable_ddl_propagation to on')
}

function describeFailure(name: string, before: string, text: string, error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || toDatabaseError(error) !== error) return error
  // 55P03: a lock was not to be had in time; 40P01: the transaction lost a deadlock.
  if (error.code === '55P03' || error.code === '40P01') {
    return new SetupError(
      `Migration ${name} did not get its locks: another session uses the tables that it changes, such` +
        ' as a backup or a session of psql. End it, and start again.',
      { cause: error },
    )
  }
  const line = (before + text.slice(0, Number(error.position ?? 0))).split('\n').length
  const where = error.position ? `, line ${line}` : ''
  return new Error(`Migration ${name}${where}: ${error.message}`, { cause: error })
}
