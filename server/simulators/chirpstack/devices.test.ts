import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { NetworkError } from '../../src/networks/network-error.ts'
import { connectToChirpStack, doorSensor, failsWith } from '../../test/network-connections.ts'
import type { ChirpStackSimulator } from './simulator.ts'

const service = '/api.DeviceService'

function readDevice(simulator: ChirpStackSimulator) {
  const device = simulator.devices.get(doorSensor.devEui.toLowerCase())
  assert.ok(device)
  return device
}

function moveToOtherApplication(simulator: ChirpStackSimulator, tenantId: string) {
  const id = 'bbbbbbbb-0000-4000-a000-000000000001'
  simulator.store.applications.set(id, { id, tenantId, name: 'Other' })
  readDevice(simulator).record.setApplicationId(id)
}

// For what does not exist, an administrator's key gets NOT_FOUND. A tenant's key learns nothing.
for (const keyKind of ['tenant', 'admin'] as const) {
  test(`adds, renames and removes a device with the key of a ${keyKind}`, async (context) => {
    const { simulator, connection } = await connectToChirpStack(context, { keyKind })
    await connection.addDevice(doorSensor)
    const { record, keys } = readDevice(simulator)
    assert.equal(record.getName(), 'Back door')
    assert.equal(record.getJoinEui(), '00aa0000000000ff')
    assert.equal(record.getApplicationId(), simulator.applicationId)
    assert.equal(record.getDeviceProfileId(), simulator.deviceProfileId)
    assert.equal(keys?.getNwkKey(), '000102030405060708090a0b0c0d0e0f')
    assert.equal(keys?.getAppKey(), '')

    record.getTagsMap().set('floor', '3')
    record.setDescription('by the bins')
    await connection.renameDevice(doorSensor.devEui, 'Front door')
    const renamed = readDevice(simulator).record
    assert.equal(renamed.getName(), 'Front door')
    assert.equal(renamed.getDescription(), 'by the bins')
    assert.equal(renamed.getTagsMap().get('floor'), '3')

    await connection.removeDevice(doorSensor.devEui)
    assert.equal(simulator.devices.size, 0)
    await connection.removeDevice(doorSensor.devEui)
    await assert.rejects(
      connection.renameDevice(doorSensor.devEui, 'x'),
      failsWith('refused', /no device with DevEUI 00AA000000000001/),
    )
  })

  test(`refuses a DevEUI of another application with the key of a ${keyKind}`, async (context) => {
    const { simulator, connection } = await connectToChirpStack(context, { keyKind })
    await connection.addDevice(doorSensor)
    for (const tenantId of [simulator.tenantId, 'cccccccc-0000-4000-a000-000000000001']) {
      moveToOtherApplication(simulator, tenantId)
      await assert.rejects(
        connection.addDevice({ ...doorSensor, name: 'Mine' }),
        failsWith('refused', /DevEUI 00AA000000000001 is in use in another application/),
      )
      // What was never ours is neither renamed nor removed.
      await assert.rejects(connection.renameDevice(doorSensor.devEui, 'x'), NetworkError)
      await connection.removeDevice(doorSensor.devEui)
      assert.equal(readDevice(simulator).record.getName(), 'Back door')
    }
  })
}

test('adopts a device of its own application, and keeps what else is set there', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  await connection.addDevice(doorSensor)
  const { record } = readDevice(simulator)
  record.getVariablesMap().set('secret', 'kept')
  const appKey = 'FF'.repeat(16)
  await connection.addDevice({ ...doorSensor, name: 'Adopted', appKey })
  const adopted = readDevice(simulator)
  assert.equal(adopted.record.getName(), 'Adopted')
  assert.equal(adopted.record.getVariablesMap().get('secret'), 'kept')
  assert.equal(adopted.keys?.getNwkKey(), 'ff'.repeat(16))
})

test('adopts where ChirpStack says ALREADY_EXISTS', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  await connection.addDevice(doorSensor)
  simulator.faults.refusals[`${service}/Create`] = {
    code: status.ALREADY_EXISTS,
    message: 'Object already exists',
  }
  await connection.addDevice({ ...doorSensor, name: 'Adopted' })
  assert.equal(readDevice(simulator).record.getName(), 'Adopted')
})

test('ends complete when it is repeated after a crash between device and keys', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  const refusals = simulator.faults.refusals
  refusals[`${service}/CreateKeys`] = { code: status.UNAVAILABLE, message: 'gone' }
  await assert.rejects(connection.addDevice(doorSensor), failsWith('unreachable', /gone/))
  assert.equal(readDevice(simulator).keys, undefined)
  delete refusals[`${service}/CreateKeys`]
  await connection.addDevice(doorSensor)
  assert.equal(readDevice(simulator).keys?.getNwkKey(), doorSensor.appKey.toLowerCase())
})

test('takes the device back when its keys are refused', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  const refusal = { code: status.INVALID_ARGUMENT, message: 'no such key' }
  simulator.faults.refusals[`${service}/CreateKeys`] = refusal
  await assert.rejects(connection.addDevice(doorSensor), failsWith('refused', /no such key/))
  assert.equal(simulator.devices.size, 0)
})

test('passes a refusal on in the words of ChirpStack', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  const refusal = {
    code: status.INVALID_ARGUMENT,
    message: 'Not allowed (Max number of devices exceeded for tenant)',
  }
  simulator.faults.refusals[`${service}/Create`] = refusal
  await assert.rejects(
    connection.addDevice(doorSensor),
    failsWith('refused', /Max number of devices exceeded for tenant/),
  )
})

test('tells a key that may not write from a device that is not there', async (context) => {
  const { simulator, connection } = await connectToChirpStack(context)
  await connection.addDevice(doorSensor)
  const denied = { code: status.UNAUTHENTICATED, message: '' }
  simulator.faults.refusals = {
    [`${service}/Delete`]: denied,
    [`${service}/Enqueue`]: denied,
  }
  const isUnauthorized = failsWith('unauthorized', /no permission/)
  await assert.rejects(connection.removeDevice(doorSensor.devEui), isUnauthorized)
  const downlink = { devEui: doorSensor.devEui, fPort: 2, confirmed: false }
  const payload = Buffer.from('01')
  await assert.rejects(connection.queueDownlink({ ...downlink, payload }), isUnauthorized)
})

test('queues, lists and flushes downlinks', async (context) => {
  const { connection } = await connectToChirpStack(context)
  const { devEui } = doorSensor
  const payload = Buffer.from('0100029900000000', 'hex')
  const downlink = { devEui, fPort: 2, payload, confirmed: false }
  await assert.rejects(connection.queueDownlink(downlink), failsWith('refused', /no device/))
  await connection.addDevice(doorSensor)
  const first = await connection.queueDownlink(downlink)
  const second = await connection.queueDownlink({ ...downlink, fPort: 3, confirmed: true })
  assert.notEqual(first, second)
  assert.deepEqual(
    (await connection.listDownlinks(devEui)).map((item) => [item.id, item.fPort, item.isPending]),
    [
      [first, 2, false],
      [second, 3, false],
    ],
  )
  const [item] = await connection.listDownlinks(devEui)
  assert.deepEqual(Buffer.from(item?.payload ?? []), payload)
  await connection.flushDownlinks(devEui)
  assert.deepEqual(await connection.listDownlinks(devEui), [])
})
