import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { addDevice, euiOf, readDevice } from '../../../../test/fleet.ts'
import {
  atNetwork,
  connect,
  passTime,
  startBoth,
  startConnected,
  untilQuiet,
} from '../../../../test/network.ts'

const create = '/api.DeviceService/Create'
const check = '/api.ApplicationService/Get'

async function readAccount(service: Awaited<ReturnType<typeof startConnected>>['service']) {
  const { body } = await service.call('GET', '/v1/network-accounts/chirpstack')
  return body.data as { status: string; message: string }
}

test('an error of the server about one device is its own: it is told, and the others go on', async (t) => {
  const { service, simulator } = await startConnected(t)
  const broken = { code: status.INTERNAL, message: 'missing field `x`' }
  for (const number of [1, 2, 3, 4]) {
    simulator.faults.refusals[create] = broken
    const device = await addDevice(service, number)
    assert.equal(device.device_register_status, 'pending')
    assert.match(
      device.api_error_json,
      /^ChirpStack at .* answered with an error: missing field `x`\.$/,
    )
    assert.deepEqual(
      [await readAccount(service)].map(({ status }) => status),
      ['connected'],
    )
    simulator.faults.refusals = {}
    assert.equal((await addDevice(service, 10 + number)).device_register_status, 'active')
  }
  await passTime(service)
  for (const number of [1, 2, 3, 4]) {
    const { device_register_status, api_error_json } = await readDevice(service, number)
    assert.deepEqual([device_register_status, api_error_json], ['active', ''])
  }
})

test('a device that gets no answer does not take the account away either', async (t) => {
  const { service, simulator } = await startConnected(t)
  let asked = 0
  simulator.faults.refusals[check] = () => {
    asked += 1
    return undefined
  }
  simulator.faults.refusals[create] = { code: status.UNAVAILABLE, message: 'no answer' }
  for (const number of [1, 2, 3, 4, 5]) await addDevice(service, number)
  delete simulator.faults.refusals[create]
  assert.equal((await addDevice(service, 6)).device_register_status, 'active')
  assert.equal((await readAccount(service)).status, 'connected')
  assert.equal(asked, 1, 'the account is asked after seldom')
})

test('an account that can not be checked either is away', async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.refusals[create] = { code: status.INTERNAL, message: 'no connection to Redis' }
  simulator.faults.refusals[check] = { code: status.INTERNAL, message: 'database is gone' }
  const device = await addDevice(service, 1)
  assert.match(device.api_error_json, /database is gone/)
  const account = await readAccount(service)
  assert.equal(account.status, 'unreachable')
  assert.match(account.message, /database is gone/)
})

test('a gateway that the key may not create is told so, and does not mark the account', async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.refusals['/api.GatewayService/Create'] = {
    code: status.UNAUTHENTICATED,
    message: '',
  }
  const body = {
    gateway_bridge: 'chirpstack',
    gateway_name: 'Roof',
    gateway_eui: '00BB000000000001',
  }
  const created = await service.call('POST', '/v1/gateways', { body })
  assert.equal(created.status, 200, created.text)
  const { id } = created.body.gateway
  const read = async () => (await service.call('GET', `/v1/gateways/${id}`)).body.gateway
  const waiting = await read()
  assert.equal(waiting.register_status, 'pending')
  assert.match(waiting.error_msg, /the API key has no permission for this/)
  assert.deepEqual(await readAccount(service).then(({ status, message }) => [status, message]), [
    'connected',
    '',
  ])
  assert.equal((await addDevice(service, 1)).device_register_status, 'active')
  simulator.faults.refusals = {}
  await passTime(service)
  await untilQuiet(service)
  assert.equal((await read()).register_status, 'active')
})

test('a device that the network refuses to complete, and cannot undo either, is removed later', async (t) => {
  const { service, simulator } = await startConnected(t)
  const { refusals } = simulator.faults
  refusals['/api.DeviceService/CreateKeys'] = { code: status.INVALID_ARGUMENT, message: 'no key' }
  refusals['/api.DeviceService/Delete'] = { code: status.UNAVAILABLE, message: 'away' }
  const device = await addDevice(service, 1)
  assert.equal(device.device_register_status, 'register_error')
  assert.match(device.api_error_json, /no key/)
  await passTime(service)
  assert.ok(atNetwork(simulator, 1), 'the network is still asked to remove it')
  delete refusals['/api.DeviceService/Delete']
  await passTime(service)
  assert.equal(atNetwork(simulator, 1), undefined)
  const after = await readDevice(service, 1)
  assert.equal(after.device_register_status, 'register_error')
  assert.match(after.api_error_json, /no key/)
})

test('a device that is removed later keeps its place before a new registration', async (t) => {
  const { service, simulator } = await startConnected(t)
  const { refusals } = simulator.faults
  refusals['/api.DeviceService/CreateKeys'] = { code: status.INVALID_ARGUMENT, message: 'no key' }
  refusals['/api.DeviceService/Delete'] = { code: status.UNAVAILABLE, message: 'away' }
  const { id } = await addDevice(service, 1)
  const body = { device_name: 'Door', deviceKey: 'C'.repeat(32) }
  const changed = await service.call('PATCH', `/v1/devices/${id}`, { body })
  assert.equal(changed.status, 200, changed.text)
  simulator.faults.refusals = {}
  await passTime(service)
  await passTime(service)
  assert.equal(atNetwork(simulator, 1)?.key, 'c'.repeat(32))
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
})

test('a call that cannot be made for a reason of our own waits, and holds up no other', async (t) => {
  const { service, simulator } = await startBoth(t)
  for (const number of [1, 2]) await addDevice(service, number)
  const spoil = 'update devices set sealed_key = $2 where device_eui = $1'
  await service.services.db.query(spoil, [euiOf(1), Buffer.from('no sealed key')])
  await connect(service, simulator)
  await untilQuiet(service)
  const found = [await readDevice(service, 1), await readDevice(service, 2)]
  assert.deepEqual(
    found.map(({ device_register_status, api_error_json }) => [
      device_register_status,
      api_error_json,
    ]),
    [
      ['pending', 'internal error'],
      ['active', ''],
    ],
  )
})
