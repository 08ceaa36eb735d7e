import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectToAwsLora, doorSensor } from '../../../test/network-connections.ts'
import { NetworkError } from '../network-error.ts'

const { devEui } = doorSensor
const payload = Buffer.from('0100028700000000', 'hex')
const downlink = { devEui, fPort: 10, payload, confirmed: true }

test('queues a downlink under the id of AWS, and cancels only that one', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  await connection.addDevice(doorSensor)
  const first = await connection.queueDownlink(downlink)
  const second = await connection.queueDownlink({ ...downlink, confirmed: false })
  const queue = side.devices.get(devEui)?.queue
  assert.deepEqual(queue, [
    { id: first, fPort: 10, data: payload, confirmed: true },
    { id: second, fPort: 10, data: payload, confirmed: false },
  ])
  assert.equal(await connection.cancelDownlink(devEui, first), true)
  assert.deepEqual(
    side.devices.get(devEui)?.queue.map(({ id }) => id),
    [second],
  )
  assert.equal(await connection.cancelDownlink(devEui, first), false)
})

test('asks for the id of a device once, and again when the device was made again', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  await connection.addDevice(doorSensor)
  side.http.calls.length = 0
  await connection.queueDownlink(downlink)
  await connection.queueDownlink(downlink)
  assert.deepEqual(
    side.http.calls.map(({ method }) => method),
    ['GET', 'POST', 'POST'],
  )
  await connection.addDevice({ ...doorSensor, appKey: 'A'.repeat(32) })
  await connection.queueDownlink(downlink)
  assert.equal(side.devices.get(devEui)?.queue.length, 1)
})

test('has nothing to cancel of a device that is gone, and refuses to queue for it', async (t) => {
  const { connection } = await connectToAwsLora(t)
  await connection.addDevice(doorSensor)
  const id = await connection.queueDownlink(downlink)
  await connection.removeDevice(devEui)
  const isRefusal = (error: unknown) =>
    error instanceof NetworkError && /no device with the DevEUI/.test(error.message)
  await assert.rejects(connection.queueDownlink(downlink), isRefusal)
  assert.equal(await connection.cancelDownlink(devEui, id), false)
})
