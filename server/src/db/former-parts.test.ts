import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { dropFormerIndexes } from './former-parts.ts'
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
  await dropFormerIndexes(db)
  assert.equal(await isThere(), true)

  await db.query('delete from processes where id = $1', [previous])
  await dropFormerIndexes(db)
  assert.equal(await isThere(), false)
  await dropFormerIndexes(db)
})
