import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connect, type Database } from '../src/db/connect.ts'

/** Environment variables by which `test/cluster.ts` tells the test processes where to go. */
export const serverVariable = 'TEST_DATABASE_SERVER'
export const templateVariable = 'TEST_DATABASE_TEMPLATE'

export interface TestDatabase {
  readonly db: Database
  readonly url: string
  /** Closes `db` and removes the database, whoever else is still connected to it. */
  drop(): Promise<void>
}

/**
 * A database of its own for a test file, with all migrations: a clone of the template.
 * @throws Error that says how to run the tests, when there is no cluster.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env[serverVariable]
  const template = process.env[templateVariable]
  if (!server || !template) {
    throw new Error(
      'This test needs a database: run it with "npm test", or one file of it with' +
        ' "node --test --test-global-setup=server/test/cluster.ts FILE".',
    )
  }
  const name = `${template}_${randomBytes(6).toString('hex')}`
  await runOnServer(server, `create database ${name} template ${template} strategy file_copy`)
  const url = databaseUrl(server, name)
  const db = connect(url, { applicationName: 'test' })
  return {
    db,
    url,
    async drop() {
      await db.close()
      await dropDatabase(server, name)
    },
  }
}

const insufficientPrivilege = '42501'
const pauseMilliseconds = 50
const mostAttempts = 100

/**
 * An autovacuum worker that is just at work in the database may be ended by superusers alone, and
 * whoever the server lets in need not be one: it is gone after a moment.
 */
async function dropDatabase(server: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnServer(server, `drop database ${name} with (force)`)
    } catch (error) {
      const isVacuumed = error instanceof pg.DatabaseError && error.code === insufficientPrivilege
      if (!isVacuumed || attempt === mostAttempts) throw error
      await sleep(pauseMilliseconds)
    }
  }
}

/** The address of another database on the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function runOnServer(server: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
