import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { connect, type Database } from './connect.ts'

/** Environment variables by which `test-cluster.ts` tells the test processes where to go. */
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
        ' "node --test --test-global-setup=server/src/db/test-cluster.ts FILE".',
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
      await runOnServer(server, `drop database ${name} with (force)`)
    },
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
