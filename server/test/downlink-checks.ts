import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ageTraffic, bytesOf, lookAfter } from './downlinks.ts'
import {
  type ContractBench,
  checkHandOver,
  configure,
  connectDevice,
  eventually,
  listUplinks,
  readHistory,
} from './network-contract.ts'
import type { TestAnswer } from './service.ts'

/** Checks of all networks: uplinks and downlinks. */

export async function checkUplinks(bench: ContractBench, devEui: string) {
  const { simulator } = bench
  await connectDevice(bench, devEui)
  const { failed } = simulator.counts
  // A door sensor: the frame for "opened" in the manufacturer's documents.
  await simulator.sendUplink(devEui, '100301')
  await simulator.sendUplink(devEui, '110300')
  assert.equal(simulator.counts.failed, failed)
  const [latest, first, ...others] = await listUplinks(bench, devEui)
  assert.deepEqual(others, [])
  assert.equal(latest.event_type, 'DOOR_SENSOR')
  assert.match(first.decoded_message, /opened/i)
  assert.match(latest.decoded_message, /closed/i)
}

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

/** A raw downlink, confirmed if the network has that. */
export async function checkRawDownlink(bench: ContractBench, devEui: string) {
  const { simulator, service, can, network } = bench
  await connectDevice(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  const send = (body: object) =>
    service.call('POST', `/v1/devices/${devEui}/downlink`, {
      body: { f_port: 17, payload: 'C0FFEE', ...body },
    })
  if (!can.confirmed) {
    const { status, body } = await send({ confirmed: true })
    assert.equal(status, 422)
    assert.deepEqual(body.errors.confirmed, [`${network.name} has no confirmed downlinks.`])
  }
  const answer = await send({ confirmed: can.confirmed ?? false })
  assert.equal(answer.status, 200, answer.text)
  if (can.downlinks === 'pushed') {
    const items = () => simulator.findDevice(devEui)?.items ?? []
    await eventually(bench, async () => items().length === 1, 'the hand-over')
    assert.equal(/"confirmed":true/.test(items()[0] ?? ''), can.confirmed ?? false)
    assert.deepEqual(simulator.findDevice(devEui)?.queue, ['c0ffee'])
  }
  for (let uplink = 0; uplink < 2; uplink += 1) await simulator.sendUplink(devEui, '110300')
  const isTold = can.confirmed && can.reports?.includes('acknowledged')
  const end = isTold ? ['event_sent', 'event_acknowledged'] : ['event_sent']
  assert.deepEqual(await readHistory(bench, devEui), ['event_created', ...end])
}

export async function checkCancel(bench: ContractBench, devEui: string) {
  const { simulator, can } = bench
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
  const cancelled = await cancelLatest(bench, devEui)
  assert.equal(cancelled.body.status, true, cancelled.text)
  if (isHandedOver) {
    const queue = simulator.findDevice(devEui)?.queue
    assert.deepEqual(queue, [bytesOf(7), bytesOf(8)], 'the others, in their order')
  }
  const history = await readHistory(bench, devEui)
  assert.equal(history.filter((name) => name === 'event_cancelled').length, 1)
  simulator.setAway(false)
}

/**
 * A cancel waits for some seconds after an uplink, because a gateway may already have the queued
 * downlink. This function lets that time pass while the cancel is in progress.
 */
async function cancelLatest(bench: ContractBench, devEui: string): Promise<TestAnswer> {
  const cancelling = bench.service.call('DELETE', `/v1/devices/${devEui}/configure/cancel`)
  await sleep(100)
  await ageTraffic(bench, 60)
  return cancelling
}

/** For networks that report sent downlinks. */
export async function checkEmptiedQueue(bench: ContractBench, devEui: string) {
  const { simulator, service } = bench
  await connectDevice(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  await lookAfter(bench, 60)
  for (const minutes of [7, 8]) await handOver(bench, devEui, minutes)
  simulator.emptyQueue?.(devEui)
  // If the network does not list its queue, the service needs some uplinks without a report to
  // notice.
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

/** For networks whose queue holds, or may hold, downlinks that were already sent to a gateway. */
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

/** The answer to the cancel matches the result, and the next message arrives. */
async function raceCancel(bench: ContractBench, eui: string, delay: number): Promise<void> {
  const { simulator, service } = bench
  const sending = simulator.sendUplink(eui, '100301')
  await sleep(delay)
  const cancelled = await service.call('DELETE', `/v1/devices/${eui}/configure/cancel`)
  await sending
  // A cancel before the frame can't detect that frame. It puts a message back that may have been
  // sent.
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

/**
 * Downlinks of other programs stay in the queue. If they can't, the network's page documents this.
 */
export async function checkForeignItems(bench: ContractBench, devEui: string) {
  const { simulator, can, network } = bench
  await connectDevice(bench, devEui)
  await simulator.sendUplink(devEui, '100301')
  const queue = () => simulator.findDevice(devEui)?.queue
  await checkHandOver(bench, devEui, 7)
  simulator.addForeignDownlink?.(devEui, 'f0e1')
  await checkHandOver(bench, devEui, 8)
  const before = simulator.findDevice(devEui)?.items ?? []
  const cancelled = await cancelLatest(bench, devEui)
  if (!can.cancel) {
    assert.deepEqual(simulator.findDevice(devEui)?.items, before)
    return
  }
  assert.equal(cancelled.body.status, true, cancelled.text)
  if (can.cancel === 'flush_own') {
    assert.deepEqual(queue(), [bytesOf(7)])
    const page = new URL(`../../docs/networks/${network.key}.md`, import.meta.url)
    assert.match(readFileSync(page, 'utf8'), /other\s+programs/)
    return
  }
  assert.deepEqual(queue(), [bytesOf(7), 'f0e1'])
  assert.equal(simulator.findDevice(devEui)?.items[1], before[1])
}
