import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connect, type Database } from '../src/db/connect.ts'
import { nodesOf } from './citus.ts'
import { databaseUrl } from './server.ts'

/** Environment variables in which `test/cluster.ts` passes the addresses to the test processes. */
export const serverVariable = 'TEST_DATABASE_SERVER'
export const templateVariable = 'TEST_DATABASE_TEMPLATE'
/** The token of the owner, whom a second template has; not on Citus. */
export const ownerVariable = 'TEST_OWNER_TOKEN'

export interface TestDatabase {
  readonly db: Database
  readonly url: string
  /** Closes `db` and removes the database, even if other clients are still connected to it. */
  drop(): Promise<void>
}

/** Returns the name of the template that also has an owner (`owner.ts`). */
export function ownedTemplate(template: string): string {
  return `${template}_owned`
}

/**
 * Makes a database for one test file, with all migrations: a clone of the template. An empty one has
 * nothing in it, as before a first start, not even Citus. One with `hasOwner` has the owner of `owner.ts`.
 * @throws Error that explains how to run the tests, if there is no cluster.
 */
export async function createTestDatabase({
  isEmpty = false,
  hasOwner = false,
} = {}): Promise<TestDatabase> {
  const server = process.env[serverVariable]
  const template = process.env[templateVariable]
  if (!server || !template) {
    throw new Error(
      'This test needs a database: run it with "npm test", or one file of it with' +
        ' "node --test --test-global-setup=server/test/cluster.ts FILE".',
    )
  }
  const name = `${template}_${randomBytes(6).toString('hex')}`
  const source = hasOwner ? ownedTemplate(template) : template
  const origin = isEmpty ? '' : ` template ${source} strategy file_copy`
  const creation = `create database ${name}${origin}`
  await Promise.all(nodesOf(server).map((node) => administer(node, creation)))
  const url = databaseUrl(server, name)
  const db = connect(url, { applicationName: 'test' })
  return {
    db,
    url,
    async drop() {
      await db.close()
      for (const node of nodesOf(server)) await dropDatabase(node, name)
    },
  }
}

const administrators = new Map<string, pg.Pool>()

/**
 * Runs a statement on a connection that the process keeps: a new one for each takes a quarter of the
 * processor time of a clone.
 */
async function administer(server: string, text: string): Promise<void> {
  const pool = administrators.get(server) ?? openAdministrator(server)
  administrators.set(server, pool)
  await pool.query(text)
}

function openAdministrator(server: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: server, allowExitOnIdle: true })
  // A lost connection is replaced.
  return pool.on('error', () => undefined)
}

const insufficientPrivilege = '42501'
const objectInUse = '55006'
const pauseMilliseconds = 50
const mostAttempts = 100

/**
 * Only a superuser can end an autovacuum worker that works in the database. The role of the tests
 * may not be one. The worker ends after a moment, so this function tries again. It does so too where
 * Citus has just started its process in the database.
 */
async function dropDatabase(server: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await administer(server, `drop database ${name} with (force)`)
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      const isBusy = code === insufficientPrivilege || code === objectInUse
      if (!isBusy || attempt === mostAttempts) throw error
      await sleep(pauseMilliseconds)
    }
  }
}
