import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { after, test } from 'node:test'
import { isCluster } from '../../test/citus.ts'
import { createTestDatabase } from '../../test/database.ts'
import { format } from '../db/backup/manifest.ts'
import { restoreBackup } from '../db/backup/restore-backup.ts'
import { distributedTables, referenceTables } from '../db/distribution/tables.ts'
import { distributeCommand } from './distribute.ts'

const database = await createTestDatabase()
after(database.drop)

/** What the command says, or its error. */
async function run(): Promise<string> {
  const said: string[] = []
  const { db, url } = database
  try {
    await distributeCommand.read([])({
      config: {} as never,
      log: {} as never,
      say: (line) => void said.push(line),
      withDatabase: (work) => work({ db, url, where: 'test' }),
      signal: new AbortController().signal,
      secret: () => undefined,
      withAnyDatabase: () => Promise.reject(new Error('not used')),
      withNewDatabase: () => Promise.reject(new Error('not used')),
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return said.join('\n')
}

test('changes nothing in a database without Citus', { skip: isCluster() }, async () => {
  assert.match(await run(), /^This database has no Citus: /)
})

test('leaves what is distributed as it is', { skip: !isCluster() }, async () => {
  assert.equal(await run(), 'All tables are distributed.')
})

test('nothing is restored into what is distributed', { skip: !isCluster() }, async () => {
  const backup = { takenAt: '', migrations: [], keys: [], tables: [], sequences: [] }
  await assert.rejects(
    restoreBackup(database.url, tmpdir(), { format, ...backup }),
    /^Error: Citus has distributed the tables of this database\. /,
  )
})

test('names tables that exist and have an organization', async () => {
  const names = [...distributedTables, ...referenceTables]
  const found = await database.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name = any($1)`,
    [names],
  )
  assert.equal(found.length, names.length)
  const keyed = await database.db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization_id' and table_name = any($1)`,
    [distributedTables],
  )
  assert.equal(keyed.length, distributedTables.length)
})
