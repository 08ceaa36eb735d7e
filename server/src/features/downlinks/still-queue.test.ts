import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  addBenchDevice,
  atNetwork,
  type Bench,
  bytesOf,
  lookAfter,
  queue,
  readEvents,
  startBench,
} from '../../../test/downlinks.ts'

const cancelled = 'Config message cancelled successfully.'
const tooLate = 'The config message was just being sent and could not be cancelled.'

async function cancelWords({ service }: Bench, eui: string): Promise<string> {
  const answer = await service.call('DELETE', `/v1/devices/${eui}/configure/cancel`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.message
}

/** A device that has had a downlink in its session, so that a counter of 0 means that none is set. */
async function addCountedDevice(bench: Bench) {
  const device = await addBenchDevice(bench, 1)
  await queue(bench, device.eui, 1)
  await bench.simulator.sendUplink(device.eui)
  await lookAfter(bench, 60)
  return device
}

for (const isFirst of [true, false]) {
  const which = isFirst ? 'the first message of a session' : 'a message'

  test(`${which} that a gateway refused is cancelled when ChirpStack says so`, async (context) => {
    const bench = await startBench(context)
    const { eui } = await (isFirst ? addBenchDevice(bench, 1) : addCountedDevice(bench))
    await queue(bench, eui, 5)
    bench.simulator.faults.isGatewayLate = true
    await bench.simulator.sendUplink(eui)
    await lookAfter(bench, 10)
    assert.equal(await cancelWords(bench, eui), cancelled)
    assert.deepEqual(atNetwork(bench, eui), [])
  })

  test(`${which} that a gateway has had is not, when nobody says what became of it`, async (context) => {
    const bench = await startBench(context)
    const { eui } = await (isFirst ? addBenchDevice(bench, 1) : addCountedDevice(bench))
    await queue(bench, eui, 5)
    bench.simulator.faults.isGatewayLate = true
    bench.simulator.faults.eventLossRate = 1
    await bench.simulator.sendUplink(eui)
    bench.simulator.faults.eventLossRate = 0
    await bench.simulator.sendUplink(eui, '100301')
    await bench.service.services.db.query("delete from network_events where kind like 'downlink%'")
    await lookAfter(bench, 10)
    assert.equal(await cancelWords(bench, eui), tooLate)
    assert.deepEqual(atNetwork(bench, eui), [bytesOf(5)], 'it stays there')
    bench.simulator.faults.isGatewayLate = false
    await bench.simulator.sendUplink(eui)
    const events = await readEvents(bench, eui)
    assert.deepEqual(events.slice(-2), ['sent', 'acknowledged'])
  })
}

test('just after an uplink a cancel waits, and no longer than ten seconds', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addCountedDevice(bench)
  await bench.simulator.sendUplink(eui)
  await queue(bench, eui, 5)
  const startedAt = performance.now()
  assert.equal(await cancelWords(bench, eui), cancelled)
  const seconds = (performance.now() - startedAt) / 1000
  assert.ok(seconds > 2 && seconds < 10, `${seconds} s`)
})

test('an uplink that we were not told of is waited for as well', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addCountedDevice(bench)
  bench.simulator.faults.eventLossRate = 1
  await bench.simulator.sendUplink(eui)
  bench.simulator.faults.eventLossRate = 0
  await queue(bench, eui, 5)
  const startedAt = performance.now()
  assert.equal(await cancelWords(bench, eui), cancelled)
  assert.ok(performance.now() - startedAt > 2_000)
})

test('a device that has not joined is not waited for', async (context) => {
  const bench = await startBench(context, { joinsAtOnce: false })
  const { eui } = await addBenchDevice(bench, 1)
  await queue(bench, eui, 5)
  const startedAt = performance.now()
  assert.equal(await cancelWords(bench, eui), cancelled)
  assert.ok(performance.now() - startedAt < 2_000)
})

test('a message to a device that listens all the time is cancelled when it stays in the queue', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addCountedDevice(bench)
  const profile = bench.simulator.store.deviceProfiles.get(bench.simulator.deviceProfileId)
  assert.ok(profile)
  profile.supportsClassC = true
  await queue(bench, eui, 5)
  const leaving = cancelWords(bench, eui)
  await sleep(300)
  await bench.simulator.sendDownlink(eui)
  assert.equal(await leaving, tooLate)
  assert.deepEqual((await readEvents(bench, eui)).slice(-2), ['sent', 'acknowledged'])
  await queue(bench, eui, 6)
  assert.equal(await cancelWords(bench, eui), cancelled)
})

test('of several, one behind the message that a gateway has is cancelled after its report', async (context) => {
  const bench = await startBench(context)
  const { eui } = await addCountedDevice(bench)
  for (const minutes of [5, 6]) await queue(bench, eui, minutes)
  Object.assign(bench.simulator.faults, { gatewayDelayMs: 400, downlinkLossRate: 1 })
  const sending = bench.simulator.sendUplink(eui)
  await sleep(200)
  assert.equal(await cancelWords(bench, eui), cancelled)
  await sending
  assert.deepEqual(atNetwork(bench, eui), [])
  assert.deepEqual((await readEvents(bench, eui)).slice(-2), ['sent', 'cancelled'])
})
