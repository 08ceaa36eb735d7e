import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startSimulator as startMachineq } from '../../../simulators/machineq/simulator.ts'
import { foreignEui } from '../../../simulators/machineq/store.ts'
import { doorSensor, failsWith } from '../../../test/network-connections.ts'
import { thisMachine } from '../../../test/outside.ts'
import type { AccountValues } from '../network.ts'
import { NetworkError } from '../network-error.ts'
import { openConnection } from './connection.ts'

async function connect(t: TestContext, changes: AccountValues = {}) {
  const machineq = await startMachineq()
  t.after(() => machineq.close())
  const time = { now: Date.now() }
  const connection = openConnection({ ...machineq.account, ...changes }, thisMachine, {
    now: () => time.now,
    callbackUrl: callback.url,
  })
  t.after(() => connection.close())
  return { ...machineq, http: machineq.side.http, connection, time }
}

const downlink = {
  devEui: doorSensor.devEui,
  fPort: 2,
  payload: Buffer.from([1]),
  confirmed: false,
}
const callback = {
  url: 'https://us.example.test/v1/callbacks/a',
  header: 'x-callback-secret',
  value: 'one',
}

test('names the account field that is wrong', async (t) => {
  const wrong = [
    [{ client_secret: 'nonsense' }, 'unauthorized', /invalid_client/],
    [{ service_profile: 'sp-9' }, 'refused', /service_profile/],
    [{ device_profile: 'dp-9' }, 'refused', /device_profile/],
    [{ output_profile: 'op-9' }, 'refused', /output_profile/],
  ] as const
  for (const [changes, kind, words] of wrong) {
    const { connection } = await connect(t, changes)
    await assert.rejects(connection.check(), failsWith(kind, words))
  }
})

test('fetches one token, a new one before it expires, and one more where it was revoked', async (t) => {
  const { connection, store, http, time } = await connect(t)
  const countTokens = () => http.calls.filter(({ path }) => path === '/oauth/token').length
  await Promise.all([connection.check(), connection.check()])
  assert.equal(countTokens(), 1)
  time.now += 3_599_000
  await connection.check()
  assert.equal(countTokens(), 2)
  store.tokens.clear()
  await connection.check()
  assert.equal(countTokens(), 3)
})

test('adopts a device of its own account, and no other', async (t) => {
  const { connection, side, http } = await connect(t)
  await connection.setCallback(callback)
  await connection.addDevice(doorSensor)
  const device = side.devices.get(doorSensor.devEui)
  assert.ok(device)
  const profile = device.record.OutputProfile
  device.record.OutputProfile = ''
  await connection.addDevice({ ...doorSensor, name: 'Gate' })
  assert.deepEqual([device.name, device.record.OutputProfile], ['Gate', profile])
  await assert.rejects(
    connection.addDevice({ ...doorSensor, devEui: foreignEui }),
    failsWith('refused', /already exists/),
  )
  http.faults.answers['POST /v1/devices'] = { status: 503, body: { code: 14, message: 'later' } }
  await assert.rejects(connection.addDevice(doorSensor), failsWith('unreachable', /later/))
})

test('registers devices without a join, and leaves those of another activation alone', async (t) => {
  const { connection, side } = await connect(t)
  await connection.setCallback(callback)
  const networkKey = 'AABBCCDDEEFF00112233445566778899'
  const radio = { version: '1.0', activation: 'abp', deviceClass: 'A', networkKey } as const
  const fixed = { ...doorSensor, radio: { ...radio, devAddr: '26011AB1' } }
  for (const [wrong, words] of [
    [radio, /DevAddr is invalid/],
    [{ ...fixed.radio, networkKey: 'AABB' }, /NetworkSKey is invalid/],
  ] as const) {
    const device = { ...doorSensor, radio: wrong }
    await assert.rejects(connection.addDevice(device), failsWith('refused', words))
  }
  await connection.addDevice(fixed)
  await connection.addDevice({ ...fixed, name: 'Gate' })
  const device = side.devices.get(doorSensor.devEui)
  const { ActivationType, DevAddr, NetworkSKey, ApplicationSKey } = device?.record ?? {}
  assert.deepEqual(
    [device?.name, ActivationType, DevAddr, NetworkSKey, ApplicationSKey],
    ['Gate', 'ABP', '26011AB1', networkKey, doorSensor.appKey],
  )
  const already = /00AA000000000001 already, as one with(out)? a join \((ABP|OTAA)\); here/
  await assert.rejects(connection.addDevice(doorSensor), failsWith('refused', already))
  await connection.removeDevice(doorSensor.devEui)
  await connection.addDevice(doorSensor)
  await assert.rejects(connection.addDevice(fixed), failsWith('refused', already))
})

test('registers no device whose uplinks would go nowhere, or to another account', async (t) => {
  const { connection, side, http, store } = await connect(t)
  await assert.rejects(connection.addDevice(doorSensor), failsWith('refused', /no output profile/))
  await connection.setCallback({ ...callback, url: 'https://others.example.test/' })
  await assert.rejects(connection.addDevice(doorSensor), failsWith('refused', /no output profile/))
  assert.equal(side.devices.size, 0)
  assert.ok(!http.calls.some(({ method, path }) => method === 'POST' && path === '/v1/devices'))
  await connection.setCallback(callback)
  await connection.addDevice(doorSensor)
  const profile = store.outputProfiles.get(
    side.devices.get(doorSensor.devEui)?.record.OutputProfile ?? '',
  )
  assert.equal(profile?.RestParams[0]?.URL, callback.url)
})

test('renames and removes a device, and what is not there without a fault', async (t) => {
  const { connection, side } = await connect(t)
  await assert.rejects(
    connection.renameDevice(doorSensor.devEui, 'x'),
    failsWith('refused', /no device/),
  )
  await connection.setCallback(callback)
  await connection.addDevice(doorSensor)
  await connection.renameDevice(doorSensor.devEui, 'Front door')
  assert.equal(side.devices.get(doorSensor.devEui)?.name, 'Front door')
  assert.deepEqual(await Array.fromAsync(connection.listDevices()), [
    [{ eui: doorSensor.devEui, name: 'Front door', radio: { activation: 'otaa' } }],
  ])
  await connection.removeDevice(doorSensor.devEui)
  await connection.removeDevice(doorSensor.devEui)
  assert.equal(side.devices.size, 0)
})

test('tries a downlink again later while the device is too new', async (t) => {
  const { connection, http, side } = await connect(t)
  await connection.setCallback(callback)
  await assert.rejects(connection.queueDownlink(downlink), failsWith('not_yet', /Invalid DevEUI/))
  await connection.addDevice(doorSensor)
  http.faults.answers['POST /v1/devices/:device/message'] = {
    status: 400,
    body: { code: 3, message: 'No Base Station Available' },
  }
  await assert.rejects(connection.queueDownlink(downlink), (error) => {
    assert.ok(error instanceof NetworkError)
    assert.deepEqual([error.kind, error.isUndone], ['not_yet', true])
    return true
  })
  http.faults.answers = {}
  const ids = [await connection.queueDownlink(downlink), await connection.queueDownlink(downlink)]
  assert.notEqual(ids[0], ids[1])
  assert.equal(side.devices.get(doorSensor.devEui)?.queue.length, 2)
})

test('makes an output profile for its callback, renews its secret and takes it away', async (t) => {
  const { connection, store } = await connect(t)
  await connection.setCallback(callback)
  await connection.setCallback(callback)
  await connection.setCallback({ ...callback, value: 'two' })
  const profiles = [...store.outputProfiles.values()]
  assert.equal(profiles.length, 1)
  assert.deepEqual(
    profiles[0]?.RestParams.map(({ TokenType, TokenValue }) => [TokenType, TokenValue]),
    [['x-callback-secret', 'two']],
  )
  await connection.removeCallback(callback)
  await connection.removeCallback(callback)
  assert.equal(store.outputProfiles.size, 0)
})

test('adds its callback to the output profile of the account, beside the others', async (t) => {
  const { connection, store } = await connect(t, { output_profile: 'op-1' })
  await assert.rejects(connection.setCallback(callback), failsWith('refused', /output_profile/))
  const other = {
    URL: 'https://other.example.test/',
    TokenType: 'X-Key',
    TokenValue: 'k',
    DestinationId: 'd-1',
  }
  const others = { MqttParams: [], AzureParams: [], AWSParams: [] }
  store.outputProfiles.set('op-1', { Id: 'op-1', Name: 'Ours', RestParams: [other], ...others })
  await connection.setCallback(callback)
  await connection.setCallback({ ...callback, value: 'two' })
  const urls = () => store.outputProfiles.get('op-1')?.RestParams.map(({ URL: url }) => url)
  assert.deepEqual(urls(), [other.URL, callback.url])
  assert.deepEqual(store.outputProfiles.get('op-1')?.RestParams[0], other)
  await connection.removeCallback(callback)
  assert.deepEqual(urls(), [other.URL])
})

test('never shows a secret in an error', async (t) => {
  const { connection, http, store } = await connect(t)
  await connection.check()
  const message = `bad ${store.clientSecret} ${[...store.tokens][0]}`
  http.faults.answers['GET /v1/serviceprofiles'] = { status: 400, body: { code: 3, message } }
  await assert.rejects(connection.check(), failsWith('refused', /bad \[secret\] \[secret\]/))
})

test('is unreachable while machineQ is away', async (t) => {
  const { connection, http } = await connect(t)
  http.faults.isAway = true
  await assert.rejects(connection.check(), failsWith('unreachable', /could not be reached/))
})
