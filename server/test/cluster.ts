/**
 * Global setup of the test run: `node --test --test-global-setup=server/test/cluster.ts`.
 *
 * One PostgreSQL for all test processes: the server that DATABASE_URL names (its role must be
 * allowed to create databases), else an embedded one in a temporary directory. In it one migrated
 * template, which `createTestDatabase` clones. Afterwards everything is removed, also what failing
 * tests left behind; what a killed run left is removed by the next.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, removeEmbedded, startEmbedded } from '../src/db/embedded.ts'
import { migrate, migrationsDirectory } from '../src/db/migrate.ts'
import { databaseUrl, serverVariable, templateVariable } from './database.ts'

const directoryPrefix = 'lora-fleet-test-'

/** Nothing in a test run has to outlive a crash of the machine. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  max_connections: '200',
}

/** In memory, where there is enough: a clone of 25 tables took 20 ms there, 25 to 80 ms on a disk. */
const memoryDirectory = '/dev/shm'
const memoryNeeded = 2 * 1024 ** 3

const log = {
  debug() {},
  info() {},
  warn() {},
  error: (fields: object, message: string) => console.error(message, fields),
}

/**
 * What Node compiled, for all processes of this and of later runs: loading the service takes 0.5 s
 * with it, 1.2 s without.
 */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** Milliseconds in which a test run has surely taken the lock of its directory. */
const youngAge = 60_000

let embedded: (EmbeddedPostgres & { readonly dataDir: string }) | undefined
const template = `lora_test_${randomBytes(6).toString('hex')}`

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= compileCache
  const server = process.env.DATABASE_URL || (await startTemporary())
  try {
    await runOnServer(server, `create database ${template}`)
    await migrate(databaseUrl(server, template), migrationsDirectory)
  } catch (error) {
    await globalTeardown()
    throw error
  }
  process.env[serverVariable] = server
  process.env[templateVariable] = template
}

export async function globalTeardown(): Promise<void> {
  if (embedded) {
    const { dataDir, stop } = embedded
    embedded = undefined
    await stop()
    await removeEmbedded({ dataDir, log })
    return
  }
  const server = process.env.DATABASE_URL
  if (!server) return
  const names = await runOnServer<{ datname: string }>(
    server,
    `select datname from pg_database where starts_with(datname, '${template}')`,
  )
  for (const { datname } of names) {
    await runOnServer(server, `drop database if exists ${datname} with (force)`)
  }
}

async function startTemporary(): Promise<string> {
  const free = await statfs(memoryDirectory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  const parent = free > memoryNeeded ? memoryDirectory : tmpdir()
  await removeLeftovers(parent)
  const dataDir = await mkdtemp(join(parent, directoryPrefix))
  embedded = { dataDir, ...(await startEmbedded({ dataDir, log, settings })) }
  return embedded.url
}

/** A directory that is in use can't be removed; one that is young may be just about to. */
async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent)
  for (const name of names.filter((name) => name.startsWith(directoryPrefix))) {
    const dataDir = join(parent, name)
    const made = await stat(dataDir).catch(() => undefined)
    if (!made || Date.now() - made.birthtimeMs < youngAge) continue
    await removeEmbedded({ dataDir, log }).catch(() => {})
  }
}

async function runOnServer<Row extends pg.QueryResultRow>(
  server: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text)
    return rows
  } finally {
    await client.end()
  }
}
