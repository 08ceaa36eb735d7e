/**
 * Global setup of the test run: `node --test --test-global-setup=server/test/cluster.ts FILE`, and of
 * `run.ts`.
 *
 * All test processes use one PostgreSQL: the server that DATABASE_URL names (its role must be
 * allowed to create databases), or else an embedded one in a temporary directory. It has one
 * migrated template, which `createTestDatabase` clones. The teardown removes everything, also the
 * databases that failing tests left. The next run removes the directories of killed runs. Databases
 * of a killed run stay on the server of DATABASE_URL.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, removeEmbedded, startEmbedded } from '../src/db/embedded.ts'
import { migrate, migrationsDirectory } from '../src/db/migrate.ts'
import { databasesOf, distributeTemplate, isCluster, joinNodes, nodesOf } from './citus.ts'
import { ownedTemplate, ownerVariable, serverVariable, templateVariable } from './database.ts'
import { makeOwner } from './owner.ts'
import { databaseUrl, runOnServer } from './server.ts'

const directoryPrefix = 'lora-fleet-test-'

/** No data of a test run must survive a crash of the machine. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  max_connections: '200',
}

/**
 * Used if it has enough space: a clone of 25 tables took 20 ms in memory, and 25 to 80 ms on a
 * disk.
 */
const memoryDirectory = '/dev/shm'
const memoryNeeded = 2 * 1024 ** 3

const log = {
  debug() {},
  info() {},
  warn() {},
  error: (fields: object, message: string) => console.error(message, fields),
}

/**
 * The code that Node compiled, for all processes of this run and later runs. Loading the service
 * takes 0.5 s with it, and 1.2 s without it.
 */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** After this many milliseconds, a test run certainly holds the lock of its directory. */
const youngAge = 60_000

let embedded: (EmbeddedPostgres & { readonly dataDir: string }) | undefined
const template = `lora_test_${randomBytes(6).toString('hex')}`

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= compileCache
  const server = process.env.DATABASE_URL || (await startTemporary())
  try {
    for (const node of nodesOf(server)) await runOnServer(node, `create database ${template}`)
    if (isCluster()) await joinNodes(databasesOf(server, template))
    await migrate(databaseUrl(server, template), migrationsDirectory)
    if (isCluster()) await distributeTemplate(server, template)
    else process.env[ownerVariable] = await addOwnedTemplate(server)
  } catch (error) {
    await globalTeardown()
    throw error
  }
  process.env[serverVariable] = server
  process.env[templateVariable] = template
}

/** Returns the token of the owner. */
async function addOwnedTemplate(server: string): Promise<string> {
  const name = ownedTemplate(template)
  await runOnServer(server, `create database ${name} template ${template} strategy file_copy`)
  return makeOwner(databaseUrl(server, name))
}

let ending: Promise<void> | undefined

/** Node calls it at each signal: Ctrl-C comes from the terminal, from npm and from `run.ts`. */
export function globalTeardown(): Promise<void> {
  ending ??= removeServer()
  return ending
}

async function removeServer(): Promise<void> {
  if (embedded) {
    const { dataDir, stop } = embedded
    await stop()
    await removeEmbedded({ dataDir, log })
    return
  }
  const server = process.env.DATABASE_URL
  if (!server) return
  for (const node of nodesOf(server)) {
    const names = await runOnServer<{ datname: string }>(
      node,
      `select datname from pg_database where starts_with(datname, '${template}')`,
    )
    for (const { datname } of names) {
      await runOnServer(node, `drop database if exists ${datname} with (force)`)
    }
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

/** A directory in use can't be removed. A young directory may be about to be used, so it stays. */
async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent)
  for (const name of names.filter((name) => name.startsWith(directoryPrefix))) {
    const dataDir = join(parent, name)
    const made = await stat(dataDir).catch(() => undefined)
    if (!made || Date.now() - made.birthtimeMs < youngAge) continue
    await removeEmbedded({ dataDir, log }).catch(() => {})
  }
}
