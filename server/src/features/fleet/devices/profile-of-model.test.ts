import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import deviceProfilePb from '@chirpstack/chirpstack-api/api/device_profile_pb.js'
import commonPb from '@chirpstack/chirpstack-api/common/common_pb.js'
import { status } from '@grpc/grpc-js'
import { chirpStackFiles, thingsNetworkFiles, writeFolder } from '../../../../test/catalogues.ts'
import { addDevice, euiOf, readDevice, registrationOf } from '../../../../test/fleet.ts'
import { rowOf, runJob } from '../../../../test/jobs.ts'
import { connect, startChirpStack, untilQuiet } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'

const longName = 'Probe '.repeat(40)
const files = {
  ...chirpStackFiles(),
  'vendors/acme/profiles/second.toml': `[profile]
region = "EU868"
mac_version = "1.1.0"
reg_params_revision = "B"
supports_otaa = true
supports_class_c = true
`,
  'vendors/acme/profiles/fixed.toml': `[profile]
region = "EU868"
mac_version = "1.0.2"
reg_params_revision = "B"
supports_otaa = false
`,
  ...Object.fromEntries(
    ['second', 'fixed'].map((name) => [
      `vendors/acme/devices/${name}.toml`,
      `[device]
name = "${longName}${name}"

[[device.firmware]]
version = "1.0"
profiles = ["${name}.toml"]
codec = "cold-probe.js"
`,
    ]),
  ),
}
const folder = await writeFolder({ ...files, ...thingsNetworkFiles })
after(() => rm(folder, { recursive: true }))
const service = await startTestService({ after }, { catalogueDir: folder })
const simulator = await startChirpStack({ after })
await connect(service, simulator)
const { deviceProfiles } = simulator.store
const usual = simulator.deviceProfileId
const createCall = '/api.DeviceProfileService/Create'

async function take(model: string, region = 'EU868'): Promise<number> {
  const url = `/v1/device-catalogue/folder.acme.${model}/types`
  const { status: code, body, text } = await service.call('POST', url, { body: { region } })
  assert.equal(code, 201, text)
  return body.data.id
}

const [probe, valve] = [await take('cold-probe'), await take('valve')]
const networkKey = '00112233445566778899AABBCCDDEE00'

function profileAt(number: number) {
  const id = simulator.devices.get(euiOf(number).toLowerCase())?.record.getDeviceProfileId() ?? ''
  return { id, record: deviceProfiles.get(id)?.record }
}

function made() {
  return [...deviceProfiles.values()].filter(({ record }) => record !== undefined)
}

async function validate(number: number, changes: Record<string, unknown>) {
  const body = registrationOf(number, { ...changes, action: 'validate' })
  return service.call('POST', '/v1/devices', { body })
}

describe('A device of a model of the catalogue', () => {
  test('gets a device profile at ChirpStack that is made for its model, once', async () => {
    const asked = await validate(1, { deviceType: probe })
    assert.deepEqual(asked.body.profile_of_model, {
      vendor: 'Acme',
      model: 'Cold probe',
      region: 'EU868',
    })
    assert.equal(made().length, 0, 'nothing is made before the registration')
    await Promise.all([1, 2, 3].map((number) => addDevice(service, number, { deviceType: probe })))
    const action = 'create'
    const devices = [4, 5].map((number) => ({
      ...rowOf(number, { provisioningData: { deviceTypeId: probe } }),
      action,
    }))
    await service.call('POST', '/v1/batch-device-requests', { body: { devices } })
    const rows = [rowOf(6, { provisioningData: { deviceTypeId: probe } })]
    await runJob(service, { kind: 'register', rows })
    await untilQuiet(service)
    const [profile, ...others] = made()
    assert.ok(profile?.record)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6].map((number) => profileAt(number).id),
      Array(6).fill(profile.id),
    )
    assert.equal(profile.name, 'Acme Cold probe, 1.2, EU868')
    assert.equal(profile.record.getTenantId(), simulator.tenantId)
    assert.equal(profile.record.getRegion(), commonPb.Region.EU868)
    assert.equal(profile.record.getMacVersion(), commonPb.MacVersion.LORAWAN_1_0_3)
    assert.equal(profile.record.getRegParamsRevision(), commonPb.RegParamsRevision.A)
    assert.equal(profile.record.getSupportsOtaa(), true)
    assert.equal(profile.record.getSupportsClassC(), false)
    assert.equal(profile.record.getAdrAlgorithmId(), 'default')
    const { NONE } = deviceProfilePb.CodecRuntime
    assert.equal(profile.record.getPayloadCodecRuntime(), NONE, 'the codec stays here')
    assert.equal((await readDevice(service, 1)).device_register_status, 'active')
  })

  test('is registered in the class that the catalogue says', async () => {
    await addDevice(service, 11, { deviceType: valve })
    const { data } = (await service.call('GET', `/v1/fleet/devices/${euiOf(11)}`)).body
    assert.deepEqual(data.lorawan, {
      version: '1.0',
      activation: 'otaa',
      device_class: 'C',
      dev_addr: null,
    })
    const { record } = profileAt(11)
    assert.equal(record?.getSupportsClassC(), true)
    assert.equal(record?.getClassCTimeout(), 30)
  })

  test('keeps what the request says: its profile, its class and its region', async () => {
    const before = made().length
    const other = { deviceType: valve, deviceProfile: usual }
    assert.equal((await validate(21, other)).body.profile_of_model, undefined)
    await addDevice(service, 21, { ...other, lorawan: { deviceClass: 'A' } })
    assert.equal(profileAt(21).id, usual)
    await addDevice(service, 22, { deviceType: valve, lorawan: { deviceClass: 'A' } })
    assert.equal(profileAt(22).id, usual, 'the profile of the model is of class C')
    await addDevice(service, 23, { deviceType: probe, appRegion: 'US915' })
    assert.equal(profileAt(23).id, usual, 'the profile of the model is of another region')
    assert.equal(made().length, before)
  })

  test('gets the profile of its type where the account names one', async () => {
    const url = '/v1/network-accounts/chirpstack/profiles'
    const profiles = [{ device_type: probe, profile: usual }]
    assert.equal((await service.call('PUT', url, { body: { profiles } })).status, 200)
    assert.equal((await validate(31, { deviceType: probe })).body.profile_of_model, undefined)
    await addDevice(service, 31, { deviceType: probe })
    assert.equal(profileAt(31).id, usual)
    await service.call('PUT', url, { body: { profiles: [] } })
  })

  test('finds its profile again by its mark, and not by its name', async () => {
    const type = await take('cold-probe', 'US915')
    const name = 'Acme Cold probe, 1.2, US915'
    const foreign = '11111111-0000-4000-a000-000000000099'
    const { tenantId } = simulator
    const record = new deviceProfilePb.DeviceProfile()
    const shown = { flushQueueOnActivate: true, supportsClassC: false }
    deviceProfiles.set(foreign, { id: foreign, tenantId, name, record, ...shown })
    await addDevice(service, 41, { deviceType: type })
    const { id } = profileAt(41)
    assert.notEqual(id, foreign)
    assert.equal(deviceProfiles.get(id)?.name, name)
    const other = await startTestService({ after }, { catalogueDir: folder })
    await connect(other, simulator)
    const body = { region: 'US915' }
    const taken = await other.call('POST', '/v1/device-catalogue/folder.acme.cold-probe/types', {
      body,
    })
    await addDevice(other, 42, { deviceType: taken.body.data.id })
    assert.equal(profileAt(42).id, id, 'whoever shares the tenant shares the profile')
  })

  test('keeps the profile that it has at ChirpStack, where none is made for it', async () => {
    simulator.addDevice(euiOf(51), 'There already')
    const key = 'A0A1A2A3A4A5A6A7A8A9AAABACADAEAF'
    simulator.changeKey?.(euiOf(51), key)
    for (const { id } of made()) deviceProfiles.delete(id)
    const third = await startTestService({ after }, { catalogueDir: folder })
    await connect(third, simulator)
    const url = '/v1/device-catalogue/folder.acme.cold-probe/types'
    const taken = await third.call('POST', url, { body: { region: 'EU868' } })
    const { id } = taken.body.data
    await addDevice(third, 51, { deviceType: id, deviceKey: key })
    assert.equal((await readDevice(third, 51)).device_register_status, 'active')
    assert.equal(profileAt(51).id, usual)
    assert.equal(made().length, 0)
  })
})

describe('An API key that may not make device profiles', () => {
  test('registers with the profile of the account, and the answer says so', async () => {
    const own = await startTestService({ after }, { catalogueDir: folder })
    await connect(own, simulator)
    const typeOf = async (model: string) => {
      const url = `/v1/device-catalogue/folder.acme.${model}/types`
      return (await own.call('POST', url, { body: { region: 'EU868' } })).body.data.id
    }
    simulator.faults.refusals[createCall] = { code: status.UNAUTHENTICATED, message: '' }
    const body = registrationOf(61, { deviceType: await typeOf('cold-probe') })
    const answer = await own.call('POST', '/v1/devices', { body })
    assert.equal(answer.body.device.device_register_status, 'active')
    assert.deepEqual(answer.body.warnings, [
      'At ChirpStack, the API key (api_key) may not make the device profile "Acme Cold probe, 1.2, EU868" for its model. The device has the profile of the account.',
    ])
    assert.equal(profileAt(61).id, usual)
    await addDevice(own, 62, { deviceType: await typeOf('valve') })
    const refused = await readDevice(own, 62)
    assert.equal(refused.device_register_status, 'register_error')
    assert.match(refused.api_error_json, /of class A.*of class C.*may not make the device profile/)
    delete simulator.faults.refusals[createCall]
  })
})

describe('A model of LoRaWAN 1.1, or without a join', () => {
  test('needs its second key, and says why', async () => {
    const [second, fixed] = [await take('second'), await take('fixed')]
    const missing = await validate(71, { deviceType: second })
    assert.deepEqual(missing.body.errors, {
      'lorawan.networkKey': [
        'The network key field is required: the catalogue says that this model speaks LoRaWAN 1.1.',
      ],
    })
    const without = await validate(71, { deviceType: fixed })
    assert.deepEqual(Object.keys(without.body.errors), ['lorawan.devAddr', 'lorawan.networkKey'])
    const row = rowOf(72, { provisioningData: { deviceTypeId: second } })
    const devices = [{ ...row, action: 'create' }]
    const batch = await service.call('POST', '/v1/batch-device-requests', { body: { devices } })
    assert.match(batch.body.data[0].errors[0], /network key field is required: the catalogue/)
    await addDevice(service, 73, { deviceType: second, lorawan: { networkKey } })
    const { id, record } = profileAt(73)
    assert.equal(record?.getMacVersion(), commonPb.MacVersion.LORAWAN_1_1_0)
    assert.equal(record?.getRegParamsRevision(), commonPb.RegParamsRevision.B)
    const name = deviceProfiles.get(id)?.name ?? ''
    assert.equal(name.length, 100)
    assert.match(name, /^Acme Probe .*, 1\.0, EU868$/)
    const lorawan = { devAddr: '26011AB1', networkKey }
    await addDevice(service, 74, { deviceType: fixed, lorawan })
    assert.equal((await readDevice(service, 74)).device_register_status, 'active')
    assert.equal(profileAt(74).record?.getSupportsOtaa(), false)
  })

  test('is registered as the request says', async () => {
    const second = await take('second')
    await addDevice(service, 75, {
      deviceType: second,
      lorawan: { version: '1.0', deviceClass: 'A' },
    })
    assert.equal(profileAt(75).id, usual)
    const { data } = (await service.call('GET', `/v1/fleet/devices/${euiOf(75)}`)).body
    assert.equal(data.lorawan, null)
  })
})
