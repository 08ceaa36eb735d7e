import assert from 'node:assert/strict'
import {
  bytesOf,
  type ContractBench,
  configure,
  connectDevice,
  eventually,
  readHistory,
} from './test-network-contract.ts'

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
  const isHeldHere = can.cancel === 'here' && can.downlinks === 'pushed'
  if (isHeldHere) simulator.setAway(true)
  for (const minutes of [7, 8, 9]) await configure(bench, devEui, minutes)
  const isHandedOver = can.cancel !== 'here'
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
