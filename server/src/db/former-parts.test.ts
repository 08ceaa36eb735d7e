import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isCluster } from '../../test/citus.ts'
import { createTestDatabase } from '../../test/database.ts'
import { dropFormerParts } from './former-parts.ts'
import { migrationsDirectory } from './migration-files.ts'
import { showLife } from './presence.ts'

const { db, drop } = await createTestDatabase()
after(drop)

async function isThere(): Promise<boolean> {
  const found = await db.query(`select where to_regclass('uplinks_deduplication') is not null`)
  return found.length > 0
}

test('an index that only the previous release uses goes with its last process', async () => {
  assert.equal(await isThere(), false, 'no process ran while the database was made')
  await db.query(
    'create index uplinks_deduplication on uplinks (organization_id, device_id, deduplication_key)',
  )
  const previous = randomUUID()
  await db.query(
    `insert into processes (id, alive_until) values ($1, clock_timestamp() + interval '1 minute')`,
    [previous],
  )
  await showLife(db, randomUUID(), 60)
  await dropFormerParts(db)
  assert.equal(await isThere(), true)

  await db.query('delete from processes where id = $1', [previous])
  await dropFormerParts(db)
  assert.equal(await isThere(), false)
  await dropFormerParts(db)
})

/** Migrations make none on Citus. */
const hasTriggers = !isCluster()

test('a trigger writes what the previous release does not, and goes with its last process', {
  skip: !hasTriggers,
}, async () => {
  const previous = randomUUID()
  await db.query(
    `insert into processes (id, alive_until) values ($1, clock_timestamp() + interval '1 minute')`,
    [previous],
  )
  const migration = readFileSync(join(migrationsDirectory, '0042-coarse-states.sql'), 'utf8')
  await db.query(migration.slice(migration.indexOf('do $$')))
  // Neither organization nor device: the trigger concerns the state alone.
  await db.query('alter table device_states drop constraint device_states_device')
  await db.query('insert into device_states (organization_id, device_id) values (1, 1)')
  const write = (time: string | null, status: object) =>
    db.query(
      `update device_states set last_seen = $1, status = $2
       returning seen_period, battery_volts, warnings`,
      [time, JSON.stringify(status)],
    )
  const isLow = { battery: '2.1V', low_battery: 'Yes', tamper: 'No' }
  assert.deepEqual(await write('2026-03-01T11:59:59Z', isLow), [
    { seen_period: 41026, battery_volts: 2.1, warnings: 1 },
  ])
  assert.deepEqual(await write('2026-03-01T12:00:00Z', { battery: 'none', tamper: 'Yes' }), [
    { seen_period: 41027, battery_volts: null, warnings: 2 },
  ])
  assert.deepEqual(await write(null, {}), [{ seen_period: -1, battery_volts: null, warnings: 0 }])

  await dropFormerParts(db)
  const triggers = () => db.query(`select from pg_trigger where tgname = 'coarse_state'`)
  assert.equal((await triggers()).length, 1)
  await db.query('delete from processes where id = $1', [previous])
  await dropFormerParts(db)
  assert.equal((await triggers()).length, 0)
  await dropFormerParts(db)
})
