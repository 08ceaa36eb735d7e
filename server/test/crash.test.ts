import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../src/db/connect.ts'
import { isPostmasterAlive, readPostmasterFile } from '../src/db/embedded/postmaster-file.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { type Installation, makeInstallation, type ServerProcess } from './process.ts'
import { call, makeTenants, startSenders, type Tenant, type Traffic } from './traffic.ts'

const roundsOfEach = 5
/** Acknowledged uplinks between the recovery from a kill and the next kill. */
const uplinksBetweenKills = 150
/** A message waits this long, in milliseconds, while the database is unreachable. */
const patience = 4000
const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }
const settings = {
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  API_RATE_LIMIT: '0',
}
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

// shows 11.2.3
test('what was acknowledged is stored once, whatever is killed', {
  timeout: 600_000,
}, async (t) => {
  const installation = await makeInstallation(t)
  const cluster = join(installation.dataDir, 'postgres', 'cluster')
  let server = await startServing(installation)
  const tenants = await makeTenants(installation.address, admin)
  const traffic = startSenders(tenants)
  t.after(traffic.abandon)

  for (let round = 0; round < roundsOfEach; round++) {
    await traffic.receive(uplinksBetweenKills)
    await server.end('SIGKILL')
    server = await startServing(installation)

    await traffic.receive(uplinksBetweenKills)
    await killPostgres(cluster)
  }
  await traffic.receive(uplinksBetweenKills)
  await Promise.all([killPostgres(cluster), server.end('SIGKILL')])
  server = await startServing(installation)
  await traffic.receive(uplinksBetweenKills)
  await traffic.finish()
  const { sent, acknowledged, refusals, refusedAfter } = traffic
  t.diagnostic(
    `${acknowledged.size} uplinks, ${refusals} refusals, ${refusedAfter.length} of them by 503`,
  )
  assert.deepEqual([...acknowledged].sort(), [...sent].sort())
  assert(refusals > 0, 'the kills were felt')
  // If the database is back in time, the sender gets no refusal, whichever statement waited for it.
  assert.deepEqual(
    refusedAfter.filter((milliseconds) => milliseconds < patience),
    [],
  )

  for (const tenant of tenants) await checkLists(installation.address, tenant, traffic)
  const postmaster = await readPostmasterFile(cluster)
  assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
  assert(postmaster && !(await isPostmasterAlive(postmaster)), 'PostgreSQL has ended')
  assert(!existsSync(join(cluster, 'postmaster.pid')))
  await checkTables(installation.dataDir, tenants, traffic)
  await installation.remove()
  assert(!existsSync(installation.dataDir))
})

async function killPostgres(cluster: string): Promise<void> {
  const postmaster = await readPostmasterFile(cluster)
  assert(postmaster, 'PostgreSQL runs')
  process.kill(postmaster.pid, 'SIGKILL')
  while (await isPostmasterAlive(postmaster)) await wait(5)
}

async function startServing(installation: Installation): Promise<ServerProcess> {
  const server = installation.start(settings)
  await server.waitFor('"msg":"serving"')
  return server
}

/** Compares the tenant's uplinks in the API with the acknowledged ones. */
async function checkLists(address: string, tenant: Tenant, traffic: Traffic): Promise<void> {
  const { headers, euis, organizationId } = tenant
  const keys = [...traffic.acknowledged].filter((key) => key.startsWith(`${organizationId} `))
  let sum = 0
  for (const eui of euis) {
    const { meta } = await call(`${address}/v1/devices/${eui}/uplink`, { headers })
    assert.equal(meta.total, keys.filter((key) => key.includes(eui)).length, eui)
    sum += meta.total as number
  }
  const { meta } = await call(`${address}/v1/devices/all/uplink`, { headers })
  assert.equal(meta.total, sum)
}

/** Checks the tables themselves after the end of the server. */
async function checkTables(dataDir: string, tenants: Tenant[], traffic: Traffic): Promise<void> {
  const postgres = await startEmbedded({ dataDir, log: quiet })
  const db = connect(postgres.url)
  try {
    const uplinks = await db.query<{ key: string }>(
      `select organization_id || ' ' || eui || ' ' || deduplication_key as key
       from uplinks join devices using (organization_id)
       where devices.id = uplinks.device_id`,
    )
    const quarantined = await db.query<{ key: string }>(
      `select organization_id || ' ' || device_eui || ' ' || deduplication_key as key
       from quarantined_messages`,
    )
    const stored = [...uplinks, ...quarantined].map(({ key }) => key)
    assert.deepEqual(stored.sort(), [...traffic.acknowledged].sort())
    const isStranger = (key: string) => tenants.some((tenant) => key.includes(tenant.strangerEui))
    assert(quarantined.length > 0 && quarantined.every(({ key }) => isStranger(key)))
    for (const [what, wrong] of Object.entries(await countWrong(db))) {
      assert.equal(wrong, 0, what)
    }
  } finally {
    await db.close()
    await postgres.stop()
  }
}

/** Counts the organizations and devices with a gap in their ordinals or with a wrong counter. */
async function countWrong(db: ReturnType<typeof connect>): Promise<Record<string, number>> {
  const [wrong] = await db.query<Record<string, number>>(
    `with organization as (
       select organization_id, count(*), count(distinct ordinal) as different,
         min(ordinal) as first, max(ordinal) as last
       from uplinks group by organization_id
     ), device as (
       select device_id, count(*), count(distinct device_ordinal) as different,
         min(device_ordinal) as first, max(device_ordinal) as last
       from uplinks group by device_id
     ), quarantine as (
       select organization_id, count(*) from quarantined_messages group by organization_id
     )
     select
       (select count(*) from organization full join organization_counters using (organization_id)
        where (first, last, different, uplink_count) is distinct from (1, count, count, count))
         as organizations,
       (select count(*) from device full join device_states using (device_id)
        where (first, last, different, uplink_count) is distinct from (1, count, count, count))
         as devices,
       (select count(*) from quarantine full join organization_counters using (organization_id)
        where quarantine_count is distinct from count) as quarantines`,
  )
  assert(wrong)
  return wrong
}
