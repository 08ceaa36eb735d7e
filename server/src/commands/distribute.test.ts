import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isCluster } from '../../test/citus.ts'
import { createTestDatabase } from '../../test/database.ts'
import { format } from '../db/backup/manifest.ts'
import { restoreBackup } from '../db/backup/restore-backup.ts'
import { writeBackup } from '../db/backup/write-backup.ts'
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

test('what is distributed is neither backed up nor restored as one', {
  skip: !isCluster(),
}, async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'lora-fleet-distribute-'))
  t.after(() => rm(directory, { recursive: true }))
  const isTold = /^Error: Citus has distributed the tables over several machines\. /
  await assert.rejects(writeBackup(database.url, directory), isTold)
  const migrations = await database.db.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by number',
  )
  const backup = { takenAt: '', migrations, keys: [], tables: [], sequences: [] }
  await assert.rejects(restoreBackup(database.url, directory, { format, ...backup }), isTold)
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
