import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openConnection } from '../../src/networks/chirpstack/connection.ts'
import { NetworkError } from '../../src/networks/network-error.ts'
import { connectToChirpStack, doorSensor } from '../../test/network-connections.ts'
import { thisMachine } from '../../test/outside.ts'
import { createStoppedClock } from '../../test/stopped-clock.ts'

const { devEui } = doorSensor
const downlink = {
  devEui,
  fPort: 2,
  payload: Buffer.from('0100029900000000', 'hex'),
  confirmed: false,
}
const enqueue = '/api.DeviceService/Enqueue'

test('tells how far the counters of a device are since it joined', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context, { joinsAtOnce: false })
  await connection.addDevice(doorSensor)
  assert.equal(await connection.readSession(devEui), undefined)
  await simulator.join(devEui)
  await connection.queueDownlink(downlink)
  const session = { uplinks: 0, downlinks: 0, isListening: false, isDroppedAtJoin: true }
  assert.deepEqual(await connection.readSession(devEui), session)
  await simulator.sendUplink(devEui)
  assert.deepEqual(await connection.readSession(devEui), { ...session, uplinks: 2, downlinks: 1 })
  const profile = simulator.store.deviceProfiles.get(simulator.deviceProfileId)
  assert.ok(profile)
  profile.supportsClassC = true
  await simulator.join(devEui)
  assert.deepEqual(await connection.readSession(devEui), { ...session, isListening: true })
})

test('shows what a gateway was given until its report, and after TOO_LATE', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  await connection.addDevice(doorSensor)
  simulator.faults.gatewayDelayMs = 100
  const isWithGateway = async () =>
    (await connection.listDownlinks(devEui)).map((item) => item.isWithGateway)
  for (const expected of [false, true]) {
    await connection.queueDownlink(downlink)
    const sent = simulator.sendUplink(devEui)
    await until(
      () =>
        simulator.devices.get(doorSensor.devEui.toLowerCase())?.queue[0]?.fCntDown !== undefined,
    )
    assert.deepEqual(await isWithGateway(), [expected], 'the counter of the first is 0')
    await sent
    assert.deepEqual(await isWithGateway(), [])
  }
  simulator.faults.isGatewayLate = true
  await connection.queueDownlink(downlink)
  await simulator.sendUplink(devEui)
  assert.deepEqual(await isWithGateway(), [true])
})

test('drops the queue of a device that joins, where its profile says so', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  await connection.addDevice(doorSensor)
  const profile = simulator.store.deviceProfiles.get(simulator.deviceProfileId)
  assert.ok(profile)
  for (const flushQueueOnActivate of [false, true]) {
    profile.flushQueueOnActivate = flushQueueOnActivate
    await connection.queueDownlink(downlink)
    await simulator.join(devEui)
    const left = flushQueueOnActivate ? 0 : 1
    assert.equal((await connection.listDownlinks(devEui)).length, left)
  }
})

test('uses a counter again when the queue was emptied before the report', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  await connection.addDevice(doorSensor)
  const device = simulator.devices.get(doorSensor.devEui.toLowerCase())
  simulator.faults.gatewayDelayMs = 100
  await connection.queueDownlink(downlink)
  const sent = simulator.sendUplink(devEui)
  await until(() => device?.queue[0]?.fCntDown !== undefined)
  await connection.flushDownlinks(devEui)
  await sent
  assert.equal(device?.session?.lastHeard, 0)
  assert.equal(device.session.fCntDown, 0)
  const [, uplinks] = [await connection.queueDownlink(downlink), device.session.fCntUp]
  await simulator.sendUplink(devEui)
  assert.deepEqual([device.session.fCntDown, device.queue.length], [1, 0])
  assert.equal(device.session.fCntUp, uplinks + 1, 'the device has dropped it, and answers nothing')
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

test('lists what is queued, confirmed or not', async (context) => {
  const { connection } = await connectToChirpStack(context)
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
  const { simulator, connection } = await connectToChirpStack(context, { clock })
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
  const hasty = openConnection(simulator.account, thisMachine, { deadlineMs: 300 })
  context.after(() => hasty.close())
  simulator.faults.latencyMs = 1
  assert.deepEqual(await fail(hasty), ['unreachable', false])
  const nowhere = openConnection(
    { ...simulator.account, server: 'http://127.0.0.1:1' },
    thisMachine,
  )
  context.after(() => nowhere.close())
  assert.deepEqual(await fail(nowhere), ['unreachable', true])
})
