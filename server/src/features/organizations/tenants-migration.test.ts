import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/database.ts'
import { migrate } from '../../db/migrate.ts'
import { migrationsDirectory } from '../../db/migration-files.ts'

test('of organizations that were one tree, each below the first becomes a tenant', async (t) => {
  const { db, url, drop } = await createTestDatabase({ isEmpty: true })
  t.after(drop)
  await migrate(url, migrationsDirectory, { count: 50 })
  // 1 has 2 and 3 below it; 2 has 4, and 4 has 5. 6 has no parent, and 7 is below it.
  const parents = [null, 1, 1, 2, 4, null, 6]
  for (const [index, parent] of parents.entries()) {
    await db.query(
      `insert into organizations (name, parent_org_id, top_id)
       select $1, $2::bigint, (select root_id from organizations where id = $2::bigint)`,
      [`Organization ${index + 1}`, parent],
    )
    if (parent === null) {
      await db.query('insert into organization_trees (root_id) values ($1)', [index + 1])
    }
  }
  const add = (id: number, count: number) =>
    db.query('update organizations set device_count = device_count + $2 where id = $1', [id, count])
  for (let id = 1; id <= 7; id += 1) await add(id, 4 ** (id - 1))
  await migrate(url, migrationsDirectory)
  const read = () =>
    db.query<{ tenant: number; devices: number }>(
      `select organizations.root_id as tenant, organization_trees.device_count as devices
       from organizations join organization_trees on organization_trees.root_id = organizations.id
       order by organizations.id`,
    )
  const counts = [1, 324, 16, 320, 256, 5120, 4096]
  assert.deepEqual(
    await read(),
    [1, 2, 3, 2, 2, 6, 6].map((tenant, index) => ({ tenant, devices: counts[index] })),
  )
  await add(5, 1)
  assert.deepEqual(
    (await read()).map(({ devices }) => devices),
    [1, 325, 16, 321, 257, 5120, 4096],
  )
})
