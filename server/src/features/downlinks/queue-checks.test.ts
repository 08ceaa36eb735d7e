import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addBenchDevice,
  atNetwork,
  type Bench,
  bytesOf,
  cancel,
  lookAfter,
  passTime,
  queue,
  readEvents,
  readHistory,
  startBench,
} from '../../../test/downlinks.ts'
import { mostWaiting, noteNetworkEvent } from './ledger.ts'

/** As a person does at ChirpStack's own console. */
function emptyThere({ simulator }: Bench, eui: string): void {
  const device = simulator.devices.get(eui.toLowerCase())
  assert.ok(device)
  device.queue = []
}

async function readReason(bench: Bench, eui: string): Promise<string> {
  const [newest] = await readHistory(bench, eui)
  return reasonOf(newest?.eventData ?? '')
}

function reasonOf(eventData: string): string {
  return (eventData.split('<br>')[0] ?? '').replaceAll('&#39;', "'")
}

const removed = "Reason: No longer in the network's queue: it was removed there."

test('messages queued before the first join are handed over again after it, once each', async (context) => {
  const bench = await startBench(context, { joinsAtOnce: false })
  const { eui } = await addBenchDevice(bench, 1)
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  await bench.simulator.join(eui)
  assert.deepEqual(atNetwork(bench, eui), [], 'dropped without a word')
  await lookAfter(bench, 2)
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(6)])
  await lookAfter(bench, 120)
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(6)])
  await bench.simulator.sendUplink(eui)
  const events = await readEvents(bench, eui)
  const answered = ['sent', 'acknowledged']
  assert.deepEqual(events, ['created', 'created', ...answered, ...answered])
})

test('a message that waits when its device joins again is handed over again', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.downlinkLossRate = 1
  await bench.simulator.sendUplink(eui)
  await lookAfter(bench, 60)
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  await bench.simulator.sendUplink(eui)
  await bench.simulator.join(eui)
  await lookAfter(bench, 2)
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(6)], 'the first one was sent')
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created', 'sent'])
})

test('where the profile keeps the queue at a join, nothing is handed over twice', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  const profile = bench.simulator.store.deviceProfiles.get(bench.simulator.deviceProfileId)
  assert.ok(profile)
  profile.flushQueueOnActivate = false
  await queue(bench, eui, 5)
  await bench.simulator.join(eui)
  await lookAfter(bench, 2)
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
})

test('what may have been sent before a join is not handed over again', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.downlinkLossRate = 1
  await queue(bench, eui, 5)
  await loseReports(bench, () => bench.simulator.sendUplink(eui))
  await bench.simulator.sendUplink(eui, '100301')
  await bench.simulator.join(eui)
  await lookAfter(bench, 2)
  assert.deepEqual(await readEvents(bench, eui), ['created'], 'its report may be on the way')
  await lookAfter(bench, 61)
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [])
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed'])
  assert.match(await readReason(bench, eui), /not reported as sent: the device has joined again/)
})

test('a message that a join dropped is handed over again, although the device has sent since', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.asksAfterJoin = true
  await bench.simulator.sendUplink(eui)
  await lookAfter(bench, 60)
  await queue(bench, eui, 5)
  await bench.simulator.join(eui)
  await bench.simulator.sendUplink(eui)
  assert.deepEqual(atNetwork(bench, eui), [])
  await lookAfter(bench, 2)
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
  assert.deepEqual(await readEvents(bench, eui), ['created'])
})

async function loseReports({ simulator }: Bench, work: () => Promise<void>): Promise<void> {
  simulator.faults.eventLossRate = 1
  await work()
  simulator.faults.eventLossRate = 0
}

test('a comparison finds what was removed at the network', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  emptyThere(bench, eui)
  const compare = () => bench.service.call('POST', '/v1/network-accounts/chirpstack/reconcile')
  assert.equal((await compare()).status, 200)
  await lookAfter(bench, 0)
  assert.deepEqual(await readEvents(bench, eui), ['created'], 'its report may be on the way')
  await lookAfter(bench, 61)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed'])
  assert.equal(await readReason(bench, eui), removed)
})

// shows 10.8.17
test('messages that were removed at the network fail after the next uplink, and say why', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await bench.simulator.sendUplink(eui)
  await lookAfter(bench, 60)
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  emptyThere(bench, eui)
  await lookAfter(bench, 600)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created'], 'nothing tells yet')
  await bench.simulator.sendUplink(eui)
  await lookAfter(bench, 59)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created'])
  await lookAfter(bench, 2)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created', 'failed', 'failed'])
  assert.match(await readReason(bench, eui), /^Reason: No longer in the network's queue/)
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [], 'what a person has removed is not queued again')
})

test('a device that sends all the time has its missing messages ended as well', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await bench.simulator.sendUplink(eui)
  await lookAfter(bench, 60)
  await queue(bench, eui, 5)
  emptyThere(bench, eui)
  for (let turn = 0; turn < 5; turn += 1) {
    await bench.simulator.sendUplink(eui)
    await lookAfter(bench, 31)
  }
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed'])
})

test('a report that comes late moves on what had failed for want of one', async (context) => {
  const bench = await startBench(context)
  const { eui, id } = await addBenchDevice(bench, 1)
  const { db } = bench.service.services
  bench.simulator.faults.downlinkLossRate = 1
  await queue(bench, eui, 5)
  await loseReports(bench, () => bench.simulator.sendUplink(eui))
  await bench.simulator.sendUplink(eui)
  await lookAfter(bench, 61)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed'])
  const [item] = await db.query<{ queue_item_id: string }>('select queue_item_id from downlinks')
  const report = { state: 'sent', queueItemId: item?.queue_item_id ?? '' } as const
  for (let turn = 0; turn < 2; turn += 1) {
    await db.transaction((tx) => noteNetworkEvent(tx, 1, id, report))
  }
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed', 'sent'])
})

test('the late answer of a sensor moves on what had failed for want of a report', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  await loseReports(bench, () => bench.simulator.sendUplink(eui))
  await bench.simulator.sendUplink(eui)
  await lookAfter(bench, 61)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed'])
  await bench.simulator.sendUplink(eui, `11ff03${bytesOf(5)}`)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed', 'sent', 'acknowledged'])
})

test('messages that were removed at the network do not count among the hundred', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  const { db } = bench.service.services
  await db.query(
    `insert into downlinks (organization_id, device_id, user_id, section, field_values, payload,
       f_port, state, queue_item_id, handed_over_at)
     select organization_id, device_id, user_id, section, field_values, payload, f_port, state,
       'item ' || number, handed_over_at
     from downlinks cross join generate_series(2, $1::integer) as number`,
    [mostWaiting],
  )
  emptyThere(bench, eui)
  // At once: what was looked for and is gone does not wait, although its report may be on the way.
  await queue(bench, eui, 6)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(6)])
  await lookAfter(bench, 61)
  const failed = (await readHistory(bench, eui)).filter(
    (each) => each.event_name === 'event_failed',
  )
  assert.equal(failed.length, mostWaiting)
  assert.equal(reasonOf(failed[0]?.eventData ?? ''), removed)
})

test('a cancel passes over what was removed at the network', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  await lookAfter(bench, 61)
  const device = bench.simulator.devices.get(eui.toLowerCase())
  device?.queue.pop()
  assert.equal(await cancel(bench, eui), true)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'created', 'failed', 'cancelled'])
  assert.equal(await cancel(bench, eui), false)
})

test('what has long been at the network is looked at once a day', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  emptyThere(bench, eui)
  const { lookAtOldQueues } = await import('./queue-checks.ts')
  await lookAtOldQueues(bench.service.services)
  await lookAfter(bench, 90_000)
  assert.deepEqual(await readEvents(bench, eui), ['created'])
  await lookAtOldQueues(bench.service.services)
  await lookAfter(bench, 1)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'failed'])
})

test('a queue whose network is away is looked at when it is back', async (context) => {
  const bench = await startBench(context, { joinsAtOnce: false })
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  await bench.simulator.join(eui)
  bench.simulator.faults.isAway = true
  await lookAfter(bench, 2)
  bench.simulator.faults.isAway = false
  await lookAfter(bench, 61)
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
})
