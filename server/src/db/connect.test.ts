import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { startDatabaseProxy } from '../../test/database-proxy.ts'
import { connect, type Database } from './connect.ts'
import { DatabaseUnavailable } from './errors.ts'

let testDatabase: TestDatabase
let db: Database

before(async () => {
  testDatabase = await createTestDatabase()
  db = testDatabase.db
  await db.query(
    'create table item (id bigint generated always as identity primary key, name text unique)',
  )
})
after(() => testDatabase.drop())

/** The number of the backend that serves a query or transaction. */
async function readBackend(queryable: Pick<Database, 'query'>): Promise<number> {
  const [row] = await queryable.query<{ pid: number }>('select pg_backend_pid() as pid')
  assert(row)
  return row.pid
}

async function countItems(): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*) from item')
  return row?.count ?? -1
}

test('the server compiles no statement', async () => {
  assert.deepEqual(await db.query('show jit'), [{ jit: 'off' }])
})

describe('values', () => {
  test('come as numbers, texts with microseconds in UTC, and nulls', async () => {
    const [row] = await db.query(
      `select 9007199254740991::bigint as large, array[1, null]::bigint[] as list,
              timestamptz '2026-01-02 03:04:05.678901+02' as instant, date '2026-01-02' as day,
              array[timestamp '2026-01-02 03:04:05.000001'] as times, null::bigint as nothing,
              1.10::numeric as amount, '{"a":1}'::jsonb as object, '\\x00ff'::bytea as bytes`,
    )
    assert.deepEqual(row, {
      large: 9007199254740991,
      list: [1, null],
      instant: '2026-01-02 01:04:05.678901+00',
      day: '2026-01-02',
      times: ['2026-01-02 03:04:05.000001'],
      nothing: null,
      amount: '1.10',
      object: { a: 1 },
      bytes: Buffer.from([0, 255]),
    })
  })

  test('that a number cannot hold are refused, and the connection stays good', async () => {
    await assert.rejects(db.query('select 9007199254740993::bigint as n'), /does not fit a number/)
    assert.deepEqual(await db.query('select 1 as n'), [{ n: 1 }])
  })
})

describe('a statement', () => {
  test('is prepared once per connection', async () => {
    const names = await db.transaction(async (tx) => {
      await tx.query('select $1::int as prepared_once', [1])
      await tx.query('select $1::int as prepared_once', [2])
      return tx.query<{ name: string }>(
        "select name from pg_prepared_statements where statement like '%prepared\\_once'",
      )
    })
    assert.equal(names.length, 1)
    assert.match(names[0]?.name ?? '', /^s\d+$/)
  })

  test('answers alike when its connection knows its columns', async () => {
    const ask = (tx: Pick<Database, 'query'>, number: number) =>
      tx.query(
        'select $1::bigint as large, null::text as nothing, \'{"a":1}\'::jsonb as object from generate_series(1, $2::integer)',
        [number, 2],
      )
    const row = (large: number) => ({ large, nothing: null, object: { a: 1 } })
    await db.transaction(async (tx) => {
      const together = await Promise.all([ask(tx, 1), ask(tx, 2)])
      assert.deepEqual(
        together,
        [1, 2].map((number) => [row(number), row(number)]),
      )
      assert.deepEqual(await ask(tx, 3), [row(3), row(3)])
      for (const _ of [1, 2]) {
        assert.deepEqual(await tx.query('delete from item where name = $1', ['nobody']), [])
      }
      await assert.rejects(async () => ask(tx, 2 ** 60), /does not fit a number/)
      assert.deepEqual(await ask(tx, 4), [row(4), row(4)])
    })
  })

  test('keeps its connection after an error', async () => {
    const one = connect(testDatabase.url, { max: 1 })
    try {
      const backend = await readBackend(one)
      await one.query("insert into item (name) values ('once')")
      await assert.rejects(one.query("insert into item (name) values ('once')"), (error) => {
        assert(error instanceof pg.DatabaseError)
        assert.deepEqual([error.code, error.constraint], ['23505', 'item_name_key'])
        return true
      })
      assert.equal(await readBackend(one), backend)
    } finally {
      await one.close()
    }
  })

  test('runs again when a migration has changed what it answers', async () => {
    await db.query('create table changing (a int)')
    assert.deepEqual(await db.query('select * from changing'), [])
    await db.query('alter table changing add b int')
    await db.query('insert into changing values (1, 2)')
    assert.deepEqual(await db.query('select * from changing'), [{ a: 1, b: 2 }])
  })

  test('is planned again from time to time, so that a table may grow under it', async () => {
    const one = connect(testDatabase.url, { max: 1, planLifetime: 20 })
    const readRows = async () => {
      await one.query('select pg_stat_force_next_flush()')
      const [table] = await one.query<{ rows: number }>(
        "select seq_tup_read as rows from pg_stat_user_tables where relname = 'growing'",
      )
      return table?.rows ?? -1
    }
    const lookUp = () => one.query('select id from growing where id = any($1::int[])', [[1, 2]])
    try {
      await one.query('create table growing (id int primary key) with (autovacuum_enabled = false)')
      await one.query('insert into growing select generate_series(1, 9)')
      await one.query('vacuum analyze growing')
      // The first five plans are only for their values (plancache.c, choose_custom_plan).
      for (let run = 0; run < 8; run += 1) assert.equal((await lookUp()).length, 2)
      assert.equal(await readRows(), 8 * 9)
      await one.query('insert into growing select generate_series(10, 20000)')
      let before: number
      do {
        before = await readRows()
        await lookUp()
      } while ((await readRows()) !== before)
    } finally {
      await one.close()
    }
  })

  test('is given up after its time', async () => {
    const hasty = connect(testDatabase.url, { statementTimeout: 50 })
    try {
      await assert.rejects(hasty.query('select pg_sleep(10)'), { code: '57014' })
    } finally {
      await hasty.close()
    }
  })
})

describe('a transaction', () => {
  test('commits what it did, and gives what the work gave', async () => {
    const before = await countItems()
    const answer = await db.transaction(async (tx) => {
      await tx.query("insert into item (name) values ('committed')")
      return 'done'
    })
    assert.equal(answer, 'done')
    assert.equal(await countItems(), before + 1)
  })

  test('rolls back when the work throws, with the same error', async () => {
    const before = await countItems()
    const failure = new Error('no')
    const work = db.transaction(async (tx) => {
      await tx.query("insert into item (name) values ('rolled back')")
      throw failure
    })
    await assert.rejects(work, (error) => error === failure)
    assert.equal(await countItems(), before)
  })

  test('rejects when the work swallowed the error of a statement', async () => {
    const before = await countItems()
    const work = db.transaction(async (tx) => {
      await tx.query("insert into item (name) values ('swallowed')")
      await tx.query('select 1 / 0').catch(() => {})
    })
    await assert.rejects(work, /division by zero/)
    assert.equal(await countItems(), before)
  })

  test('fails with the first error of statements that were sent together', async () => {
    const work = db.transaction((tx) => {
      const failing = tx.query('select 1 / 0').catch(async (error) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        throw error
      })
      return Promise.all([failing, tx.query('select 1')])
    })
    await assert.rejects(work, /division by zero/)
  })

  test('refuses statements once it is over', async () => {
    const leaked = await db.transaction(async (tx) => tx)
    await assert.rejects(leaked.query('select 1'), /is over/)
  })
})

describe('DatabaseUnavailable', () => {
  test('is thrown where a backend is killed, and the next query works', async () => {
    const work = db.transaction(async (tx) => {
      await db.query('select pg_terminate_backend($1::int)', [await readBackend(tx)])
      await tx.query('select 1')
    })
    await assert.rejects(work, DatabaseUnavailable)
    assert.deepEqual(await db.query('select 1 as n'), [{ n: 1 }])
  })

  test('is thrown at commit when the connection died before it', async () => {
    const before = await countItems()
    const work = db.transaction(async (tx) => {
      await tx.query("insert into item (name) values ('lost')")
      await db.query('select pg_terminate_backend($1::int)', [await readBackend(tx)])
    })
    await assert.rejects(work, DatabaseUnavailable)
    assert.equal(await countItems(), before)
  })

  test('is thrown when nobody listens, with the reason', async () => {
    const nobody = connect('postgres://127.0.0.1:1/none')
    await assert.rejects(nobody.query('select 1'), (error) => {
      assert(error instanceof DatabaseUnavailable)
      assert.match(error.message, /ECONNREFUSED/)
      return true
    })
    await nobody.close()
  })

  test('is thrown when the server stays silent', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const address = silent.address()
    assert(typeof address === 'object' && address)
    const db = connect(`postgres://127.0.0.1:${address.port}/none`, { connectTimeout: 50 })
    await assert.rejects(db.query('select 1'), DatabaseUnavailable)
    await db.close()
    silent.close()
  })

  test('is thrown when no connection comes free in time', async () => {
    const small = connect(testDatabase.url, { max: 1, connectTimeout: 500 })
    const isOpened = () => small.query('select 1').then(Boolean, () => false)
    try {
      // On a busy machine the server too may take longer to open one.
      while (!(await isOpened())) {}
      await small.transaction(async () => {
        await assert.rejects(small.query('select 1'), DatabaseUnavailable)
      })
    } finally {
      await small.close()
    }
  })

  test('is thrown where the server has no memory for a row, a pattern or a library', async () => {
    const failures = [
      ['53200', 'out of memory'],
      ['2201B', 'invalid regular expression: out of memory'],
      ['58P01', 'could not load library "plpgsql.so": failed to map segment from shared object'],
    ] as const
    const raise = (state: string, message: string) =>
      db.query(`do $$ begin raise exception '${message}' using errcode = '${state}'; end $$`)
    for (const [state, message] of failures) {
      await assert.rejects(raise(state, message), DatabaseUnavailable)
    }
    await assert.rejects(raise('58P01', 'could not open file'), { code: '58P01' })
  })

  test('is not thrown for a wrong password or database', async () => {
    const url = new URL(testDatabase.url)
    url.pathname = '/not_there'
    const wrong = connect(url.href)
    await assert.rejects(wrong.query('select 1'), { code: '3D000' })
    await wrong.close()
  })
})

test('an idle connection that dies is told, and does not end the process', async () => {
  const errors: Error[] = []
  const idle = connect(testDatabase.url, { onError: (error) => errors.push(error) })
  try {
    const backend = await readBackend(idle)
    await db.query('select pg_terminate_backend($1::int)', [backend])
    while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve))
    assert.notEqual(await readBackend(idle), backend)
  } finally {
    await idle.close()
  }
})

test('a connection that falls silent is given up, and the idle ones with it', async (t) => {
  const proxy = await startDatabaseProxy(t, testDatabase.url)
  const one = connect(proxy.url, { max: 3, statementTimeout: 500, silenceAllowed: 500 })
  const sleep = () => one.query('select pg_sleep(0.1)')
  await Promise.all([sleep(), sleep(), sleep()])
  proxy.silence()
  await assert.rejects(one.query('select 1'), DatabaseUnavailable)
  proxy.heal()
  assert.deepEqual(await one.query('select 2 as n'), [{ n: 2 }])
  assert.deepEqual(await one.transaction((tx) => tx.query('select 3 as n')), [{ n: 3 }])
  assert.equal(one.usage().used, 0)
  await one.close()
})

test('idle connections that fell silent meanwhile are not used', async (t) => {
  const proxy = await startDatabaseProxy(t, testDatabase.url)
  const one = connect(proxy.url, { max: 3 })
  const sleep = () => one.query('select pg_sleep(0.1)')
  await Promise.all([sleep(), sleep(), sleep()])
  proxy.silence()
  proxy.heal()
  await wait(1100)
  assert.equal((await Promise.all([sleep(), sleep(), sleep()])).length, 3)
  await one.close()
})

/** A pool on a database of its own that takes only so many connections; -1 for any number. */
async function useSmall(
  work: (shared: Database, limitTo: (connections: number) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const small = await createTestDatabase()
  const shared = connect(small.url, { max: 10 })
  try {
    const [own] = await small.db.query<{ name: string }>('select current_database() as name')
    await work(shared, (connections) =>
      small.db.query(`alter database ${own?.name} connection limit ${connections}`),
    )
  } finally {
    await shared.close()
    await small.drop()
  }
}

test('where the server has no connection to spare, callers share those that are there', async () => {
  await useSmall(async (shared, limitTo) => {
    // One of them is that which sets the limit.
    await limitTo(3)
    const sleeps = Array.from({ length: 5 }, () => shared.query('select pg_sleep(0.05)'))
    assert.equal((await Promise.all(sleeps)).length, 5)
  })
})

test('callers do not wait for longer than the server has no connection to spare', async () => {
  await useSmall(async (shared, limitTo) => {
    // That which sets the limit, and that of the listener, which gives its own back at the end only.
    const listening = await shared.listen('moments', () => undefined)
    await limitTo(2)
    const numbers = [1, 2, 3].map((number) => shared.query('select $1::int as number', [number]))
    await wait(100)
    await limitTo(-1)
    const begin = performance.now()
    assert.equal((await Promise.all(numbers)).length, 3)
    assert.ok(performance.now() - begin < 4000)
    listening.end()
  })
})

test('the server ends sessions whose client is gone, but none that listens', async () => {
  assert.deepEqual(await db.query('show idle_session_timeout'), [{ idle_session_timeout: '1min' }])
  const listening = await db.listen('moments', () => undefined)
  const [listener] = await db.query<{ query: string }>(
    `select query from pg_stat_activity where query like 'listen "moments"%' and state = 'idle'`,
  )
  assert.match(listener?.query ?? '', /; set idle_session_timeout = 0$/)
  listening.end()
})
