import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { connect, type Database } from './connect.ts'
import { analyzeGrownTables } from './table-statistics.ts'

let testDatabase: TestDatabase
/** One connection, which hands its counts over when it is told to. */
let one: Database
const warned: unknown[] = []
const log = { warn: (...words: unknown[]) => void warned.push(words) }

before(async () => {
  testDatabase = await createTestDatabase()
  one = connect(testDatabase.url, { max: 1, statementTimeout: 2000 })
  await one.query('create table growing (id int) with (autovacuum_enabled = false)')
})
after(async () => {
  await one.close()
  await testDatabase.drop()
})

async function growBy(rows: number): Promise<number> {
  await one.query('insert into growing select generate_series(1, $1::int)', [rows])
  await one.query('select pg_stat_force_next_flush()')
  await analyzeGrownTables({ db: one, log })
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

test('a table that takes too long keeps no other from its statistics, and is left alone', async () => {
  const define = (body: string) =>
    one.query(
      `create or replace function slowly(int) returns int immutable language plpgsql
       as $$ begin ${body} return $1; end $$`,
    )
  await define('')
  // Analysed before the other: it is older.
  await one.query('drop table growing')
  await one.query('create table slow (id int) with (autovacuum_enabled = false)')
  await one.query('create index on slow (slowly(id))')
  await one.query('create table growing (id int) with (autovacuum_enabled = false)')
  await one.query('insert into slow select generate_series(1, 300)')
  await define('perform pg_sleep(1);')
  assert.equal(await growBy(300), 300)
  assert.match(JSON.stringify(warned), /57014.*slow/)
  assert.equal(await growBy(300), 600)
  assert.equal(warned.length, 1)
})
