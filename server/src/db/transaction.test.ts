import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { startDatabaseProxy } from '../../test/database-proxy.ts'
import { fc } from '../../test/properties.ts'
import { connect } from './connect.ts'
import { textArray } from './statements.ts'
import type { Transaction } from './transaction.ts'

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

test('a statement after the end of a transaction is refused at once', async () => {
  const over = await db.transaction(async (tx) => tx)
  assert.throws(() => over.send(add, ['f']), /is over/)
  await assert.rejects(over.query(add, ['f']), /is over/)
  assert.deepEqual(await readNames(), ['a', 'b'])
})

/** Work that writes first, sends first, or reads first and goes on. */
const works: ((tx: Transaction) => Promise<unknown>)[] = [
  (tx) => tx.query(add, ['g']),
  async (tx) => tx.send(add, ['g']),
  async (tx) => {
    await tx.query('select 1')
    await tx.query(add, ['g'])
  },
  async (tx) => {
    await tx.query('select 1')
    tx.send(add, ['g'])
  },
  async (tx) => {
    const read = tx.query('select 1')
    tx.send(add, ['g'])
    tx.send(add, ['h'])
    await read
    await tx.query('select 1')
  },
]

test('a transaction that does not begin stores nothing', async (t) => {
  let isSpoilt = false
  const proxy = await startDatabaseProxy(t, testDatabase.url, (bytes) =>
    isSpoilt
      ? Buffer.from(bytes.toString('latin1').replace('begin\0', 'begun\0'), 'latin1')
      : bytes,
  )
  const one = connect(proxy.url, { max: 1 })
  for (const work of works) {
    isSpoilt = true
    await assert.rejects(one.transaction(work), { code: '42601' })
    isSpoilt = false
    assert.deepEqual(await readNames(), ['a', 'b'])
    await one.transaction(work)
    assert.equal((await readNames()).includes('g'), true)
    await db.query("delete from item where name in ('g', 'h')")
  }
  await one.close()
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
