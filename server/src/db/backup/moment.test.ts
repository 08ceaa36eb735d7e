import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeOrganization } from '../../../test/chirpstack-uplinks.ts'
import { databasesOf, isCluster, joinNodes } from '../../../test/citus.ts'
import { createTestDatabase, serverVariable } from '../../../test/database.ts'
import { startTestService } from '../../../test/service.ts'
import { startSteadyUplinks } from '../../../test/steady-uplinks.ts'
import { countWrong, readStored } from '../../../test/stored-uplinks.ts'
import { until } from '../../../test/until.ts'
import { connect, type Database } from '../connect.ts'
import { distribute } from '../distribution/distribute.ts'
import { readManifest } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

/** On Citus, the organizations are on several machines, which have no common snapshot. */

const service = await startTestService({ after })
const organizations = [service.owner]
for (const name of ['one', 'two', 'three', 'four', 'five']) {
  organizations.push(await makeOrganization(service, name))
}

/** The rows are those of one moment, and what comes next gets a number of its own. */
async function check(
  restored: Database,
  acknowledged: ReadonlySet<string>,
  before: readonly string[],
) {
  assert.deepEqual(await countWrong(restored), { organizations: 0, devices: 0, quarantines: 0 })
  const { uplinks, quarantined } = await readStored(restored)
  const stored = new Set([...uplinks, ...quarantined])
  assert.equal(stored.size, uplinks.length + quarantined.length, 'nothing twice')
  assert.deepEqual(
    before.filter((key) => !stored.has(key)),
    [],
    'what was acknowledged before',
  )
  assert.deepEqual(
    [...stored].filter((key) => !acknowledged.has(key)),
    [],
    'nothing else',
  )
  const columns = await restored.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and pg_get_serial_sequence(table_name, column_name) is not null`,
  )
  assert.ok(columns.length > 20)
  for (const { table, column } of columns) {
    const [given] = await restored.query<{ next: number; last: number | null }>(
      `select nextval(pg_get_serial_sequence('${table}', '${column}')) as next,
         (select max(${column}) from ${table}) as last`,
    )
    assert.ok(given && given.next > (given.last ?? 0), `${table}.${column}`)
  }
  return stored.size
}

test('a backup under running uplinks is of one moment, on whatever it is restored', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'lora-fleet-moment-'))
  t.after(() => rm(directory, { recursive: true }))
  const { acknowledged, waits, stop } = await startSteadyUplinks(service, organizations)
  t.after(stop)
  await until(() => acknowledged.size > 300, 'uplinks are stored')
  const before = [...acknowledged]
  const took = performance.now()
  await writeBackup(service.databaseUrl, directory)
  const duration = performance.now() - took
  const during = acknowledged.size - before.length
  await stop()
  const longest = Math.round(Math.max(...waits))
  t.diagnostic(
    `${Math.round(duration)} ms, ${during} uplinks meanwhile, the longest after ${longest} ms`,
  )
  assert.ok(during > 0, 'uplinks were stored meanwhile')
  const fresh = await createTestDatabase({ isEmpty: true })
  t.after(fresh.drop)
  await restoreBackup(fresh.url, directory, await readManifest(directory))
  const rows = await check(fresh.db, acknowledged, before)
  assert.ok(rows < acknowledged.size, 'the moment was before the end')
  if (isCluster()) await restoreAndDistribute(t, directory, acknowledged, before)
})

async function restoreAndDistribute(
  t: { after(end: () => Promise<void>): void },
  directory: string,
  acknowledged: ReadonlySet<string>,
  before: readonly string[],
) {
  const cluster = await createTestDatabase({ isEmpty: true })
  t.after(cluster.drop)
  const name = new URL(cluster.url).pathname.slice(1)
  await joinNodes(databasesOf(process.env[serverVariable] ?? '', name))
  await restoreBackup(cluster.url, directory, await readManifest(directory))
  const patient = connect(cluster.url, { statementTimeout: 120_000 })
  t.after(patient.close)
  assert.ok((await patient.transaction(distribute)).length > 40)
  await check(cluster.db, acknowledged, before)
}
