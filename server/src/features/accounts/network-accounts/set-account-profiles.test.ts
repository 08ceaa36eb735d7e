import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator as startActility } from '../../../../simulators/actility/simulator.ts'
import { deviceProfiles } from '../../../../simulators/actility/store.ts'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import {
  addDevice,
  connectAccount,
  deviceKey,
  euiOf,
  registrationOf,
} from '../../../../test/fleet.ts'
import { rowOf, runJob } from '../../../../test/jobs.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { connect, startChirpStack, untilQuiet } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const simulator = await startChirpStack({ after })
await connect(service, simulator)
const url = '/v1/network-accounts/chirpstack/profiles'
const usual = simulator.deviceProfileId
const [ofDoors, ofOne] = [
  '11111111-0000-4000-a000-000000000001',
  '11111111-0000-4000-a000-000000000002',
]
const unknown = '11111111-0000-4000-a000-000000000009'

const [of11, ofAbp] = [
  '11111111-0000-4000-a000-000000000011',
  '11111111-0000-4000-a000-000000000012',
]

for (const id of [ofDoors, ofOne, of11, ofAbp]) {
  const profile = { id, tenantId: simulator.tenantId, name: 'Another profile' }
  simulator.store.deviceProfiles.set(id, {
    ...profile,
    flushQueueOnActivate: true,
    supportsClassC: id !== of11,
    isLorawan11: id === of11,
    supportsOtaa: id !== ofAbp,
  })
}

function put(profiles: unknown, more: object = {}) {
  return service.call('PUT', url, { body: { profiles, ...more } })
}

function profileAt(number: number): string | undefined {
  return simulator.devices.get(euiOf(number).toLowerCase())?.record.getDeviceProfileId()
}

// shows 11.1.30, 11.1.32
test('a device gets the profile of its type, or one of its own, or that of the account', async () => {
  assert.deepEqual((await service.call('GET', url)).body.data, {
    network: 'chirpstack',
    register_method: 'user_account',
    usual,
    message: '',
    profiles: [],
  })
  const profiles = [{ device_type: 16, profile: ofDoors }]
  const { status, body, text } = await put(profiles)
  assert.equal(status, 200, text)
  assert.deepEqual([body.data.profiles, body.data.message], [profiles, ''])
  assert.deepEqual((await service.call('GET', url)).body, body)
  await addDevice(service, 1)
  await addDevice(service, 2, { deviceProfile: ofOne })
  await addDevice(service, 3, { deviceType: 18 })
  assert.deepEqual([1, 2, 3].map(profileAt), [ofDoors, ofOne, usual])
  const page = await service.call('GET', `/v1/fleet/devices/${euiOf(2)}`)
  assert.equal(page.body.data.device_profile, ofOne)
  const action = 'create'
  const devices = [{ ...rowOf(4, { provisioningData: { deviceProfile: ofOne } }), action }]
  await service.call('POST', '/v1/batch-device-requests', { body: { devices } })
  const rows = [rowOf(5), rowOf(6, { provisioningData: { deviceProfile: ofOne } })]
  await runJob(service, { kind: 'register', rows })
  await untilQuiet(service)
  assert.deepEqual([4, 5, 6].map(profileAt), [ofOne, ofDoors, ofOne])
  await put([])
  await addDevice(service, 7)
  assert.equal(profileAt(7), usual)
  assert.equal(profileAt(1), ofDoors, 'a device keeps the profile with which it was registered')
})

// shows 11.1.31
test('refuses profiles that the network does not have, and lists that are none', async () => {
  const wrong = [
    [[{ device_type: 16, profile: unknown }], 'profiles.0.profile', /no device profile with/],
    [[{ device_type: 16, profile: 'eu868' }], 'profiles.0.profile', /must be a UUID/],
    [[{ device_type: 9999, profile: ofOne }], 'profiles.0.device_type', /is invalid/],
    [
      [
        { device_type: 16, profile: ofOne },
        { device_type: 16, profile: ofDoors },
      ],
      'profiles.1.device_type',
      /twice/,
    ],
    ['16', 'profiles', /must be a list/],
  ] as const
  for (const [profiles, field, message] of wrong) {
    const { status, body } = await put(profiles)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors), [field])
    assert.match(body.errors[field][0], message)
  }
  assert.deepEqual((await service.call('GET', url)).body.data.profiles, [])
  assert.equal((await put([], { account_name: 'south' })).status, 404)
  const sent = registrationOf(20, { deviceProfile: 'eu868' })
  const refused = await service.call('POST', '/v1/devices', { body: sent })
  assert.deepEqual(refused.body.errors.deviceProfile, ['The device profile ID must be a UUID.'])
  const elsewhere = registrationOf(20, { network: 6, deviceProfile: unknown })
  const without = await service.call('POST', '/v1/devices', { body: elsewhere })
  assert.deepEqual(without.body.errors.deviceProfile, [
    'LORIOT has no device profiles that could be chosen here.',
  ])
  await addDevice(service, 21, { deviceProfile: unknown })
  const device = (await service.call('GET', `/v1/devices/${euiOf(21)}`)).body.data
  assert.equal(device.device_register_status, 'register_error')
  assert.match(device.api_error_json, /profile/)
})

test('stores profiles that cannot be tried just now, and says so', async () => {
  simulator.faults.isAway = true
  const { status, body } = await put([{ device_type: 16, profile: unknown }])
  simulator.faults.isAway = false
  assert.equal(status, 200)
  assert.match(body.data.message, /could not be reached/)
  await put([])
})

test('profiles of ThingPark are those of its models', async () => {
  const as = await foundOrganization(service, 'thingpark@example.test')
  const actility = await startActility()
  after(() => actility.close())
  await connectAccount(service, 'actility', actility.account, as)
  const [, other = ''] = deviceProfiles
  const path = '/v1/network-accounts/actility/profiles'
  const set = (profile: string) =>
    service.call('PUT', path, { as, body: { profiles: [{ device_type: 16, profile }] } })
  assert.equal((await set('LORA/None')).status, 422)
  assert.equal((await set(other)).status, 200)
})

const networkKey = 'AABBCCDDEEFF00112233445566778899'

// shows 11.1.33, 11.1.34
test('a device of LoRaWAN 1.1, one without a join, and one of class C', async () => {
  const later = { version: '1.1', networkKey }
  await addDevice(service, 30, { deviceProfile: of11, lorawan: later })
  const keys = simulator.devices.get(euiOf(30).toLowerCase())?.keys
  assert.deepEqual(
    [keys?.getAppKey().toUpperCase(), keys?.getNwkKey().toUpperCase()],
    [deviceKey, networkKey],
  )
  const fixed = { activation: 'abp', devAddr: '26011AB1', networkKey, deviceClass: 'C' }
  await addDevice(service, 31, { deviceProfile: ofAbp, lorawan: fixed })
  await addDevice(service, 32, { deviceProfile: ofOne, lorawan: { deviceClass: 'C' } })
  const device = simulator.devices.get(euiOf(31).toLowerCase())
  assert.equal(device?.keys, undefined)
  assert.deepEqual(
    [
      device?.activation?.getDevAddr(),
      device?.activation?.getFNwkSIntKey().toUpperCase(),
      device?.activation?.getAppSKey().toUpperCase(),
    ],
    ['26011ab1', networkKey, deviceKey],
  )
  const session = device?.session
  await simulator.sendUplink(euiOf(31), '100301')
  const again = { deviceKey: deviceKey.toLowerCase() }
  await service.call('PATCH', `/v1/devices/${euiOf(31)}`, { body: again })
  await untilQuiet(service)
  assert.equal(device?.session, session, 'the same session keeps its counters')
  const { body, text } = await service.call('GET', `/v1/fleet/devices/${euiOf(31)}`)
  assert.deepEqual(body.data.lorawan, {
    version: '1.0',
    activation: 'abp',
    device_class: 'C',
    dev_addr: '26011AB1',
  })
  assert.equal(text.includes(networkKey), false)
  const compared = await service.call('POST', '/v1/network-accounts/chirpstack/reconcile')
  const rows = compared.body.data.rows as { eui: string }[]
  assert.deepEqual(
    rows.filter(({ eui }) => [30, 31, 32].map(euiOf).includes(eui)),
    [],
  )
  const target = { network: 5, registerMethod: 'user_account', frequencyPlan: 'EU_863_870_TTN' }
  const moved = await service.call('POST', `/v1/devices/${euiOf(30)}/move`, { body: target })
  assert.match(moved.body.errors.network[0], /do not move to another network/)
})

// shows 11.1.33
test('The Things Stack takes the same by settings of the device itself', async () => {
  const as = await foundOrganization(service, 'stack@example.test')
  const stack = await startStack()
  after(() => stack.close())
  await connectAccount(service, 'thethingsnetwork', stack.account, as)
  const place = { network: 5, frequencyPlan: 'EU_863_870_TTN' }
  const later = { version: '1.1', networkKey, deviceClass: 'C' }
  await addDevice(service, 50, { ...place, lorawan: later }, as)
  const fixed = { activation: 'abp', devAddr: '26011AB1', networkKey }
  await addDevice(service, 51, { ...place, lorawan: fixed }, as)
  const partsOf = (number: number) =>
    stack.store.devices.get(`fleet-app/eui-${euiOf(number).toLowerCase()}`)
  const { lorawan_version, supports_class_c } = partsOf(50)?.network ?? {}
  assert.deepEqual([lorawan_version, supports_class_c], ['MAC_V1_1', true])
  assert.equal(partsOf(51)?.join, undefined)
  const page = await service.call('GET', `/v1/fleet/devices/${euiOf(51)}`, { as })
  assert.equal(page.body.data.device_register_status, 'active')
  const path = '/v1/network-accounts/thethingsnetwork/reconcile'
  const { body } = await service.call('POST', path, { as })
  assert.deepEqual(body.data.rows, [])
})

// shows 11.1.35
test('refuses what fits neither LoRaWAN, nor the network, nor the profile', async () => {
  const wrong = [
    [{ version: '1.2' }, 'lorawan.version'],
    [{ version: '1.1' }, 'lorawan.networkKey'],
    [{ networkKey }, 'lorawan.networkKey'],
    [{ activation: 'abp', networkKey }, 'lorawan.devAddr'],
    [{ devAddr: '26011AB1' }, 'lorawan.devAddr'],
    [{ activation: 'abp', devAddr: '26011AB', networkKey }, 'lorawan.devAddr'],
    [{ version: '1.1', activation: 'abp', devAddr: '26011AB1', networkKey }, 'lorawan.activation'],
    [{ deviceClass: 'B' }, 'lorawan.deviceClass'],
    ['1.1', 'lorawan'],
  ] as const
  for (const [lorawan, field] of wrong) {
    const sent = registrationOf(40, { lorawan })
    const { status, body } = await service.call('POST', '/v1/devices', { body: sent })
    assert.equal(status, 422, field)
    assert.deepEqual(Object.keys(body.errors), [field])
  }
  const lorawan = { deviceClass: 'C' }
  const later = { version: '1.1', deviceClass: 'C', networkKey }
  for (const [network, sent, message] of [
    [2, later, 'Comcast machineQ takes no LoRaWAN 1.1 and no class C from here.'],
    [7, later, 'Kerlink Wanesy takes no LoRaWAN 1.1 from here.'],
    [3, lorawan, 'AWS IoT Core takes no class C from here.'],
    [4, lorawan, 'Senet takes no class C from here.'],
  ] as const) {
    const elsewhere = registrationOf(40, { network, appRegion: 'EU868', lorawan: sent })
    const { status, body } = await service.call('POST', '/v1/devices', { body: elsewhere })
    assert.equal(status, 422)
    assert.deepEqual(body.errors.lorawan, [message])
  }
  for (const [number, changes, message] of [
    [41, { lorawan: { version: '1.1', networkKey } }, /is one of LoRaWAN 1.0.x/],
    [42, { lorawan: { activation: 'abp', devAddr: '26011AB1', networkKey } }, /with a join/],
    [43, { lorawan }, /is one of class A, and the device is registered of class C/],
  ] as const) {
    await addDevice(service, number, changes)
    const device = (await service.call('GET', `/v1/devices/${euiOf(number)}`)).body.data
    assert.equal(device.device_register_status, 'register_error')
    assert.match(device.api_error_json, message)
  }
})
