import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStream } from './live-stream.ts'
import { prepareProcesses } from './several-processes.ts'
import {
  addDevices,
  brokerEui,
  countCalls,
  countDoubleSessions,
  startDownlinks,
  startPublishing,
  strandedEuis,
} from './several-processes-traffic.ts'
import { countWrong, readStored } from './stored-uplinks.ts'
import { startSenders } from './traffic.ts'
import { until } from './until.ts'

const processCount = 4
const uplinksBetweenKills = 200
/** A killed process counts as dead after 5 s; the others look each second. */
const mostWithoutFollower = 20_000

test('four processes on one database lose and repeat nothing when they are killed in turn', {
  timeout: 300_000,
}, async (t) => {
  const prepared = await prepareProcesses(t, processCount)
  const { database, broker, simulator, address, processes, tenants } = prepared
  const doubles = countDoubleSessions(broker.broker)
  const [first] = tenants
  assert.ok(first)
  await addDevices(address, first, simulator)
  await Promise.all(processes.slice(1).map((each) => each.start()))
  const last = processes.at(-1)
  assert.ok(last)
  const stream = await openStream({
    services: { publicUrl: last.address },
    owner: { token: first.headers.authorization?.slice('Bearer '.length) ?? '', organizationId: 1 },
  })
  t.after(stream.close)

  const traffic = startSenders(tenants)
  t.after(traffic.abandon)
  const downlinks = startDownlinks(address, first, simulator)
  t.after(downlinks.stop)
  const published = startPublishing(broker.publish, simulator.applicationId)
  t.after(published.stop)
  const comparisons = countCalls(simulator, '/api.DeviceService/List')
  await database.db.query(
    'update network_accounts set next_comparison_at = now() where organization_id = 1',
  )
  // Before the first kill: a comparison whose process dies is made a day later.
  await until(() => comparisons.count > 0, 'the account is compared')
  for (const [index, victim] of processes.slice(0, -1).entries()) {
    await traffic.receive(uplinksBetweenKills)
    await downlinks.acknowledge(5)
    await downlinks.strand(victim.address, strandedEuis[index] ?? '', database.db)
    await victim.kill()
    const killedAt = performance.now()
    await traffic.receive(uplinksBetweenKills)
    await until(() => broker.broker.connectedClients === 1, 'a follower')
    const silence = performance.now() - killedAt
    t.diagnostic(`the broker was followed again after ${Math.round(silence)} ms`)
    assert.ok(silence < mostWithoutFollower)
    if (victim === processes[0]) await victim.start()
  }
  await traffic.finish()
  await downlinks.stop()
  await published.stop()

  t.diagnostic(`${traffic.acknowledged.size} uplinks, ${traffic.refusals} refusals`)
  assert.deepEqual([...traffic.acknowledged].sort(), [...traffic.sent].sort())
  const isPublished = (key: string) => key.includes(brokerEui)
  await until(async () => {
    const { uplinks } = await readStored(database.db)
    return uplinks.filter(isPublished).length === published.keys.length
  }, 'all of the broker are stored')
  const { uplinks, quarantined } = await readStored(database.db)
  const stored = [...uplinks, ...quarantined].filter((key) => !isPublished(key))
  assert.deepEqual(stored.sort(), [...traffic.acknowledged].sort())
  assert.deepEqual(uplinks.filter(isPublished).sort(), published.keys.sort())
  for (const [what, wrong] of Object.entries(await countWrong(database.db))) {
    assert.equal(wrong, 0, what)
  }
  await downlinks.check()
  assert.equal(doubles.count, 0, 'no two processes follow the broker at once')
  assert.equal(comparisons.count, 1, 'the account is compared once')
  const told = uplinks.filter((key) => key.startsWith('1 ')).length
  await until(() => stream.of('uplink').length === told, 'the stream has all uplinks')
})
