import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { toDatabaseError } from './errors.ts'
import {
  type AppliedMigration,
  checkApplied,
  type Migration,
  readMigrations,
  splitInPlace,
} from './migration-files.ts'
import { runOutside } from './migration-outside.ts'
import {
  isOfStatement,
  limitWaits,
  type Patience,
  repeatWhileLocked,
  usualPatience,
} from './migration-waits.ts'
import { SetupError } from './setup-error.ts'

/** The oldest PostgreSQL that is tested (major version). */
const oldestServer = 15

/** Key of the advisory lock: "lora" in ASCII. Any number that nobody else uses would do. */
const lockKey = 0x6c6f7261

/** Milliseconds until the lock of another server that migrates is tried again. */
const turnPause = 200

interface MigrateOptions {
  /** Only the first so many files. */
  count?: number
  patience?: Patience
}

/**
 * Brings the database at `url` up to the last migration in `directory`, and returns the names of the
 * files that it ran. Files are called `0001-schema.sql`, numbered without gaps, and never change once
 * applied. Each runs in one transaction together with its row in `schema_migrations`, so a failure or
 * a crash leaves nothing half-done; a file that is marked to run outside a transaction goes on where
 * it was (migration-outside.ts). Servers that start at the same time take turns.
 *
 * The previous release runs meanwhile. Its statements queue behind a migration that waits for a lock,
 * so each wait is short, and the file is tried again after a pause.
 *
 * Refuses, and changes nothing, when the server is too old, when an applied file was edited or is
 * missing (the database belongs to another version of this program), or when a file was added before
 * an applied one.
 *
 * Why not postgrator 8: it takes no lock, opens no transaction, records a file in a separate
 * statement, accepts (or undoes) a newer database, and skips a late file with a low number.
 */
export async function migrate(
  url: string,
  directory: string,
  { count, patience = usualPatience }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = readMigrations(directory).slice(0, count)
  return withClient(url, async (client) => {
    await prepareSession(client)
    const done: string[] = []
    for (;;) {
      const name = await applyNext(client, migrations, { url, patience })
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
  const applied = await withClient(url, async (client) => {
    return (await hasTable(client)) ? readRows(client) : []
  })
  checkApplied(applied, migrations)
  return migrations.slice(applied.length).map(({ name }) => name)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'lora-fleet-console migrations',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await client.end()
  }
}

/** Without a statement timeout, because building an index may take long. */
async function prepareSession(client: pg.Client): Promise<void> {
  await client.query(
    `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
     set client_min_messages = warning; set timezone = 'UTC'`,
  )
  const { rows } = await client.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number,
       current_setting('server_version') as version`,
  )
  const server = rows[0]
  if (server && Number(server.number) >= oldestServer * 10_000) return
  throw new SetupError(`PostgreSQL ${oldestServer} or newer is needed; this is ${server?.version}.`)
}

/** Runs the first file that the database has not seen; returns its name. */
function applyNext(
  client: pg.Client,
  migrations: Migration[],
  { url, patience }: { url: string; patience: Patience },
): Promise<string | undefined> {
  let name = 'schema_migrations'
  return repeatWhileLocked(
    client,
    () => name,
    patience,
    async () => {
      await beginTurn(client)
      try {
        const applied = await readApplied(client)
        checkApplied(applied, migrations)
        const next = migrations[applied.length]
        if (next) {
          name = next.name
          await apply(client, next, { url, patience })
        }
        await client.query('commit')
        return next?.name
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      }
    },
  )
}

/**
 * The lock belongs to the transaction and not to the session, so that it holds behind a pooler that
 * hands out connections per transaction. The applied migrations are therefore read again each time.
 *
 * It is tried and not waited for: a statement that waits has a snapshot, and `create index
 * concurrently` waits for all older snapshots, so both servers would wait for each other.
 */
async function beginTurn(client: pg.Client): Promise<void> {
  for (;;) {
    await client.query('begin isolation level read committed')
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_xact_lock($1) as mine',
      [lockKey],
    )
    if (rows[0]?.mine) return
    await client.query('rollback')
    await sleep(turnPause)
  }
}

/** Makes the table only where it is missing: a transaction that writes holds back the streams. */
async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  if (await hasTable(client)) return readRows(client)
  await client.query(
    `create table schema_migrations (
       number integer primary key,
       name text not null,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  )
  return readRows(client)
}

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>(
    `select to_regclass('schema_migrations') is not null as made`,
  )
  return rows[0]?.made === true
}

async function readRows(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select number, name, checksum from schema_migrations order by number',
  )
  return rows
}

async function apply(
  client: pg.Client,
  migration: Migration,
  { url, patience }: { url: string; patience: Patience },
): Promise<void> {
  if (migration.statements) {
    await withClient(url, async (worker) => {
      await prepareSession(worker)
      await runOutside({ worker, keeper: client, patience }, migration, migration.statements ?? [])
    })
  } else {
    await runInside(client, migration, patience)
  }
  await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
    migration.number,
    migration.name,
    migration.checksum,
  ])
}

async function runInside(client: pg.Client, migration: Migration, patience: Patience) {
  await limitWaits(client, patience)
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  try {
    for (const text of rows.length > 0 ? splitInPlace(migration.text) : [migration.text]) {
      await client.query(text)
    }
  } catch (error) {
    throw describeFailure(migration, error)
  }
  if (client.getTransactionStatus() !== 'T') {
    throw new Error(`Migration ${migration.name} ends its transaction: take out BEGIN and COMMIT.`)
  }
}

function describeFailure(migration: Migration, error: unknown): unknown {
  if (!isOfStatement(error)) return error
  const before = migration.text.slice(0, Number(error.position ?? 0))
  const where = error.position ? `, line ${before.split('\n').length}` : ''
  return new Error(`Migration ${migration.name}${where}: ${error.message}`, { cause: error })
}
