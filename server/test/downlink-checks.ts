import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { lookAfter } from './downlinks.ts'
import {
  bytesOf,
  type ContractBench,
  configure,
  connectDevice,
  eventually,
  readHistory,
} from './network-contract.ts'

/** For the contract test of the networks: what becomes of downlinks. */

export async function checkDownlink(bench: ContractBench, devEui: string) {
  const { simulator, can } = bench
  await connectDevice(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  const answer = await configure(bench, devEui, 7)
  assert.equal(answer.body.status, true, answer.text)
  if (can.downlinks === 'pushed') {
    await eventually(
      bench,
      async () => simulator.findDevice(devEui)?.queue.includes(bytesOf(7)) ?? false,
      'the hand-over',
    )
  }
  await simulator.sendUplink(devEui, '110300')
  const history = await readHistory(bench, devEui)
  assert.deepEqual(history, ['event_created', 'event_sent', 'event_acknowledged'])
}

export async function checkCancel(bench: ContractBench, devEui: string) {
  const { simulator, service, can } = bench
  await connectDevice(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  const isHeldHere = !can.cancel && can.downlinks === 'pushed'
  if (isHeldHere) simulator.setAway(true)
  for (const minutes of [7, 8, 9]) await configure(bench, devEui, minutes)
  const isHandedOver = can.cancel !== undefined
  if (isHandedOver) {
    const queue = () => simulator.findDevice(devEui)?.queue
    await eventually(bench, async () => queue()?.length === 3, 'the hand-over of three')
  }
  const cancelled = await service.call('DELETE', `/v1/devices/${devEui}/configure/cancel`)
  assert.equal(cancelled.body.status, true, cancelled.text)
  if (isHandedOver) {
    const queue = simulator.findDevice(devEui)?.queue
    assert.deepEqual(queue, [bytesOf(7), bytesOf(8)], 'the others, in their order')
  }
  const history = await readHistory(bench, devEui)
  assert.equal(history.filter((name) => name === 'event_cancelled').length, 1)
  simulator.setAway(false)
}

/** For networks that report what they send. */
export async function checkEmptiedQueue(bench: ContractBench, devEui: string) {
  const { simulator, service } = bench
  await connectDevice(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  await lookAfter(bench, 60)
  for (const minutes of [7, 8]) await handOver(bench, devEui, minutes)
  simulator.emptyQueue?.(devEui)
  // Of a network that does not list its queue it takes some uplinks without a report.
  for (let uplink = 0; uplink < 3; uplink += 1) await simulator.sendUplink(devEui, '100301')
  const expected = ['event_created', 'event_created', 'event_failed', 'event_failed']
  for (let look = 0; look < 2; look += 1) await lookAfter(bench, 61)
  assert.deepEqual(await readHistory(bench, devEui), expected)
  const cancelled = await service.call('DELETE', `/v1/devices/${devEui}/configure/cancel`)
  assert.match(cancelled.body.message, /no scheduled config message/)
  await handOver(bench, devEui, 9)
  await simulator.sendUplink(devEui, '100301')
  const answered = ['event_created', 'event_sent', 'event_acknowledged']
  assert.deepEqual(await readHistory(bench, devEui), [...expected, ...answered])
}

const racers = 6

/** For networks whose queue holds, or may hold, what a gateway was given. */
export async function checkCancelInWindow(bench: ContractBench, devEui: string) {
  const { simulator } = bench
  await connectDevice(bench, devEui)
  const euis = Array.from({ length: racers }, (_, index) => devEui.replace(/^00AA/, `00A${index}`))
  for (const eui of euis) {
    await connectDevice(bench, eui)
    await handOver(bench, eui, 7)
  }
  simulator.delayReports(300)
  await Promise.all(euis.map((eui, index) => raceCancel(bench, eui, 50 * index)))
}

/** Whatever is answered is true, and the next message arrives. */
async function raceCancel(bench: ContractBench, eui: string, delay: number): Promise<void> {
  const { simulator, service } = bench
  const sending = simulator.sendUplink(eui, '100301')
  await sleep(delay)
  const cancelled = await service.call('DELETE', `/v1/devices/${eui}/configure/cancel`)
  await sending
  // A cancel that came before the frame cannot know it: what may have gone it puts back.
  const isBack = simulator.findDevice(eui)?.queue.includes(bytesOf(7)) ?? false
  assert.ok(!(isBack && cancelled.body.status), 'cancelled, and still in the queue')
  if (isBack) await simulator.sendUplink(eui, '100301')
  const history = await readHistory(bench, eui)
  const end = cancelled.body.status ? ['event_cancelled'] : ['event_sent', 'event_acknowledged']
  assert.deepEqual(history, ['event_created', ...end], `${delay} ms after the uplink`)
  await handOver(bench, eui, 8)
  await simulator.sendUplink(eui, '100301')
  const last = (await readHistory(bench, eui)).at(-1)
  assert.equal(last, 'event_acknowledged', 'the second message is lost')
}

async function handOver(bench: ContractBench, devEui: string, minutes: number): Promise<void> {
  const answer = await configure(bench, devEui, minutes)
  assert.equal(answer.body.status, true, answer.text)
  const isThere = async () =>
    bench.simulator.findDevice(devEui)?.queue.includes(bytesOf(minutes)) ?? false
  await eventually(bench, isThere, 'the hand-over')
}
