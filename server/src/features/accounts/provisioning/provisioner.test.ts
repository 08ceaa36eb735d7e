import assert from 'node:assert/strict'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { startSimulator as startEverynet } from '../../../../simulators/everynet/simulator.ts'
import { addDevice, connectAccount, deviceKey, euiOf, readDevice } from '../../../../test/fleet.ts'
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
import { startTestService } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { startReceiver } from '../../../../test/webhook-receiver.ts'

const lowerKey = deviceKey.toLowerCase()
const deviceService = '/api.DeviceService'

// shows 10.6.7
test('a device is active once the network has taken it, with its key', async (t) => {
  const { service, simulator } = await startConnected(t)
  const device = await addDevice(service, 1, { deviceName: 'Tür 🚪', joinEui: euiOf(0xff) })
  assert.deepEqual([device.device_register_status, device.api_error_json], ['active', ''])
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Tür 🚪', key: lowerKey })
  const record = simulator.devices.get(euiOf(1).toLowerCase())?.record
  assert.equal(record?.getJoinEui(), euiOf(0xff).toLowerCase())
  assert.deepEqual(await service.services.db.query('select * from provisioning'), [])
})

test('webhooks are told of a registration when the network has taken it, and not of a rename', async (t) => {
  const { service } = await startConnected(t)
  const receiver = await startReceiver(t)
  const body = { name: 'Registrations', url: receiver.url, events: ['registration'] }
  assert.equal((await service.call('POST', '/v1/webhooks', { body })).status, 201)
  const told = async () => {
    await untilQuiet(service)
    service.services.webhookSender.wake()
    await service.services.webhookSender.idle()
    return receiver.received.map(({ body: { type, data } }) => [type, data.status])
  }
  await addDevice(service, 1)
  const registered = ['pending', 'active'].map((status) => ['registration', status])
  assert.deepEqual(await told(), registered)
  await service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body: { device_name: 'Renamed' } })
  assert.deepEqual(await told(), registered)
})

test('a device gets the profile of its type', async (t) => {
  const { service, simulator } = await startConnected(t)
  const profile = '11111111-0000-4000-a000-000000000001'
  const usual = simulator.store.deviceProfiles.get(simulator.deviceProfileId)
  assert.ok(usual)
  simulator.store.deviceProfiles.set(profile, { ...usual, id: profile })
  const body = { profiles: [{ device_type: 16, profile }] }
  const url = '/v1/network-accounts/chirpstack/profiles'
  assert.equal((await service.call('PUT', url, { body })).status, 200)
  await addDevice(service, 1)
  await addDevice(service, 2, { deviceType: 18 })
  const found = [1, 2].map((number) =>
    simulator.devices.get(euiOf(number).toLowerCase())?.record.getDeviceProfileId(),
  )
  assert.deepEqual(found, [profile, simulator.deviceProfileId])
})

test('a network gets the region of a device, and how it speaks LoRaWAN', async (t) => {
  const everynet = await startEverynet()
  t.after(() => everynet.close())
  const service = await startTestService(t)
  await connectAccount(service, 'everynet', everynet.account)
  const lorawan = {
    activation: 'abp',
    deviceClass: 'C',
    devAddr: '26011AB1',
    networkKey: 'AABBCCDDEEFF00112233445566778899',
  }
  const device = await addDevice(service, 1, { network: 9, appRegion: 'US915', lorawan })
  assert.deepEqual([device.device_register_status, device.api_error_json], ['active', ''])
  const { band, activation, dev_class, dev_addr, nwkskey } =
    everynet.side.devices.get(euiOf(1))?.record ?? {}
  assert.deepEqual(
    [band, activation, dev_class, dev_addr, nwkskey],
    ['US902-928', 'ABP', 'C', '26011ab1', lorawan.networkKey.toLowerCase()],
  )
})

// shows 10.2.17, 10.6.7
test('a device is pending without an account, and provisioned once there is one', async (t) => {
  const { service, simulator } = await startBoth(t)
  const { id, device_register_status } = await addDevice(service, 1)
  assert.equal(device_register_status, 'pending')
  await service.services.provisioner.provisionNow(id)
  assert.equal((await readDevice(service, 1)).device_register_status, 'pending')
  const told: string[] = []
  const line = service.services.signals.follow((topic) => told.push(topic ?? ''))
  await connect(service, simulator)
  await untilQuiet(service)
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Device 1', key: lowerKey })
  await until(() => told.includes(`change 1 device ${id}`))
  await line.end()
})

// shows 10.6.7, 10.6.8
test("a refusal is a register_error with the network's words, and is not repeated", async (t) => {
  const { service, simulator } = await startConnected(t)
  simulator.faults.refusals[`${deviceService}/Create`] = {
    code: status.INVALID_ARGUMENT,
    message: 'Max. device count exceeded',
  }
  const device = await addDevice(service, 1)
  assert.equal(device.device_register_status, 'register_error')
  assert.match(device.api_error_json, /Max\. device count exceeded/)
  const calls = recordCalls(simulator)
  await passTime(service)
  assert.deepEqual(calls, [])
  assert.deepEqual(await readDevice(service, 1), device)
})

test('a device that was refused is offered again under its new name', async (t) => {
  const { service, simulator } = await startConnected(t)
  const refusal = { code: status.INVALID_ARGUMENT, message: 'no more room' }
  simulator.faults.refusals[`${deviceService}/CreateKeys`] = refusal
  assert.equal((await addDevice(service, 1)).device_register_status, 'register_error')
  assert.equal(atNetwork(simulator, 1), undefined, 'half a device was left at the network')
  simulator.faults.refusals = {}
  const body = { device_name: 'Room made' }
  await service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body })
  await untilQuiet(service)
  const { device_register_status, api_error_json } = await readDevice(service, 1)
  assert.deepEqual([device_register_status, api_error_json], ['active', ''])
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Room made', key: lowerKey })
})

test('an EUI that the network has in another application is refused in its words', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  const elsewhere = '00000000-0000-4000-a000-0000000000aa'
  const { tenantId } = simulator
  simulator.store.applications.set(elsewhere, { id: elsewhere, tenantId, name: 'Elsewhere' })
  simulator.devices.get(euiOf(1).toLowerCase())?.record.setApplicationId(elsewhere)
  await service.call('DELETE', `/v1/devices/${euiOf(1)}`)
  await untilQuiet(service)
  const device = await addDevice(service, 1)
  assert.equal(device.device_register_status, 'register_error')
  assert.match(device.api_error_json, /in use in another application/)
})

test('names and deletions reach the network', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  const calls = recordCalls(simulator)
  await service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body: { device_name: 'Renamed' } })
  await untilQuiet(service)
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Renamed', key: lowerKey })
  await service.call('DELETE', `/v1/devices/${euiOf(1)}`)
  await untilQuiet(service)
  assert.equal(atNetwork(simulator, 1), undefined)
  assert.deepEqual(calls, ['Update', 'Delete'])
})

// shows 10.2.19
test('a console-only device never reaches the network, and is active at once', async (t) => {
  const { service, simulator } = await startConnected(t)
  const calls = recordCalls(simulator)
  const device = await addDevice(service, 1, { consoleOnly: true })
  assert.equal(device.device_register_status, 'active')
  await service.call('PATCH', `/v1/devices/${device.id}`, { body: { device_name: 'Renamed' } })
  await service.call('DELETE', `/v1/devices/${device.id}`)
  assert.deepEqual(await service.services.db.query('select * from provisioning'), [])
  await passTime(service)
  assert.deepEqual([calls, simulator.devices.size], [[], 0])
})

// shows 10.2.15
test("another organization's account is never used", async (t) => {
  const { service, simulator } = await startConnected(t)
  const other = await foundOrganization(service, 'bo@example.test')
  const { id } = await addDevice(service, 1, {}, other)
  await service.services.provisioner.provisionNow(id)
  await passTime(service)
  assert.equal((await readDevice(service, 1, other)).device_register_status, 'pending')
  assert.equal(simulator.devices.size, 0)

  const theirs = await startChirpStack(t)
  await connect(service, theirs, {}, other)
  await untilQuiet(service)
  assert.equal((await readDevice(service, 1, other)).device_register_status, 'active')
  assert.deepEqual([simulator.devices.size, theirs.devices.size], [0, 1])
})

// shows 4.4.11, 10.2.15
test("vendor registrations of everybody go through the operator's account, and only they", async (t) => {
  const { service, simulator } = await startBoth(t)
  const other = await foundOrganization(service, 'bo@example.test')
  const vendor = { registerMethod: 'vendor' }
  await addDevice(service, 1, vendor)
  await addDevice(service, 2, vendor, other)
  await addDevice(service, 3)
  await addDevice(service, 4, {}, other)
  await connect(service, simulator, { register_method: 'vendor' })
  await untilQuiet(service)
  const found = [1, 2, 3, 4].map((number) => atNetwork(simulator, number)?.name)
  assert.deepEqual(found, ['Device 1', 'Device 2', undefined, undefined])
  assert.equal((await readDevice(service, 2, other)).device_register_status, 'active')
  assert.equal((await readDevice(service, 4, other)).device_register_status, 'pending')
})

test("other organizations see nothing of the operator's account but that it did not answer", async (t) => {
  const { service, simulator } = await startConnected(t)
  await connect(service, simulator, { register_method: 'vendor' })
  const other = await foundOrganization(service, 'bo@example.test')
  await connect(service, simulator, {}, other)
  simulator.faults.isAway = true
  const vendor = { registerMethod: 'vendor' }
  const reasons = [
    await addDevice(service, 1, vendor),
    await addDevice(service, 2, vendor, other),
    await addDevice(service, 3, {}, other),
  ].map(({ api_error_json }) => api_error_json)
  assert.match(reasons[0], /could not be reached/)
  assert.equal(reasons[1], "The network could not be told through the operator's account.")
  assert.match(reasons[2], /could not be reached/)
})

test('a provisioner that is closed begins no call', async (t) => {
  const { service, simulator } = await startConnected(t)
  await service.services.provisioner.close()
  assert.equal((await addDevice(service, 1)).device_register_status, 'pending')
  assert.equal(simulator.devices.size, 0)
})
