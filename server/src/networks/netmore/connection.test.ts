import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startSimulator as startNetmore } from '../../../simulators/netmore/simulator.ts'
import { doorSensor, failsWith } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import { findAccountFaults } from '../account-fields.ts'
import { objectOf } from '../answer-fields.ts'
import type { NetworkDevice } from '../network.ts'
import { openConnection } from './connection.ts'
import { netmore } from './definition.ts'

const { devEui } = doorSensor
const plannedSensor: NetworkDevice = { ...doorSensor, frequencyPlan: 'EU868' }

async function connect(context: TestContext, changes: Record<string, string> = {}) {
  const network = await startNetmore()
  const { side } = network
  context.after(() => network.close())
  const connection = openConnection({ ...network.account, ...changes }, thisMachine)
  context.after(() => connection.close())
  return { network, side, connection }
}

test('puts a device into service with the profile of the account', async (t) => {
  const { connection, side } = await connect(t, { export_config_group_id: 'exports' })
  await connection.addDevice(plannedSensor)
  const [call] = side.http.calls
  assert.deepEqual(call?.body, {
    name: 'Back door',
    exportConfigGroupId: 'exports',
    loraDevice: {
      devEui: devEui.toLowerCase(),
      appEui: '00aa0000000000ff',
      appKey: '000102030405060708090a0b0c0d0e0f',
      class: 'A',
      loraVersion: 'V103',
      activationMethod: 'OTAA',
      provisioned: true,
      profId: 7,
      channelPlan: 'EU868',
    },
  })
})

test('adopts a device of its own group with the new name and key', async (t) => {
  const { connection, side } = await connect(t)
  await connection.addDevice(plannedSensor)
  await connection.addDevice({ ...plannedSensor, name: 'Front door', appKey: 'F'.repeat(32) })
  const device = side.devices.get(devEui)
  assert.equal(device?.name, 'Front door')
  const { appKey } = objectOf(device.record.loraDevice)
  assert.equal(appKey, 'f'.repeat(32))
})

const networkKey = 'AABBCCDDEEFF00112233445566778899'
const usual = { version: '1.0', activation: 'otaa', deviceClass: 'A' } as const
const ofAbp = { ...usual, activation: 'abp', devAddr: '26011AB1', networkKey } as const

test('registers LoRaWAN 1.1, class C and devices without a join', async (t) => {
  const { connection, side } = await connect(t)
  const radio = () => objectOf(side.devices.get(devEui)?.record.loraDevice)
  const later = { ...usual, version: '1.1', deviceClass: 'C', networkKey } as const
  await connection.addDevice({ ...plannedSensor, radio: later })
  const { class: deviceClass, loraVersion, nwkKey } = radio()
  assert.deepEqual([deviceClass, loraVersion, nwkKey], ['C', 'V11', networkKey.toLowerCase()])
  const of11 = failsWith(
    'refused',
    /already, as one of LoRaWAN 1\.1; here it is registered as one of LoRaWAN 1\.0\.x/,
  )
  await assert.rejects(connection.addDevice(plannedSensor), of11)
  await connection.removeDevice(devEui)

  await connection.addDevice({ ...plannedSensor, radio: ofAbp })
  const { activationMethod, devAddr, nwkSKey, appSKey, appKey } = radio()
  assert.deepEqual(
    [activationMethod, devAddr, nwkSKey, appSKey, appKey],
    ['ABP', '26011ab1', networkKey.toLowerCase(), plannedSensor.appKey.toLowerCase(), undefined],
  )
  Object.assign(radio(), { loraVersion: 'V102' })
  await connection.addDevice({ ...plannedSensor, radio: { ...ofAbp, deviceClass: 'C' } })
  const changed = side.http.calls.at(-1)?.body
  assert.deepEqual(changed, { name: 'Back door', loraDevice: { class: 'C' } }, 'keeps its session')
  await connection.addDevice({ ...plannedSensor, radio: { ...ofAbp, devAddr: '26011AB2' } })
  assert.deepEqual([radio().devAddr, radio().loraVersion], ['26011ab2', 'V102'])
  const fixed = failsWith('refused', /already, as one without a join \(ABP\)/)
  await assert.rejects(connection.addDevice(plannedSensor), fixed)
})

test('passes on what Netmore refuses of a session', async (t) => {
  const { connection, side } = await connect(t)
  const { devAddr: _none, ...homeless } = ofAbp
  for (const [radio, words] of [
    [homeless, /devAddr is not valid/],
    [{ ...ofAbp, networkKey: 'AABB' }, /nwkSKey is not valid/],
    [{ ...usual, version: '1.1' }, /nwkKey is not valid/],
  ] as const) {
    const device = { ...plannedSensor, radio }
    await assert.rejects(connection.addDevice(device), failsWith('refused', words))
  }
  assert.equal(side.devices.size, 0)
})

test('leaves a device of another group alone', async (t) => {
  const { connection, side } = await connect(t)
  side.putDevice(devEui, 'Theirs', { deviceGroupId: 'others' })
  await assert.rejects(
    connection.addDevice(plannedSensor),
    failsWith('refused', /in another device group/),
  )
  await assert.rejects(
    connection.renameDevice(devEui, 'Mine'),
    failsWith('refused', /has no device/),
  )
  await connection.removeDevice(devEui)
  assert.equal(side.devices.get(devEui)?.name, 'Theirs')
})

test('takes a device out of service before it deletes it, also the second time', async (t) => {
  const { connection, side } = await connect(t)
  await connection.addDevice(plannedSensor)
  await connection.removeDevice(devEui)
  await connection.removeDevice(devEui)
  assert.equal(side.devices.size, 0)
})

test('lists the devices of its group', async (t) => {
  const { connection, side } = await connect(t)
  await connection.addDevice(plannedSensor)
  side.putDevice('00AA000000000002', 'Theirs', { deviceGroupId: 'others' })
  const pages = await Array.fromAsync(connection.listDevices())
  const radio = { version: '1.0', activation: 'otaa', deviceClass: 'A' }
  assert.deepEqual(pages, [[{ eui: devEui, name: 'Back door', radio }]])
})

test('says which ids are wrong', async (t) => {
  const { connection } = await connect(t, { device_group_id: 'nowhere' })
  await assert.rejects(
    connection.check(),
    failsWith('refused', /device group nowhere \(device_group_id\)/),
  )
  const wrong = { api_key: 'a b', customer_id: '../x', profile_id: 'EU', server: 'netmore' }
  assert.deepEqual(Object.keys(findAccountFaults(netmore, wrong)), Object.keys(wrong))
})
