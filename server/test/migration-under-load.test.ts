import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Database } from '../src/db/connect.ts'
import { migrate } from '../src/db/migrate.ts'
import { migrationsDirectory } from '../src/db/migration-files.ts'
import { createTestDatabase } from './database.ts'
import { makeInstallation } from './process.ts'
import { makeTenants, startSenders } from './traffic.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const storedUplinks = 100_000

/** One of each kind: a new column, then an index and a filling of it that take their time. */
const changes = [
  ['a-column', 'alter table uplinks add column heard_by integer;'],
  [
    'an-index',
    `-- outside a transaction
create index concurrently uplinks_heard_by on uplinks (organization_id, heard_by, ordinal);
-- in batches
with portion as (
  select organization_id, ordinal, gateways from uplinks
  where organization_id = 1 and ordinal > coalesce($1::bigint, 0) order by ordinal limit 10000
), changed as (
  update uplinks set heard_by = jsonb_array_length(portion.gateways) from portion
  where uplinks.organization_id = portion.organization_id and uplinks.ordinal = portion.ordinal
)
select max(ordinal) from portion having count(*) = 10000;`,
  ],
] as const

test('migrates a full table while uplinks are ingested, and none is refused', {
  timeout: 120_000,
}, async (t) => {
  const database = await createTestDatabase()
  const installation = await makeInstallation(t)
  const server = installation.start({
    DATABASE_URL: database.url,
    SECRET_KEY: 'an invented key of more than 32 characters',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    API_RATE_LIMIT: '0',
  })
  const folder = copyMigrations()
  try {
    await server.waitFor('"msg":"serving"')
    const tenants = await makeTenants(installation.address, admin)
    const first = startSenders(tenants)
    await first.receive(1)
    await first.finish()
    await fillTable(database.db)
    const traffic = startSenders(tenants)
    t.after(traffic.abandon)
    await traffic.receive(100)
    const before = traffic.acknowledged.size
    assert.equal((await migrate(database.url, folder)).length, changes.length)
    const during = traffic.acknowledged.size - before
    await traffic.receive(100)
    await traffic.finish()

    t.diagnostic(`${during} uplinks were acknowledged during the migrations`)
    assert.ok(during > 0)
    assert.equal(traffic.refusals, 0)
    assert.deepEqual([...traffic.acknowledged].sort(), [...traffic.sent].sort())
    assert.deepEqual(await readResult(database.db), { valid: true, isFull: true, empty: 0 })
  } finally {
    rmSync(folder, { recursive: true })
    await server.end('SIGKILL')
    await database.drop()
  }
})

/** The migrations of this program, and `changes` after them. */
function copyMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'migration-under-load-'))
  cpSync(migrationsDirectory, folder, { recursive: true })
  const count = readdirSync(folder).filter((name) => name.endsWith('.sql')).length
  for (const [index, [name, text]] of changes.entries()) {
    const number = String(count + 1 + index).padStart(4, '0')
    writeFileSync(join(folder, `${number}-${name}.sql`), text)
  }
  return folder
}

/** Copies a stored uplink many times, with the ordinals that its counters give. */
async function fillTable(db: Database): Promise<void> {
  const [names] = await db.query<{ others: string }>(
    `select string_agg(quote_ident(attname), ', ') as others from pg_attribute
     where attrelid = 'uplinks'::regclass and attnum > 0 and not attisdropped
       and attidentity = '' and attgenerated = ''
       and attname not in ('ordinal', 'device_ordinal', 'deduplication_key')`,
  )
  await db.transaction(async (tx) => {
    const [counter] = await tx.query<{ last: number }>(
      `update organization_counters set uplink_count = uplink_count + $1 where organization_id = 1
       returning uplink_count - $1 as last`,
      [storedUplinks],
    )
    await tx.query(
      `with pattern as (
         select * from uplinks where organization_id = 1 order by ordinal limit 1
       ), counter as (
         update device_states set uplink_count = uplink_count + $2
         from pattern
         where device_states.organization_id = 1 and device_states.device_id = pattern.device_id
         returning device_states.uplink_count - $2 as last
       )
       insert into uplinks (ordinal, device_ordinal, deduplication_key, ${names?.others})
       select $1 + number, counter.last + number, 'copy ' || number, ${names?.others}
       from pattern, counter, generate_series(1, $2::int) as number`,
      [counter?.last, storedUplinks],
    )
  })
}

/** `empty` counts the rows of before the migration that lack their value. */
async function readResult(db: Database): Promise<unknown> {
  const [result] = await db.query(
    `select indisvalid as valid,
       (select count(*) >= $1 from uplinks where organization_id = 1) as "isFull",
       (select count(*) from uplinks where deduplication_key like 'copy %' and heard_by is null)
         as empty
     from pg_index where indexrelid = 'uplinks_heard_by'::regclass`,
    [storedUplinks],
  )
  return result
}
