import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { addDevice, deviceKey, euiOf, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import {
  atNetwork,
  connect,
  passTime,
  recordCalls,
  startBoth,
  startChirpStack,
  startConnected,
  untilQuiet,
} from '../../../../test/network.ts'
import { findBusy } from './outbox-queries.ts'

const lowerKey = deviceKey.toLowerCase()

test('a device stays pending while the network is away, and is provisioned when it is back', async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.isAway = true
  const device = await addDevice(service, 1)
  assert.equal(device.device_register_status, 'pending')
  assert.match(
    device.api_error_json,
    /^ChirpStack at .* could not be reached: The simulator is away\.$/,
  )
  await passTime(service)
  assert.equal((await readDevice(service, 1)).device_register_status, 'pending')
  const away = await service.call('GET', '/v1/network-accounts/chirpstack')
  assert.equal(away.body.data.status, 'unreachable')
  assert.match(away.body.data.message, /away/)

  simulator.faults.isAway = false
  await passTime(service)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Device 1', key: lowerKey })
  const back = await service.call('GET', '/v1/network-accounts/chirpstack')
  assert.deepEqual([back.body.data.status, back.body.data.message], ['connected', ''])
})

test('the pauses grow, so that a network that is away is not called all the time', async (t) => {
  const { service, simulator } = await startConnected(t)
  let calls = 0
  simulator.faults.refusals['/api.DeviceService/Create'] = () => {
    calls += 1
    return { code: status.UNAVAILABLE, message: 'down for maintenance' }
  }
  await addDevice(service, 1)
  for (let second = 0; second < 120; second += 1) await passTime(service, 1 / 60)
  assert.ok(calls >= 4 && calls <= 8, `${calls} calls in two minutes`)
  const hour = calls
  for (let minute = 0; minute < 60; minute += 1) await passTime(service)
  assert.ok(calls - hour >= 55, `${calls - hour} calls in sixty pauses of ten minutes`)
})

test('a key that is refused leaves devices pending, and mending the account provisions them', async (t) => {
  const { service, simulator } = await startConnected(t)
  const wrong = await connect(service, simulator, { api_key: 'wrong' })
  assert.equal(wrong.status, 'refused')
  assert.equal((await addDevice(service, 1)).device_register_status, 'pending')
  await connect(service, simulator)
  await untilQuiet(service)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
})

test('what was asked while the network was away reaches it in its order', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  await addDevice(service, 2)
  simulator.faults.isAway = true
  await addDevice(service, 3)
  for (const name of ['One', 'Two', 'Three']) {
    for (const number of [1, 2, 3]) {
      const body = { device_name: `${name} ${number}` }
      await service.call('PATCH', `/v1/devices/${euiOf(number)}`, { body })
    }
  }
  await service.call('DELETE', `/v1/devices/${euiOf(2)}`)
  await passTime(service)
  simulator.faults.isAway = false
  await passTime(service)
  // Calls that came while the first one tried whether the network is back are made after it.
  await passTime(service)
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Three 1', key: lowerKey })
  assert.equal(atNetwork(simulator, 2), undefined)
  assert.deepEqual(atNetwork(simulator, 3), { name: 'Three 3', key: lowerKey })
  assert.equal((await readDevice(service, 3)).device_register_status, 'active')
})

test('what was put off for minutes is made at once when another call finds the network back', async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.isAway = true
  await addDevice(service, 1)
  for (let attempt = 0; attempt < 10; attempt += 1) await passTime(service)
  simulator.faults.isAway = false
  await passTime(service, 2)
  assert.equal((await readDevice(service, 1)).device_register_status, 'pending')
  assert.equal((await addDevice(service, 2)).device_register_status, 'active')
  await passTime(service, 0)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
})

test('a device that the network never heard of is deleted without a call', async (t) => {
  const { service, simulator } = await startConnected(t)
  await service.call('DELETE', '/v1/network-accounts/chirpstack')
  await addDevice(service, 1)
  await service.call('DELETE', `/v1/devices/${euiOf(1)}`)
  assert.deepEqual(await service.services.db.query('select * from provisioning'), [])
  const calls = recordCalls(simulator)
  await connect(service, simulator)
  await untilQuiet(service)
  assert.deepEqual(calls, [])
})

test('a device whose first call got no answer is removed from the network', async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.isAway = true
  assert.equal((await addDevice(service, 1)).device_register_status, 'pending')
  await service.call('DELETE', `/v1/devices/${euiOf(1)}`)
  const calls = await service.services.db.query('select eui, action from provisioning')
  assert.deepEqual(calls, [{ eui: euiOf(1), action: 'remove' }])
  simulator.faults.isAway = false
  await passTime(service)
  assert.deepEqual(await service.services.db.query('select from provisioning'), [])
})

test('of devices deleted together, those that may be at the network are removed there', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  simulator.faults.isAway = true
  await addDevice(service, 2)
  // From now on, no call is tried.
  await service.call('DELETE', '/v1/network-accounts/chirpstack')
  await service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body: { deviceKey: 'C'.repeat(32) } })
  await service.call('PATCH', `/v1/devices/${euiOf(2)}`, { body: { device_name: 'Door' } })
  await addDevice(service, 3)
  const read = () =>
    service.services.db.query('select eui, action, attempts from provisioning order by id')
  assert.deepEqual(await read(), [
    { eui: euiOf(2), action: 'add', attempts: 1 },
    { eui: euiOf(1), action: 'add', attempts: 0 },
    { eui: euiOf(2), action: 'rename', attempts: 0 },
    { eui: euiOf(3), action: 'add', attempts: 0 },
  ])
  const devices = [1, 2, 3].map((number) => ({ action: 'delete', deviceId: euiOf(number) }))
  await service.call('POST', '/v1/batch-device-requests', { body: { devices } })
  const removals = [1, 2].map((number) => ({ eui: euiOf(number), action: 'remove', attempts: 0 }))
  assert.deepEqual(await read(), removals)
})

test('a device that the network has refused is deleted without a call', async (t) => {
  const { service, simulator } = await startConnected(t)
  const refusal = { code: status.INVALID_ARGUMENT, message: 'no more room' }
  simulator.faults.refusals['/api.DeviceService/Create'] = refusal
  await addDevice(service, 1)
  await service.call('DELETE', `/v1/devices/${euiOf(1)}`)
  assert.deepEqual(await service.services.db.query('select from provisioning'), [])
})

test('each device waits with the reason of its own call, and at its own time', async (t) => {
  const { service, simulator } = await startConnected(t)
  const { refusals } = simulator.faults
  for (const number of [1, 2]) {
    const refusal = { code: status.INTERNAL, message: `missing field ${number}` }
    refusals['/api.DeviceService/Create'] = refusal
    await addDevice(service, number)
  }
  const times = () =>
    service.services.db.query('select next_attempt_at from provisioning where eui = $1', [euiOf(1)])
  const before = await times()
  service.setClock(new Date(service.services.now().getTime() + 1000))
  await addDevice(service, 3)
  assert.deepEqual(await times(), before)
  assert.match((await readDevice(service, 1)).api_error_json, /missing field 1/)
})

test('an EUI is busy while its own account has a call for it', async (t) => {
  const { service } = await startBoth(t)
  const other = await foundOrganization(service, 'bo@example.test')
  await addDevice(service, 1)
  await addDevice(service, 2, { registerMethod: 'vendor' })
  await addDevice(service, 3, {}, other)
  await addDevice(service, 4, { registerMethod: 'vendor' }, other)
  const account = { organization_id: 1, network: 'chirpstack', register_method: 'user_account' }
  const euis = [1, 2, 3, 4].map(euiOf)
  const busy = async (changes: object = {}, kind: 'device' | 'gateway' = 'device') =>
    [...(await findBusy(service.services.db, { ...account, ...changes }, kind, euis))].sort()
  assert.deepEqual(await busy(), [euiOf(1)])
  assert.deepEqual(await busy({ register_method: 'vendor' }), [euiOf(2), euiOf(4)])
  assert.deepEqual(await busy({ network: 'loriot' }), [])
  assert.deepEqual(await busy({}, 'gateway'), [])
  euis.shift()
  assert.deepEqual(await busy(), [])
})

test('an EUI deleted and registered again while the network is away is there once', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  simulator.faults.isAway = true
  const newKey = 'F'.repeat(32)
  for (const name of ['Second', 'Third']) {
    await service.call('DELETE', `/v1/devices/${euiOf(1)}`)
    const device = await addDevice(service, 1, { deviceName: name, deviceKey: newKey })
    assert.equal(device.device_register_status, 'pending')
    await passTime(service)
  }
  simulator.faults.isAway = false
  const calls = recordCalls(simulator)
  await passTime(service)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
  assert.equal(simulator.devices.size, 1)
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Third', key: newKey.toLowerCase() })
  assert.equal(calls.filter((call) => call === 'Create').length, 1, calls.join())
})

test('a removal that waits for one account does not hold up the EUI at another', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  await service.call('DELETE', '/v1/network-accounts/chirpstack')
  await service.call('DELETE', `/v1/devices/${euiOf(1)}`)

  const other = await foundOrganization(service, 'bo@example.test')
  const theirs = await startChirpStack(t)
  await connect(service, theirs, {}, other)
  const device = await addDevice(service, 1, {}, other)
  assert.equal(device.device_register_status, 'active')

  await connect(service, simulator)
  await untilQuiet(service)
  assert.deepEqual([simulator.devices.size, theirs.devices.size], [0, 1])
})

test('the reason of a refusal outlives a new name that was given in the meantime', async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.isAway = true
  await addDevice(service, 1)
  await service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body: { device_name: 'Renamed' } })
  simulator.faults.isAway = false
  const refusal = { code: status.INVALID_ARGUMENT, message: 'no more room' }
  simulator.faults.refusals['/api.DeviceService/Create'] = refusal
  await passTime(service)
  const { device_register_status, api_error_json } = await readDevice(service, 1)
  assert.equal(device_register_status, 'register_error')
  assert.match(api_error_json, /no more room/)
})

test('a device deleted while its new key is refused is removed from the network', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  const { refusals } = simulator.faults
  refusals['/api.DeviceService/Create'] = async () => {
    await service.call('DELETE', `/v1/devices/${euiOf(1)}`)
    return undefined
  }
  const refusal = { code: status.INVALID_ARGUMENT, message: 'no other key' }
  refusals['/api.DeviceService/UpdateKeys'] = refusal
  await service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body: { deviceKey: 'C'.repeat(32) } })
  await untilQuiet(service)
  assert.equal(atNetwork(simulator, 1), undefined)
})

test('a device whose new name was refused is still removed from the network', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  const refusal = { code: status.INVALID_ARGUMENT, message: 'that name will not do' }
  simulator.faults.refusals['/api.DeviceService/Update'] = refusal
  const rename = (name: string) =>
    service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body: { device_name: name } })
  await rename('Refused')
  await untilQuiet(service)
  const { device_register_status, api_error_json } = await readDevice(service, 1)
  assert.equal(device_register_status, 'active', 'it works under its old name')
  assert.match(api_error_json, /that name will not do/)
  await service.call('DELETE', '/v1/network-accounts/chirpstack')
  await rename('Never told')
  await service.call('DELETE', `/v1/devices/${euiOf(1)}`)
  await connect(service, simulator)
  await untilQuiet(service)
  assert.equal(atNetwork(simulator, 1), undefined)
})
