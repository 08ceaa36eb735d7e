import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { prepareTrial, type Trial } from '../../test/trial-migrations.ts'
import { until } from '../../test/until.ts'
import type { Database } from './connect.ts'
import { checkMigrated, migrate } from './migrate.ts'
import { SetupError } from './setup-error.ts'

const files = {
  '0001-devices.sql': 'create table device (id int primary key);\ninsert into device values (1);\n',
  '0002-device-names.sql': "alter table device add name text not null default 'x';\n",
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

/** An empty schema, and a folder with `files` and whatever else a test wants in it. */
async function prepare(more: Record<string, string> = {}): Promise<string> {
  await trial.reset()
  return trial.writeFolder({ ...files, ...more })
}

async function readNames(): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    'select name from schema_migrations order by number',
  )
  return rows.map(({ name }) => name)
}

/** A migration as migrations/README.md writes it. */
function onlineIndex(name: string, column: string): string {
  return (
    '-- One by one: writers go on.\n' +
    `drop index concurrently if exists ${name};\n` +
    `create index concurrently ${name} on device (${column});\n`
  )
}

/** Holds a transaction open, as soon as the table is there. */
async function writeSlowly(id: number): Promise<string[]> {
  await until(async () => {
    const [table] = await db.query<{ made: string | null }>(`select to_regclass('device') as made`)
    return table?.made !== null
  }, 'the table is made')
  await db.transaction(async (tx) => {
    await tx.query('insert into device values ($1)', [id])
    await tx.query('select pg_sleep(0.05)')
  })
  return []
}

function readIndexes(): Promise<{ name: string; is_valid: boolean }[]> {
  return db.query(
    `select indexrelid::regclass::text as name, indisvalid as is_valid from pg_index
     where indrelid = 'device'::regclass order by name`,
  )
}

describe('migrate', () => {
  test('runs the files in order, once', async () => {
    const folder = await prepare()
    assert.deepEqual(await migrate(url, folder), Object.keys(files))
    assert.deepEqual(await migrate(url, folder), [])
    assert.deepEqual(await db.query('select id, name from device'), [{ id: 1, name: 'x' }])
    writeFileSync(join(folder, '0003-more.sql'), 'insert into device values (2)')
    assert.deepEqual(await migrate(url, folder), ['0003-more.sql'])
    assert.deepEqual(await readNames(), [...Object.keys(files), '0003-more.sql'])
  })

  test('takes turns with another server that starts at the same time', async () => {
    const folder = await prepare({ '0003-slow.sql': 'select pg_sleep(0.05)' })
    const done = await Promise.all([1, 2, 3].map(() => migrate(url, folder)))
    assert.deepEqual(done.flat().sort(), [...Object.keys(files), '0003-slow.sql'])
  })

  test('leaves nothing of a file that fails, and names its line', async () => {
    const folder = await prepare({
      '0003-broken.sql': 'insert into device values (3);\n\nselect nonsense;\n',
    })
    await assert.rejects(migrate(url, folder), /0003-broken\.sql, line 3: .*"nonsense"/)
    assert.deepEqual(await readNames(), Object.keys(files))
    assert.deepEqual(await db.query('select id from device'), [{ id: 1 }])
  })

  test('refuses a database that is newer than the program', async () => {
    await migrate(url, await prepare({ '0003-future.sql': 'select 1' }))
    await assert.rejects(
      migrate(url, trial.writeFolder(files)),
      /newer than this program: .*0003-future\.sql.*0002-device-names\.sql/,
    )
  })

  test('refuses a file that was edited after it ran, but not other line ends', async () => {
    const folder = await prepare()
    await migrate(url, folder)
    const copy = trial.writeFolder({})
    cpSync(folder, copy, { recursive: true })
    const text = files['0001-devices.sql']
    writeFileSync(join(copy, '0001-devices.sql'), text.replaceAll('\n', '\r\n'))
    assert.deepEqual(await migrate(url, copy), [])
    writeFileSync(join(copy, '0001-devices.sql'), `${text}-- A remark.\n`)
    await assert.rejects(migrate(url, copy), /its migration 1, 0001-devices\.sql, is another/)
  })

  test('refuses a database with other migrations, and says to start with a new one', async () => {
    await migrate(url, await prepare({ '0003-more.sql': 'select 1' }))
    const folder = trial.writeFolder({
      '0001-schema.sql': 'create table device (id int primary key);',
    })
    for (const attempt of [migrate, checkMigrated]) {
      await assert.rejects(attempt(url, folder), (error) => {
        assert.ok(error instanceof SetupError)
        assert.match(
          error.message,
          /can't upgrade: its migration 1, 0001-devices\.sql, is another\. Start with a new database: /,
        )
        return true
      })
    }
    assert.deepEqual(await readNames(), [...Object.keys(files), '0003-more.sql'])
  })

  test('refuses names that leave a gap, repeat a number, or have none', async () => {
    for (const name of ['0004-gap.sql', '0002-twice.sql', 'unnumbered.sql']) {
      const folder = await prepare({ [name]: 'select 1' })
      await assert.rejects(migrate(url, folder), /the next file must be called/)
    }
  })

  test('makes an index without holding up writers, also while others wait for their turn', async () => {
    const folder = await prepare({ '0003-index.sql': onlineIndex('device_names', 'name') })
    const writers = Array.from({ length: 20 }, (_, index) => writeSlowly(index + 2))
    const done = await Promise.all([...[1, 2, 3].map(() => migrate(url, folder)), ...writers])
    assert.deepEqual(done.flat().sort(), [...Object.keys(files), '0003-index.sql'])
    assert.deepEqual(await readIndexes(), [
      { name: 'device_names', is_valid: true },
      { name: 'device_pkey', is_valid: true },
    ])
  })

  test('makes an index again where it broke off', async () => {
    const folder = await prepare({
      '0003-index.sql': onlineIndex('device_tenths', '(10 / (id - 1))'),
    })
    await assert.rejects(migrate(url, folder), /0003-index\.sql: division by zero/)
    assert.deepEqual(await readNames(), Object.keys(files))
    assert.deepEqual(await readIndexes(), [
      { name: 'device_pkey', is_valid: true },
      { name: 'device_tenths', is_valid: false },
    ])
    await db.query('delete from device')
    assert.deepEqual(await migrate(url, folder), ['0003-index.sql'])
    assert.ok((await readIndexes()).every(({ is_valid }) => is_valid))
  })

  test('refuses a file that ends the transaction', async () => {
    const folder = await prepare({ '0003-commit.sql': 'commit;' })
    await assert.rejects(migrate(url, folder), /0003-commit\.sql ends its transaction/)
  })
})
