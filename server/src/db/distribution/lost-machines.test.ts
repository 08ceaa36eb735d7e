import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { findPrograms } from '../../../citus/programs.ts'
import { type CitusService, startCitusService } from '../../../test/citus-service.ts'
import { findFreePort } from '../../../test/port.ts'
import type { Node } from '../../../test/postgres-node.ts'
import { countWrong, readStored } from '../../../test/stored-uplinks.ts'
import { call, startSenders, type Traffic } from '../../../test/traffic.ts'
import { until } from '../../../test/until.ts'
import { startReceiver } from '../../../test/webhook-receiver.ts'
import { connect } from '../connect.ts'
import { splitStatements } from './split-statements.ts'

const page = new URL('../../../../docs/scaling.md', import.meta.url)
const bin = findPrograms(process.env.PG_CONFIG)
/** Uplinks a second of each organization; LOSS_RATE is for measurements. */
const rate = Number(process.env.LOSS_RATE ?? 50)

/** Of the organization whose worker is lost, and of the one on the other worker. */
type Traffics = [Traffic, Traffic]

/** Runs the statements below a heading of the page, on the machines that it names. */
async function follow(heading: string, machines: Record<string, Node>): Promise<void> {
  const text = await readFile(page, 'utf8')
  const [, section = ''] = new RegExp(`^#+ ${heading}\n(.*?)(?=^#)`, 'ms').exec(text) ?? []
  const blocks = [...section.matchAll(/[Oo]n\s`(\S+)`:\n\n```sql\n(.*?)^```$/gms)]
  assert.equal(blocks.length, section.split('```sql').length - 1, heading)
  for (const [, on = '', block = ''] of blocks) {
    const local = block.replaceAll(
      /'(\w+)\.example\.test', 5432/g,
      (_, name) => `'127.0.0.1', ${machines[name]?.port}`,
    )
    for (const { text: statement } of splitStatements(local)) {
      const [, setting] = /^\s*alter system set (\w+)/.exec(statement) ?? []
      const known = `select from pg_settings where name = '${setting}'`
      // Not all releases of PostgreSQL have each setting.
      if (setting && (await machines[on]?.run(known))?.length === 0) continue
      await machines[on]?.run(statement)
    }
  }
}

async function findWorker({ nodes }: CitusService, organization: number): Promise<Node> {
  const [placed] = await nodes.coordinator.run<{ nodeport: number }>(
    `select nodeport from citus_shards
     where shardid = get_shard_id_for_distribution_column('organization_counters', ${organization})`,
  )
  const worker = nodes.workers.find(({ port }) => port === placed?.nodeport)
  assert.ok(worker)
  return worker
}

/** What was acknowledged so far is stored; nothing is stored twice. */
async function checkStored({ nodes }: CitusService, traffics: Traffics): Promise<string[]> {
  const acknowledged = traffics.flatMap((traffic) => [...traffic.acknowledged])
  const db = connect(nodes.coordinator.url)
  try {
    const { uplinks, quarantined } = await readStored(db)
    const stored = new Set([...uplinks, ...quarantined])
    assert.equal(stored.size, uplinks.length + quarantined.length, 'nothing is there twice')
    assert.deepEqual(
      acknowledged.filter((key) => !stored.has(key)),
      [],
      'nothing is lost',
    )
    return [...stored]
  } finally {
    await db.close()
  }
}

/** Takes a step under uplinks, and waits until both organizations store them again. */
async function take(
  t: TestContext,
  service: CitusService,
  traffics: Traffics,
  [name, step]: readonly [string, () => Promise<void>],
): Promise<void> {
  const read = () =>
    traffics.map(({ acknowledged, refusals }) => ({ stored: acknowledged.size, refusals }))
  const before = read()
  const began = performance.now()
  await step()
  const took = performance.now() - began
  await Promise.all(traffics.map((traffic) => traffic.receive(64)))
  const both = performance.now() - began
  const told = read().map(
    ({ stored, refusals }, index) =>
      `${stored - (before[index]?.stored ?? 0)} uplinks and ` +
      `${refusals - (before[index]?.refusals ?? 0)} refusals`,
  )
  t.diagnostic(`${name}: ${Math.round(took)} ms; after ${Math.round(both)} ms ${told.join(', ')}`)
  await checkStored(service, traffics)
}

test('nothing is lost when a worker dies or is replaced, or an organization gets its own shard', {
  skip: !bin && 'no PostgreSQL with Citus',
}, async (t) => {
  const service = await startCitusService(t, bin ?? '')
  const { nodes, server, tenants } = service
  const [first, second] = tenants
  assert.ok(first && second)
  const worker = await findWorker(service, first.organizationId)
  const receivers = await Promise.all(
    tenants.map(async ({ headers, address }) => {
      const receiver = await startReceiver(t)
      const body = { name: 'Test', url: receiver.url, events: ['uplink'] }
      await call(`${address}/v1/webhooks`, { method: 'POST', headers, body })
      return receiver
    }),
  )
  const traffics: Traffics = [startSenders([first], rate), startSenders([second], rate)]
  for (const traffic of traffics) t.after(traffic.abandon)
  const [there, elsewhere] = traffics
  for (const traffic of traffics) await traffic.receive(64)
  const standby = await nodes.addStandby(worker, await findFreePort())
  const other = await findWorker(service, second.organizationId)
  assert.notEqual(worker, other)
  const machines = { db0: nodes.coordinator, db1: worker, db2: other, db3: standby }
  await follow('A standby for a worker', machines)
  await until(async () => {
    const states = await worker.run(`select from pg_stat_replication where sync_state = 'sync'`)
    return states.length === 1
  }, 'the standby confirms')
  const steps = {
    async 'a worker that starts again'() {
      await worker.kill()
      await until(() => there.refusals > 0, 'uplinks of its organization are refused')
      await elsewhere.receive(64)
      await worker.start()
    },
    'organizations with their own shards': () => follow('A shard for one organization', machines),
    async 'a worker that its standby replaces'() {
      // Citus waits for its answer to a cancellation, without a limit.
      const refused = there.refusals
      await worker.freeze()
      await until(() => there.refusals > refused, 'uplinks of its organization are refused')
      await nodes.coordinator.stop('SIGQUIT')
      await nodes.coordinator.start()
      await follow('When a worker is lost', machines)
    },
  }
  for (const step of Object.entries(steps)) await take(t, service, traffics, step)
  for (const traffic of traffics) {
    await traffic.finish()
    assert.equal(traffic.unanswered, 0)
  }
  const acknowledged = traffics.flatMap((traffic) => [...traffic.acknowledged])
  assert.deepEqual((await checkStored(service, traffics)).sort(), acknowledged.sort())
  await checkRest([machines.db0, machines.db2, machines.db3])
  for (const [index, tenant] of tenants.entries()) {
    const { meta } = await call(`${tenant.address}/v1/devices/all/uplink?itemsPerPage=1`, tenant)
    const told = () => new Set(receivers[index]?.received.map(({ id }) => id))
    await until(() => told().size === meta.total, 'the webhook has told of all')
  }
  assert.deepEqual(await server.end('SIGTERM'), { code: 0, signal: null })
})

/** The counters are right, and no transaction is left prepared on a machine. */
async function checkRest(nodes: readonly [Node, ...Node[]]): Promise<void> {
  const db = connect(nodes[0].url)
  try {
    const wrong = await countWrong(db)
    assert.deepEqual(wrong, { organizations: 0, devices: 0, quarantines: 0 })
  } finally {
    await db.close()
  }
  for (const node of nodes) {
    await until(async () => {
      const prepared = await node.run('select from pg_prepared_xacts')
      return prepared.length === 0
    }, 'no transaction is left prepared')
  }
}
