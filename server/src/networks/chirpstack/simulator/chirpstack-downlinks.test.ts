import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../network.ts'
import { createStoppedClock } from '../../simulator/stopped-clock.ts'
import { doorSensor } from '../../test-bench.ts'
import { thisMachine } from '../../test-outside.ts'
import { openConnection } from '../connection.ts'
import { connectToSimulator, toAccount } from './test-connection.ts'

const { devEui } = doorSensor
const downlink = {
  devEui,
  fPort: 2,
  payload: Buffer.from('0100029900000000', 'hex'),
  confirmed: false,
}
const enqueue = '/api.DeviceService/Enqueue'

test('counts the frames that a device was sent since it joined', async (context) => {
  const { simulator, connection } = await connectToSimulator(context)
  await connection.addDevice(doorSensor)
  assert.equal(await connection.countDownlinkFrames(devEui), 0)
  await connection.queueDownlink(downlink)
  assert.equal(await connection.countDownlinkFrames(devEui), 0)
  await simulator.sendUplink(devEui)
  assert.equal(await connection.countDownlinkFrames(devEui), 1)
})

test('lists what is queued, confirmed or not', async (context) => {
  const { connection } = await connectToSimulator(context)
  await connection.addDevice(doorSensor)
  for (const confirmed of [false, true]) await connection.queueDownlink({ ...downlink, confirmed })
  const items = await connection.listDownlinks(devEui)
  assert.deepEqual(
    items.map(({ confirmed, isPending }) => [confirmed, isPending]),
    [
      [false, false],
      [true, false],
    ],
  )
})

test('tells of a call that failed whether it was certainly not carried out', async (context) => {
  const { clock } = createStoppedClock()
  const { simulator, connection } = await connectToSimulator(context, { clock })
  await connection.addDevice(doorSensor)
  const fail = ({ queueDownlink } = connection) =>
    queueDownlink(downlink).then(
      () => assert.fail('the call should fail'),
      (error: unknown) => {
        assert.ok(error instanceof NetworkError)
        return [error.kind, error.isUndone]
      },
    )
  simulator.faults.refusals[enqueue] = { code: 3, message: 'no' }
  assert.deepEqual(await fail(), ['refused', true])
  simulator.faults.refusals[enqueue] = { code: 14, message: 'busy' }
  assert.deepEqual(await fail(), ['unreachable', true])
  simulator.faults.refusals[enqueue] = { code: 13, message: 'something broke' }
  assert.deepEqual(await fail(), ['unreachable', false])
  delete simulator.faults.refusals[enqueue]
  const hasty = openConnection(toAccount(simulator), thisMachine, { deadlineMs: 300 })
  context.after(() => hasty.close())
  simulator.faults.latencyMs = 1
  assert.deepEqual(await fail(hasty), ['unreachable', false])
  const nowhere = openConnection(
    { ...toAccount(simulator), server: 'http://127.0.0.1:1' },
    thisMachine,
  )
  context.after(() => nowhere.close())
  assert.deepEqual(await fail(nowhere), ['unreachable', true])
})
