import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { toDatabaseError } from './errors.ts'
import { SetupError } from './setup-error.ts'

/** The migrations of this program. */
export const migrationsDirectory = join(import.meta.dirname, 'migrations')

/** The oldest PostgreSQL that is tested (major version). */
const oldestServer = 15

/** Key of the advisory lock: "lora" in ASCII. Any number that nobody else uses would do. */
const lockKey = 0x6c6f7261

interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/**
 * Brings the database at `url` up to the last migration in `directory`, or up to the first `count`,
 * and returns the names of the files that it ran. Files are called `0001-schema.sql`, numbered without
 * gaps, and never change once applied. Each runs in one transaction together with its row in
 * `schema_migrations`, so a failure or a crash leaves nothing half-done. Servers that start at the
 * same time take turns.
 *
 * Refuses, and changes nothing, when the server is too old, when an applied file was edited or is
 * missing (the database belongs to another version of this program), or when a file was added before
 * an applied one.
 *
 * Why not postgrator 8: it takes no lock, opens no transaction, records a file in a separate
 * statement, accepts (or undoes) a newer database, and skips a late file with a low number.
 */
export async function migrate(url: string, directory: string, count?: number): Promise<string[]> {
  const migrations = readMigrations(directory).slice(0, count)
  return withClient(url, async (client) => {
    await prepareSession(client)
    const done: string[] = []
    for (;;) {
      const name = await applyNext(client, migrations)
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
  const migrations = readMigrations(directory)
  const applied = await withClient(url, async (client) => {
    const { rows } = await client.query<{ made: boolean }>(
      `select to_regclass('schema_migrations') is not null as made`,
    )
    return rows[0]?.made ? readRows(client) : []
  })
  checkApplied(applied, migrations)
  const next = migrations[applied.length]
  if (!next) return
  throw new SetupError(
    `The database is older than this program: it lacks migration ${next.name}. A start of the` +
      ' service brings it up to date.',
  )
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

/** The migrations of a folder in order; throws when names are not numbered 1, 2, 3, ... */
export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return names.map((name, index) => {
    const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1])
    if (number !== index + 1) {
      const expected = String(index + 1).padStart(4, '0')
      throw new Error(
        `Migration ${name}: the next file must be called ${expected}-what-it-does.sql.`,
      )
    }
    // A checkout on Windows may have CRLF.
    const text = readFileSync(join(directory, name), 'utf8').replaceAll('\r\n', '\n')
    return { number, name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/** Without a statement timeout, because building an index may take long; waits for locks end. */
async function prepareSession(client: pg.Client): Promise<void> {
  const { rows } = await client
    .query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
     set lock_timeout = '10min'; set client_min_messages = warning; set timezone = 'UTC'`,
    )
    .then(() =>
      client.query<{ number: string; version: string }>(
        `select current_setting('server_version_num') as number,
            current_setting('server_version') as version`,
      ),
    )
  const server = rows[0]
  if (server && Number(server.number) >= oldestServer * 10_000) return
  throw new SetupError(`PostgreSQL ${oldestServer} or newer is needed; this is ${server?.version}.`)
}

/**
 * The lock belongs to the transaction and not to the session, so that it holds behind a pooler that
 * hands out connections per transaction. The applied migrations are therefore read again each time.
 */
async function applyNext(client: pg.Client, migrations: Migration[]): Promise<string | undefined> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockKey])
    const applied = await readApplied(client)
    checkApplied(applied, migrations)
    const next = migrations[applied.length]
    if (next) await apply(client, next)
    await client.query('commit')
    return next?.name
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  await client.query(
    `create table if not exists schema_migrations (
       number integer primary key,
       name text not null,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  )
  return readRows(client)
}

async function readRows(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select number, name, checksum from schema_migrations order by number',
  )
  return rows
}

function checkApplied(applied: AppliedMigration[], migrations: Migration[]): void {
  for (const [index, { number, name, checksum }] of applied.entries()) {
    const migration = migrations[index]
    if (!migration) {
      throw new SetupError(
        `The database is newer than this program: it has migration ${name}, and the last one here` +
          ` is ${migrations.at(-1)?.name ?? 'none'}. Start the newer version again.`,
      )
    }
    if (name !== migration.name) {
      throw new SetupError(
        `The database was made by a version that this one can't upgrade: its migration ${number} is` +
          ` ${name}, not ${migration.name}. Start with a new database: set DATA_DIR to a new` +
          ' directory, or DATABASE_URL to an empty database.',
      )
    }
    if (number !== migration.number || checksum !== migration.checksum) {
      throw new Error(
        `Migration ${migration.name} is not the one that the database has run (${name}). Restore` +
          ' the file, and put the change into a new migration.',
      )
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query(migration.text)
  } catch (error) {
    throw describeFailure(migration, error)
  }
  if (client.getTransactionStatus() !== 'T') {
    throw new Error(`Migration ${migration.name} ends its transaction: take out BEGIN and COMMIT.`)
  }
  await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
    migration.number,
    migration.name,
    migration.checksum,
  ])
}

function describeFailure(migration: Migration, error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || toDatabaseError(error) !== error) return error
  const before = migration.text.slice(0, Number(error.position ?? 0))
  const where = error.position ? `, line ${before.split('\n').length}` : ''
  return new Error(`Migration ${migration.name}${where}: ${error.message}`, { cause: error })
}
