import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { connect, type Database } from './connect.ts'
import { analyzeGrownTables } from './table-statistics.ts'

let testDatabase: TestDatabase
/** One connection, which hands its counts over when it is told to. */
let one: Database

before(async () => {
  testDatabase = await createTestDatabase()
  one = connect(testDatabase.url, { max: 1 })
  await one.query('create table growing (id int) with (autovacuum_enabled = false)')
})
after(async () => {
  await one.close()
  await testDatabase.drop()
})

async function growBy(rows: number): Promise<number> {
  await one.query('insert into growing select generate_series(1, $1::int)', [rows])
  await one.query('select pg_stat_force_next_flush()')
  await analyzeGrownTables(one)
  const [table] = await one.query<{ rows: number }>(
    "select reltuples::bigint as rows from pg_class where relname = 'growing'",
  )
  return table?.rows ?? 0
}

test('a table gets its statistics when it has doubled', async () => {
  assert.equal(await growBy(100), -1, 'too small to matter')
  assert.equal(await growBy(900), 1000)
  assert.equal(await growBy(900), 1000, 'not doubled yet')
  assert.equal(await growBy(100), 2000)
})
