import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeOrganization } from '../../test/chirpstack-uplinks.ts'
import { isCluster } from '../../test/citus.ts'
import { euiOf } from '../../test/fleet.ts'
import { tinyPhoto } from '../../test/floor-plans.ts'
import { startTestService } from '../../test/service.ts'
import { startSteadyUplinks } from '../../test/steady-uplinks.ts'
import { countWrong, readStored } from '../../test/stored-uplinks.ts'
import { until } from '../../test/until.ts'
import { checkMigrated, migrate, migrationsDirectory, readMigrations } from './migrate.ts'
import { SetupError } from './setup-error.ts'

const service = await startTestService({ after })
const { db } = service.services

/** The names of the next migrations. */
const count = readMigrations(migrationsDirectory).length
const numbered = (place: number, name: string) =>
  `${String(count + place).padStart(4, '0')}-${name}.sql`
const nextNames = [numbered(1, 'made-up'), numbered(2, 'more'), numbered(3, 'index')] as const

/**
 * A made-up next version: three migrations, of which the second changes a table that the first makes,
 * and the third makes an index as a large table needs it.
 */
async function writeNextVersion(t: { after(end: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lora-fleet-next-'))
  t.after(() => rm(folder, { recursive: true }))
  await cp(migrationsDirectory, folder, { recursive: true })
  const schema = await readFile(join(folder, '0001-schema.sql'), 'utf8')
  const [table] = /^create table device_photos \(.*?^\);\n.*?;\n/ms.exec(schema) ?? []
  assert.ok(table)
  await writeFile(
    join(folder, nextNames[0]),
    `create index uplinks_made_up on uplinks (organization_id, f_port);
     alter table devices add column made_up text not null default 'as it was';
     alter table devices add constraint devices_made_up check (length(made_up) < 100);
     alter table devices drop constraint devices_register_status_check;
     alter table devices add constraint devices_register_status_check
       check (register_status in ('pending', 'active', 'register_error', 'made_up'));
     create index devices_made_up on devices (organization_id, made_up);
     ${table}
     create table made_up (
       organization_id bigint not null references organizations,
       user_id bigint not null references users,
       device_id bigint not null,
       foreign key (organization_id, device_id) references devices
     );`,
  )
  await writeFile(
    join(folder, nextNames[1]),
    `alter table device_photos add column made_up text;
     update device_photos set made_up = caption;`,
  )
  await writeFile(
    join(folder, nextNames[2]),
    `-- One by one: uplinks go on.
     drop index concurrently if exists uplinks_online;
     create index concurrently uplinks_online on uplinks (organization_id, rssi);`,
  )
  return folder
}

/** A start that does not get its locks in time is made again, as docs/scaling.md says. */
async function upgrade(folder: string): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await migrate(service.databaseUrl, folder)
      break
    } catch (error) {
      if (!(error instanceof SetupError) || attempt === 10) throw error
    }
  }
  const rows = await db.query<{ name: string }>(
    'select name from schema_migrations order by number',
  )
  return rows.slice(-nextNames.length).map(({ name }) => name)
}

test('the next version migrates while this one stores uplinks', async (t) => {
  const organizations = [service.owner]
  for (const name of ['one', 'two', 'three']) {
    organizations.push(await makeOrganization(service, name))
  }
  // As if this version did not have it yet.
  await db.query('drop table device_photos')
  const folder = await writeNextVersion(t)
  const uplinks = await startSteadyUplinks(service, organizations)
  t.after(uplinks.stop)
  const { acknowledged, waits } = uplinks
  await until(() => acknowledged.size > 100, 'uplinks are stored')
  const applied = await upgrade(folder)
  const before = acknowledged.size
  await until(() => acknowledged.size > before + 100, 'uplinks are stored after it')
  await uplinks.stop()
  t.diagnostic(
    `${acknowledged.size} uplinks, the longest after ${Math.round(Math.max(...waits))} ms,` +
      ` ${uplinks.refusals()} answers with 503`,
  )
  assert.deepEqual(applied, nextNames)
  await checkMigrated(service.databaseUrl, folder)
  const stored = await readStored(db)
  assert.deepEqual(
    [...stored.uplinks, ...stored.quarantined].sort(),
    [...acknowledged].sort(),
    'what was acknowledged is stored once',
  )
  assert.deepEqual(await countWrong(db), { organizations: 0, devices: 0, quarantines: 0 })
  await checkChanges()
})

async function checkChanges() {
  const made = await db.query<{ made_up: string }>('select distinct made_up from devices')
  assert.deepEqual(made, [{ made_up: 'as it was' }])
  const change = (column: string, value: string) =>
    db.query(`update devices set ${column} = '${value}' where organization_id = 1`)
  await change('register_status', 'made_up')
  await change('register_status', 'active')
  await assert.rejects(change('made_up', 'x'.repeat(100)), /devices_made_up/)
  const [keys] = await db.query<{ count: number }>(
    `select count(*) from pg_constraint
     where conrelid = 'device_photos'::regclass and confrelid = 'devices'::regclass`,
  )
  assert.equal(keys?.count, 1)
  const photos = `/v1/devices/${euiOf(1)}/photos`
  const answer = await service.call('POST', photos, { body: { image: tinyPhoto } })
  assert.equal(answer.status, 201, answer.text)
  assert.equal((await service.call('GET', photos)).body.data.length, 1)
  await db.query('insert into made_up select organization_id, user_id, id from devices limit 1')
  if (!isCluster()) return
  const [spread] = await db.query<{ shards: number }>(
    `select count(*) as shards from pg_dist_shard where logicalrelid = 'device_photos'::regclass`,
  )
  assert.ok(spread && spread.shards > 1, 'the new table is distributed')
}
