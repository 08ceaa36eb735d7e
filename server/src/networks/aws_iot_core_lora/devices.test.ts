import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecord, deviceProfiles } from '../../../simulators/aws_iot_core_lora/store.ts'
import { connectToAwsLora, doorSensor } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import type { NetworkDevice } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { openConnection } from './connection.ts'

const { devEui } = doorSensor

function isRefusal(words: RegExp) {
  return (error: unknown) =>
    error instanceof NetworkError && error.kind === 'refused' && words.test(error.message)
}

test('adopts the device of its own destination that has the same key', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  await connection.addDevice(doorSensor)
  const id = side.devices.get(devEui)?.record.Id
  await connection.addDevice({ ...doorSensor, name: 'Front door' })
  const device = side.devices.get(devEui)
  assert.deepEqual([device?.name, device?.record.Id], ['Front door', id])
})

test('makes a device of its own again when its key has changed', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  await connection.addDevice(doorSensor)
  const id = side.devices.get(devEui)?.record.Id
  const appKey = 'F'.repeat(32)
  await connection.addDevice({ ...doorSensor, appKey })
  const record = side.devices.get(devEui)?.record
  assert.notEqual(record?.Id, id)
  assert.deepEqual(record?.LoRaWAN.OtaaV1_0_x, {
    AppKey: appKey.toLowerCase(),
    AppEui: doorSensor.joinEui.toLowerCase(),
  })
})

test('leaves a device alone that sends to another destination', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  const foreign = createRecord(side.random, devEui, 'other-team')
  side.putDevice(devEui, 'Theirs', foreign)
  const words = /in use in this AWS account by a device that sends to the destination other-team/
  await assert.rejects(connection.addDevice(doorSensor), isRefusal(words))
  await assert.rejects(connection.renameDevice(devEui, 'Mine'), isRefusal(/AWS has no device/))
  await connection.removeDevice(devEui)
  assert.equal(side.devices.get(devEui)?.name, 'Theirs')
})

test('does not adopt a device of another activation', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  const record = createRecord(side.random, devEui)
  const { OtaaV1_0_x: _keys, ...radio } = record.LoRaWAN
  side.putDevice(devEui, 'By hand', { ...record, LoRaWAN: { ...radio, AbpV1_0_x: {} } })
  const words = /already, as one without a join \(ABP\); here it is registered as one with a join/
  await assert.rejects(connection.addDevice(doorSensor), isRefusal(words))
})

const networkKey = 'AABBCCDDEEFF00112233445566778899'
const usual = { version: '1.0', activation: 'otaa', deviceClass: 'A' } as const
const classC = Object.keys(deviceProfiles)[1]
const later = Object.keys(deviceProfiles)[2]
const fixed = Object.keys(deviceProfiles)[3]
assert.ok(classC && later && fixed)
const ofAbp = { ...usual, activation: 'abp', devAddr: '26011AB1', networkKey } as const
const ofAbpC = { ...doorSensor, profile: fixed, radio: { ...ofAbp, deviceClass: 'C' } } as const

test('registers LoRaWAN 1.1, class C and devices without a join, by profiles that have them', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  const record = () => side.devices.get(devEui)?.record
  const key = doorSensor.appKey.toLowerCase()
  const JoinEui = doorSensor.joinEui.toLowerCase()
  const NwkKey = networkKey.toLowerCase()
  const of11 = { ...doorSensor, profile: later, radio: { ...usual, version: '1.1', networkKey } }
  const second = of11 as NetworkDevice
  await connection.addDevice(second)
  assert.deepEqual(record()?.LoRaWAN.OtaaV1_1, { AppKey: key, NwkKey, JoinEui })
  const told = { version: '1.1', activation: 'otaa', networkKey: NwkKey }
  const details = { appKey: key, joinEui: doorSensor.joinEui, radio: told }
  assert.deepEqual(await connection.readDevice(devEui), details)
  await assert.rejects(connection.addDevice(doorSensor), isRefusal(/as one of LoRaWAN 1\.1; here/))
  await connection.removeDevice(devEui)

  await connection.addDevice(ofAbpC)
  const id = record()?.Id
  const SessionKeys = { NwkSKey: NwkKey, AppSKey: key }
  assert.deepEqual(record()?.LoRaWAN.AbpV1_0_x, { DevAddr: '26011ab1', SessionKeys })
  const fixedRadio = { version: '1.0', activation: 'abp', devAddr: '26011AB1', networkKey: NwkKey }
  assert.deepEqual(await connection.readDevice(devEui), { radio: fixedRadio })
  await connection.addDevice({ ...ofAbpC, name: 'Gate' })
  assert.deepEqual([record()?.Id, record()?.LoRaWAN.DeviceProfileId], [id, fixed])
  await connection.addDevice({ ...ofAbpC, radio: { ...ofAbp, devAddr: '26011AB2' } })
  assert.notEqual(record()?.Id, id, 'made again with another session')
  await connection.removeDevice(devEui)

  const radio = { ...usual, deviceClass: 'C' } as const
  await connection.addDevice({ ...doorSensor, profile: classC, radio })
  await connection.addDevice({ ...doorSensor, profile: classC, radio })
  assert.equal(record()?.LoRaWAN.DeviceProfileId, classC)
})

test('refuses a device whose profile says something else, and a session that is none', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  const wrong: [Partial<NetworkDevice>, RegExp][] = [
    [
      { radio: { ...usual, deviceClass: 'C' } },
      /\(device_profile_id 1f0.*\) of AWS is one of class A, and/,
    ],
    [
      { radio: { ...usual, version: '1.1', networkKey } },
      /is one of LoRaWAN 1\.0\.x, and .* of LoRaWAN 1\.1: choose another/,
    ],
    [{ radio: ofAbp }, /is one with a join \(OTAA\), and .*: choose another one/],
    [{ ...ofAbpC, radio: { ...ofAbp, networkKey: 'AABB' } }, /NwkSKey must match/],
    [{ ...ofAbpC, radio: { ...usual, activation: 'abp', networkKey } }, /DevAddr must match/],
    [{ profile: later }, /OtaaV1_0_x does not match the MacVersion/],
  ]
  for (const [changes, words] of wrong) {
    await assert.rejects(connection.addDevice({ ...doorSensor, ...changes }), isRefusal(words))
  }
  assert.equal(side.devices.size, 0)
})

test('refuses a device for a band that its profile does not have', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  const american = connection.addDevice({ ...doorSensor, region: 'US915' })
  await assert.rejects(american, isRefusal(/is one for EU868, .* registered for US915/))
  const asian = connection.addDevice({ ...doorSensor, region: 'EU868', frequencyPlan: 'AS923-1' })
  await assert.rejects(asian, isRefusal(/registered for AS923-1/))
  assert.equal(side.devices.size, 0)
  await connection.addDevice({ ...doorSensor, region: 'EU868', frequencyPlan: 'EU868' })
})

test('takes removing what is not there for done', async (t) => {
  const { connection } = await connectToAwsLora(t)
  await connection.removeDevice(devEui)
  await connection.gateways.remove('00BB000000000001')
})

test('says which field of the account is wrong', async (t) => {
  const { simulator } = await connectToAwsLora(t)
  const unknown = '00000000-0000-4000-a000-000000000000'
  for (const field of ['destination', 'device_profile_id', 'service_profile_id']) {
    const changes = { [field]: unknown, server: simulator.account.server ?? '' }
    const { connection } = await connectToAwsLora(t, {}, changes)
    await assert.rejects(connection.check(), isRefusal(new RegExp(`${field} ${unknown}`)))
  }
})

test('passes on in AWS’s words that it does not accept an access key', async (t) => {
  const isUnauthorized = (words: RegExp) => (error: unknown) =>
    error instanceof NetworkError && error.kind === 'unauthorized' && words.test(error.message)
  const unknown = await connectToAwsLora(t, {}, { access_key_id: 'AKIAUNKNOWN000000000' })
  const words = /security token included in the request is invalid \(UnrecognizedClient/
  await assert.rejects(unknown.connection.check(), isUnauthorized(words))
  const elsewhere = await connectToAwsLora(t, {}, { region: 'eu-west-1' })
  await assert.rejects(elsewhere.connection.check(), isUnauthorized(/valid region/))
})

test('repeats no call, and takes a server fault or a late answer for an outage', async (t) => {
  const { connection, side, simulator } = await connectToAwsLora(t)
  side.http.faults.answers['POST /wireless-devices'] = { status: 500, body: { Message: 'no' } }
  const isUnreachable = (words: RegExp) => (error: unknown) =>
    error instanceof NetworkError && error.kind === 'unreachable' && words.test(error.message)
  await assert.rejects(connection.addDevice(doorSensor), isUnreachable(/no \(/))
  assert.equal(side.http.calls.length, 1)
  const hasty = openConnection(simulator.account, thisMachine, { deadlineMs: 200 })
  t.after(() => hasty.close())
  side.http.faults.latencyMs = 60_000
  await assert.rejects(hasty.check(), isUnreachable(/did not answer in time/))
  assert.equal(side.http.calls.length, 1)
})

test('adopts a gateway of the account, unless it stands in another band', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  const gateway = { gatewayEui: '00BB000000000001', name: 'Roof', region: 'AS923' as const }
  await connection.gateways.add(gateway)
  assert.equal(side.gateways.get(gateway.gatewayEui)?.record.LoRaWAN.RfRegion, 'AS923-1')
  await connection.gateways.add({ ...gateway, name: 'Mast' })
  assert.equal(side.gateways.get(gateway.gatewayEui)?.name, 'Mast')
  const moved = connection.gateways.add({ ...gateway, region: 'EU868' })
  await assert.rejects(moved, isRefusal(/for AS923-1; AWS cannot change that to EU868/))
})

test('lists what it has, page by page, without what sends elsewhere', async (t) => {
  const { connection, side } = await connectToAwsLora(t)
  for (let index = 0; index < 130; index += 1) {
    const eui = `00AA${index.toString(16).toUpperCase().padStart(12, '0')}`
    const destination = index === 7 ? 'other-team' : 'fleet'
    side.putDevice(eui, `d${index}`, createRecord(side.random, eui, destination))
  }
  const pages = await Array.fromAsync(connection.listDevices())
  assert.deepEqual(
    pages.map(({ length }) => length),
    [100, 29],
  )
  assert.deepEqual(pages[0]?.[1], { eui: '00AA000000000001', name: 'd1' })
  await connection.gateways.add({ gatewayEui: '00BB000000000001', name: 'Roof', region: 'EU868' })
  const gateways = await Array.fromAsync(connection.gateways.list())
  assert.deepEqual(gateways, [[{ eui: '00BB000000000001', name: 'Roof' }]])
})
