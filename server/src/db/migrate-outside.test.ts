import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareTrial, type Trial } from '../../test/trial-migrations.ts'
import type { Database } from './connect.ts'
import { migrate } from './migrate.ts'
import { SetupError } from './setup-error.ts'

const rowCount = 1000
const mark = '-- outside a transaction\n'
const build = 'create unique index concurrently readings_value on readings (value);\n'
const fill = `-- in batches
with portion as (
  select id from readings where id > coalesce($1::bigint, 0) order by id limit 100
), changed as (
  update readings set double = coalesce(double, 0) + 2 * value from portion
  where readings.id = portion.id
)
select max(id) from portion having count(*) = 100;
`
const files = {
  '0001-readings.sql': `create table readings (id bigint primary key, value int, double int);
    insert into readings select n, n from generate_series(1, ${rowCount}) n;`,
}

let trial: Trial
let db: Database
let url: string

before(async () => {
  trial = await prepareTrial()
  db = trial.db
  url = trial.url
})
after(() => trial.drop())

/** An empty schema with the first file, and a folder with it and `more`. */
async function prepare(more: Record<string, string>): Promise<string> {
  await trial.reset()
  const folder = trial.writeFolder({ ...files, ...more })
  await migrate(url, folder, { count: 1 })
  return folder
}

async function readIndexes(): Promise<{ valid: boolean }[]> {
  return db.query('select indisvalid as valid from pg_index where indexrelid = to_regclass($1)', [
    'readings_value',
  ])
}

describe('a migration outside a transaction', () => {
  test('builds an index, fills in batches, and leaves its row alone', async () => {
    const name = '0002-index.sql'
    const folder = await prepare({ [name]: `${mark}\n-- Read; often.\n${build}\n${fill}` })
    assert.deepEqual(await migrate(url, folder), [name])
    assert.deepEqual(await migrate(url, folder), [])
    assert.deepEqual(await readIndexes(), [{ valid: true }])
    assert.deepEqual(
      await db.query('select count(*), bool_and(double = 2 * value) as right from readings'),
      [{ count: rowCount, right: true }],
    )
    assert.deepEqual(
      await db.query(`select number, name from schema_migrations where number = 2`),
      [{ number: 2, name }],
    )
    assert.deepEqual(await db.query(`select to_regclass('migration_progress') as progress`), [
      { progress: null },
    ])
    writeFileSync(join(folder, name), `${mark}select 1;`)
    await assert.rejects(migrate(url, folder), /0002-index\.sql is not the one .* has run/)
  })

  test('drops an index that a failure left invalid, and builds it again', async () => {
    const folder = await prepare({ '0002-index.sql': mark + build })
    await db.query('update readings set value = 1 where id = 2')
    await assert.rejects(migrate(url, folder), /0002-index\.sql, line 2: .*unique index/)
    assert.deepEqual(await readIndexes(), [{ valid: false }])
    await db.query('update readings set value = id where id = 2')
    assert.deepEqual(await migrate(url, folder), ['0002-index.sql'])
    assert.deepEqual(await readIndexes(), [{ valid: true }])
  })

  test('goes on where it was when its connections died in the middle', async () => {
    const once = 'insert into readings values (0, 0);\n'
    const slow = fill.replace('from portion\n  where', 'from portion, pg_sleep(0.02)\n  where')
    const folder = await prepare({ '0002-fill.sql': mark + once + slow })
    const broken = assert.rejects(migrate(url, folder), /The database is unavailable/)
    const isHalf = async () => {
      const [row] = await db
        .query<{ place: string }>('select place from migration_progress where place is not null')
        .catch(() => [])
      return row !== undefined && Number(row.place) >= 300
    }
    for (let look = 0; look < 1000 && !(await isHalf()); look += 1) await sleep(2)
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like '%migrations'`,
    )
    await broken
    assert.deepEqual(await db.query('select count(*) from schema_migrations'), [{ count: 1 }])
    assert.deepEqual(await migrate(url, folder), ['0002-fill.sql'])
    // A batch that ran twice would have counted its rows twice.
    assert.deepEqual(
      await db.query('select count(*), bool_and(double = 2 * value) as right from readings'),
      [{ count: rowCount + 1, right: true }],
    )
  })

  test('lets servers that start at the same time wait without a snapshot', async () => {
    const folder = await prepare({ '0002-index.sql': mark + build })
    const done = await Promise.all([1, 2, 3].map(() => migrate(url, folder)))
    assert.deepEqual(done.flat(), ['0002-index.sql'])
  })

  test('refuses what could not run again', async () => {
    for (const [text, reason] of [
      ['reindex table concurrently readings;', /line 2: only "create index/],
      ['create index concurrently on readings (value);', /line 2: only "create index/],
      ['drop index concurrently readings_value;', /line 2: only "create index/],
      ['select 1;\ncommit;', /line 3: each statement has a transaction of its own/],
    ] as const) {
      const folder = await prepare({ '0002-wrong.sql': `${mark}select 1;\n` })
      writeFileSync(join(folder, '0002-wrong.sql'), mark + text)
      await assert.rejects(migrate(url, folder), reason)
    }
  })
})

describe('a lock that another holds', () => {
  const patience = { lockMilliseconds: 20, pauses: [20, 40] }
  const change = { '0002-change.sql': 'alter table readings add note text;' }

  test('is tried again, and others pass between the tries', async () => {
    const folder = await prepare(change)
    await db.transaction(async (tx) => {
      await tx.query('select count(*) from readings')
      const changing = migrate(url, folder, {
        patience: { lockMilliseconds: 20, pauses: Array(500).fill(20) },
      })
      // Twenty reads do not wait for the end of this transaction.
      for (let read = 0; read < 20; read += 1) await db.query('select count(*) from readings')
      const isEarly = await Promise.race([changing.then(() => true), sleep(100, false)])
      assert.equal(isEarly, false)
      setImmediate(() => void changing)
    })
    await migrate(url, folder)
    assert.deepEqual(await db.query('select count(note) from readings'), [{ count: 0 }])
  })

  test('ends the start after the last try, with who is in the way', async () => {
    for (const text of [change['0002-change.sql'], `${mark}${change['0002-change.sql']}`]) {
      const folder = await prepare({ '0002-change.sql': text })
      await db.transaction(async (tx) => {
        await tx.query('select count(*) from readings')
        await assert.rejects(migrate(url, folder, { patience }), (error) => {
          assert.ok(error instanceof SetupError)
          assert.match(error.message, /0002-change\.sql.* in 3 tries.*lora-fleet-console \(process/)
          return true
        })
      })
    }
  })
})
