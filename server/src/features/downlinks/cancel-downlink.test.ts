import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addBenchDevice,
  atNetwork,
  type Bench,
  bytesOf,
  cancel,
  passTime,
  queue,
  readEvents,
  readHistory,
  startBench,
} from '../../../test/downlinks.ts'

const cancelled = { status: true, message: 'Config message cancelled successfully.' }
const nothing = { status: false, message: 'There is no scheduled config message to cancel.' }

function callCancel({ service }: Bench, eui: string) {
  return service.call('DELETE', `/v1/devices/${eui}/configure/cancel`)
}

/** The events of each message, the oldest message first; an answer and what follows it may overtake. */
async function readEventsOfEach(bench: Bench, eui: string): Promise<string[][]> {
  const history = (await readHistory(bench, eui)).reverse()
  const messages = Map.groupBy(history, ({ downlink_id }) => downlink_id)
  return [...messages]
    .sort(([one], [other]) => one - other)
    .map(([, events]) => events.map(({ event_name }) => event_name.replace('event_', '')))
}

// shows 3.2.4, 4.18.1, 4.18.2, 10.8.3
test('a message that the network holds is taken back from it', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  const answer = await callCancel(bench, eui)
  assert.deepEqual([answer.status, answer.body], [200, cancelled])
  assert.deepEqual(atNetwork(bench, eui), [])
  assert.deepEqual(await readEvents(bench, eui), ['created', 'cancelled'])
  assert.equal((await readHistory(bench, eui))[0]?.configStatus, 'Config Cancelled')
  await bench.simulator.sendUplink(eui)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'cancelled'])
  assert.deepEqual((await callCancel(bench, eui)).body, nothing)
})

test('a message that waits for a network that is away is cancelled here', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  bench.simulator.faults.isAway = true
  await queue(bench, eui, 5)
  await queue(bench, eui, 6)
  assert.deepEqual((await callCancel(bench, eui)).body, cancelled)
  bench.simulator.faults.isAway = false
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
})

// shows 3.2.4
test('the last message goes; those before it stay at the network, in their order', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  for (const minutes of [5, 6, 7]) await queue(bench, eui, minutes)
  assert.deepEqual((await callCancel(bench, eui)).body, cancelled)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(6)])
  await bench.simulator.sendUplink(eui)
  const answered = ['created', 'sent', 'acknowledged']
  const expected = [answered, answered, ['created', 'cancelled']]
  assert.deepEqual(await readEventsOfEach(bench, eui), expected)
})

test('one after the other can be cancelled', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  assert.deepEqual([await cancel(bench, eui), await cancel(bench, eui)], [true, true])
  assert.equal(await cancel(bench, eui), false)
  assert.deepEqual(atNetwork(bench, eui), [])
})

test('messages that others queued at the network keep their place', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  const { connections } = bench.service.services
  const connection = await connections.open(1)
  const payload = Buffer.from('c0ffee', 'hex')
  await queue(bench, eui, 5)
  await connection.queueDownlink?.({ devEui: eui, fPort: 9, payload, confirmed: true })
  await queue(bench, eui, 6)
  assert.equal(await cancel(bench, eui), true)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), 'c0ffee'])
  const foreign = bench.simulator.devices.get(eui.toLowerCase())?.queue[1]
  assert.deepEqual([foreign?.fPort, foreign?.confirmed], [9, true])
})

// shows 3.2.5, 10.8.9
test('a message that was sent is not cancelled', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  assert.deepEqual((await callCancel(bench, eui)).body, nothing)
  bench.simulator.faults.downlinkLossRate = 1
  await queue(bench, eui, 5)
  await bench.simulator.sendUplink(eui)
  assert.deepEqual((await callCancel(bench, eui)).body, nothing)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent'])
})

test('a message that was sent without our hearing of it is not cancelled', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  bench.simulator.faults.eventLossRate = 1
  await bench.simulator.sendUplink(eui)
  assert.deepEqual((await callCancel(bench, eui)).body, nothing)
  assert.deepEqual(await readEvents(bench, eui), ['created'])
})

test('a message that waits for its acknowledgement at the network is not cancelled', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  const [item] = bench.simulator.devices.get(eui.toLowerCase())?.queue ?? []
  assert.ok(item)
  item.isPending = true
  assert.deepEqual((await callCancel(bench, eui)).body, nothing)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
})

test('nothing changes while the network that holds the message is away', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  bench.simulator.faults.isAway = true
  const answer = await callCancel(bench, eui)
  assert.deepEqual([answer.status, answer.body.status], [200, false])
  assert.match(answer.body.message, /network could not be asked/)
  bench.simulator.faults.isAway = false
  assert.deepEqual(await readEvents(bench, eui), ['created'])
  assert.equal(await cancel(bench, eui), true)
})

test('no message is lost when the network goes away while its queue is being changed', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  for (const minutes of [5, 6, 7]) await queue(bench, eui, minutes)
  const { faults } = bench.simulator
  const flush = '/api.DeviceService/FlushQueue'
  faults.refusals[flush] = { code: 14, message: 'gone' }
  assert.equal(await cancel(bench, eui), false)
  delete faults.refusals[flush]
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(6), bytesOf(7)], 'not doubled')

  faults.refusals['/api.DeviceService/Enqueue'] = { code: 14, message: 'gone' }
  assert.equal(await cancel(bench, eui), true)
  assert.deepEqual(atNetwork(bench, eui), [])
  delete faults.refusals['/api.DeviceService/Enqueue']
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5), bytesOf(6)])
  const events = await readEvents(bench, eui)
  assert.deepEqual(events, ['created', 'created', 'created', 'cancelled'])
})

/** Lets the device have all of its queue after the queue was read and before it is emptied. */
function sendInBetween({ simulator }: Bench, eui: string): void {
  const flush = '/api.DeviceService/FlushQueue'
  simulator.faults.refusals[flush] = async () => {
    delete simulator.faults.refusals[flush]
    await simulator.sendUplink(eui)
    return undefined
  }
}

test('a message sent while its queue is being emptied is not called cancelled', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  sendInBetween(bench, eui)
  assert.deepEqual((await callCancel(bench, eui)).body, nothing)
  const answered = ['created', 'sent', 'acknowledged']
  assert.deepEqual(await readEventsOfEach(bench, eui), [answered, answered])
  assert.deepEqual(atNetwork(bench, eui), [])
})

test('a message that may have been sent, without a word from the network, goes out again', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  bench.simulator.faults.eventLossRate = 1
  sendInBetween(bench, eui)
  const answer = await callCancel(bench, eui)
  assert.equal(answer.body.status, false)
  assert.match(answer.body.message, /just being sent/)
  bench.simulator.faults.eventLossRate = 0
  await passTime(bench)
  assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)])
  await bench.simulator.sendUplink(eui)
  assert.deepEqual(await readEvents(bench, eui), ['created', 'sent', 'acknowledged'])
})
