import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../src/db/connect.ts'
import { isPostmasterAlive, readPostmasterFile } from '../src/db/embedded/postmaster-file.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { type Installation, makeInstallation, type ServerProcess } from './process.ts'
import { countWrong, readStored } from './stored-uplinks.ts'
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
    const { uplinks, quarantined } = await readStored(db)
    const stored = [...uplinks, ...quarantined]
    assert.deepEqual(stored.sort(), [...traffic.acknowledged].sort())
    const isStranger = (key: string) => tenants.some((tenant) => key.includes(tenant.strangerEui))
    assert(quarantined.length > 0 && quarantined.every(isStranger))
    for (const [what, wrong] of Object.entries(await countWrong(db))) {
      assert.equal(wrong, 0, what)
    }
  } finally {
    await db.close()
    await postgres.stop()
  }
}
