import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { fc } from '../../test/properties.ts'
import { textArray } from './statements.ts'

const testDatabase = await createTestDatabase()
after(() => testDatabase.drop())
const { db } = testDatabase
await db.query('create table item (name text unique)')

async function readNames(): Promise<string[]> {
  const rows = await db.query<{ name: string }>('select name from item order by name')
  return rows.map(({ name }) => name)
}

const add = 'insert into item (name) values ($1)'
const isTaken = { code: '23505' }

test('statements without an answer are stored with the transaction', async () => {
  await db.transaction(async (tx) => {
    tx.send(add, ['a'])
    tx.send(add, ['b'])
  })
  assert.deepEqual(await readNames(), ['a', 'b'])
})

test('a transaction fails with the error of the first statement that failed', async () => {
  const failing = db.transaction(async (tx) => {
    tx.send(add, ['c'])
    tx.send(add, ['a'])
    tx.send(add, ['d'])
  })
  await assert.rejects(failing, isTaken)
  const asking = db.transaction(async (tx) => {
    tx.send(add, ['a'])
    await tx.query('select 1')
  })
  await assert.rejects(asking, isTaken)
  const swallowing = db.transaction(async (tx) => {
    tx.send(add, ['a'])
    await tx.query('select 1').catch(() => {})
  })
  await assert.rejects(swallowing, isTaken)
  assert.deepEqual(await readNames(), ['a', 'b'])
})

test('a transaction whose work throws stores nothing that was sent', async () => {
  const error = new Error('given up')
  const throwing = db.transaction(async (tx) => {
    tx.send(add, ['e'])
    throw error
  })
  await assert.rejects(throwing, error)
  assert.deepEqual(await readNames(), ['a', 'b'])
})

test('any texts go into an array and come back as they were', async () => {
  const odd = [...'ab{},"\\\'\n\t\u0001\u007f\u2028é😀', ' ', 'NULL', '\\n', '\\u0041']
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...odd), maxLength: 12 }),
    fc.constantFrom('null', ''),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 8 }), async (texts) => {
      const [row] = await db.query<{ texts: unknown }>('select $1::text[] as texts', [
        textArray(texts),
      ])
      assert.deepEqual(row?.texts, texts)
    }),
    { numRuns: 300 },
  )
})
