import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { connect } from '../src/db/connect.ts'
import { makeUp } from './chirpstack-uplinks.ts'
import { makeInstallation } from './process.ts'
import { type Replicated, startReplicated } from './replicated.ts'
import { countWrong, readStored } from './stored-uplinks.ts'
import { makeTenants, startSenders, type Tenant, type Traffic } from './traffic.ts'
import { until } from './until.ts'

const admin = { email: 'owner@example.test', password: 'an invented pass phrase' }

/** The service on a primary and its standby. */
async function startService(t: TestContext, { url }: Replicated) {
  const { start, address } = await makeInstallation(t)
  const server = start({
    ...{ DATABASE_URL: url, SECRET_KEY: 'an invented key of more than 32 characters' },
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, API_RATE_LIMIT: '0' },
  })
  await server.waitFor('"msg":"serving"')
  return makeTenants(address, admin)
}

/** What was acknowledged, compared with what the new primary has. */
async function checkStored({ url }: Replicated, traffic: Traffic): Promise<void> {
  const db = connect(url)
  try {
    const { uplinks, quarantined } = await readStored(db)
    assert.deepEqual([...uplinks, ...quarantined].sort(), [...traffic.acknowledged].sort())
    for (const [what, wrong] of Object.entries(await countWrong(db))) assert.equal(wrong, 0, what)
  } finally {
    await db.close()
  }
}

describe('a standby that takes over', () => {
  test('has all that was acknowledged, where replication is synchronous', async (t) => {
    const pair = await startReplicated(t, { isSynchronous: true })
    const tenants = await startService(t, pair)
    const traffic = startSenders(tenants)
    t.after(traffic.abandon)
    await traffic.receive(300)
    await pair.primary.kill()
    await pair.standby.run('select pg_promote()')
    await traffic.receive(300)
    await traffic.finish()
    await checkStored(pair, traffic)
  })

  test('is followed when the primary stays, and only reads', async (t) => {
    const pair = await startReplicated(t, { isSynchronous: true })
    const tenants = await startService(t, pair)
    const traffic = startSenders(tenants)
    t.after(traffic.abandon)
    await traffic.receive(300)
    const { primary, standby } = pair
    await primary.run('alter system set default_transaction_read_only = on')
    await primary.run('select pg_reload_conf()')
    await until(async () => {
      const [row] = await primary.run<{ done: boolean }>(
        `select coalesce(bool_and(replay_lsn = pg_current_wal_lsn()), false) as done
         from pg_stat_replication`,
      )
      return row?.done === true
    })
    await standby.run('select pg_promote()')
    await traffic.receive(300)
    await traffic.finish()
    await checkStored(pair, traffic)
  })
})

test('nothing is acknowledged that a synchronous standby has not confirmed', async (t) => {
  const pair = await startReplicated(t, { isSynchronous: true })
  const tenants = await startService(t, pair)
  const [tenant] = tenants
  assert.ok(tenant)
  const body = JSON.stringify(makeUp({ eui: tenant.euis[0] ?? '' }))
  await pair.standby.kill()
  // The second time the uplink is there already, on the primary.
  assert.equal(await send(tenant, body), 503)
  assert.equal(await send(tenant, body), 503)
  await pair.standby.start()
  await until(async () => (await send(tenant, body)) === 200, 'it is acknowledged')
  const db = connect(pair.url)
  t.after(() => db.close())
  assert.equal((await readStored(db)).uplinks.length, 1)
})

async function send({ callback }: Tenant, body: string): Promise<number> {
  const { url, header, value } = callback
  const headers = { 'content-type': 'application/json', [header]: value }
  const { status } = await fetch(`${url}?event=up`, { method: 'POST', headers, body })
  return status
}
