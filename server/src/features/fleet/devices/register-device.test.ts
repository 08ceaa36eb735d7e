import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  addDevice,
  deviceKey,
  doorType,
  euiOf,
  noAccount,
  readDevice,
  registrationOf,
} from '../../../../test/fleet.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')

function post(body: unknown, as = service.owner) {
  return service.call('POST', '/v1/devices', { as, body })
}

async function isRegistered(number: number): Promise<boolean> {
  return (await service.call('GET', `/v1/devices/${euiOf(number)}`)).status === 200
}

// shows 3.1.1, 4.4.14, 4.4.15
test('validate tells what it would cost, and creates nothing', async () => {
  const answer = await post(registrationOf(1, { action: 'validate' }))
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    status: true,
    payment: {
      demoDevice: false,
      isDemoAccount: 0,
      plan: false,
      subscribed: false,
      isOnTrial: false,
    },
    warnings: [noAccount],
  })
  assert.equal(await isRegistered(1), false)
  assert.equal((await service.call('GET', '/v1/devices')).body.meta.total, 0)
})

// shows 1.4.11, 4.4.16, 4.4.18
test('validate tells of a demo account, and of a trial while it lasts', async () => {
  const payment = async () =>
    (await post(registrationOf(1, { action: 'validate' }), other)).body.payment
  const set = (text: string) =>
    service.services.db.query(`update organizations set ${text} where id = $1`, [
      other.organizationId,
    ])
  await set("trial_ends_at = '2026-03-02', is_demo_account = true")
  const { demoDevice, isDemoAccount, isOnTrial } = await payment()
  assert.deepEqual([demoDevice, isDemoAccount, isOnTrial], [true, 1, 'Mar 02, 2026 00:00:00 (UTC)'])
  await set("trial_ends_at = '2026-02-28', is_demo_account = false")
  assert.equal((await payment()).isOnTrial, false)
})

// shows 2.4.16, 3.1.2, 3.1.3, 4.4.22, 10.6.3
test('confirm registers the device and answers its full record', async () => {
  const answer = await post(
    registrationOf(2, { deviceName: 'Tür 🚪', joinEui: '00AA00000000FFFF' }),
  )
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['status', 'device', 'warnings'])
  assert.equal(answer.body.status, true)
  assert.deepEqual(answer.body.device, await readDevice(service, 2))
  const { id, device_id, device_name, deviceTypeId, is_active, last_seen } = answer.body.device
  assert.ok(Number.isInteger(id))
  assert.deepEqual(
    [device_id, device_name, deviceTypeId, is_active, last_seen],
    [euiOf(2), 'Tür 🚪', doorType.id, 'active', '--'],
  )
  const listed = await service.call('GET', `/v1/devices?search=${euiOf(2)}`)
  assert.equal(listed.body.data[0].join_eui, '00AA00000000FFFF')
})

// shows 4.4.8, 4.4.10, 10.1.17
test('takes every field of the contract, and ignores those that it does not know', async () => {
  const { status, body } = await post(
    registrationOf(3, {
      gatewayName: 'Roof',
      gatewayId: null,
      deviceGateway: null,
      mfatoken: null,
      appRegion: 'EU868',
      frequencyPlan: null,
      consoleOnly: false,
      id: 9,
      organization_id: 2,
      userId: 77,
      unknown: { deep: [1, 2] },
    }),
  )
  assert.equal(status, 200)
  assert.notEqual(body.device.id, 9)
  assert.equal(body.device.user.id, 1)
  for (const [index, value] of ['some words', 7, { id: 1 }, [true]].entries()) {
    const more = { deviceGateway: value, mfatoken: value }
    const { status, text } = await post(registrationOf(50 + index, more))
    assert.equal(status, 200, text)
  }
})

// shows 10.6.2
test('action and register method may be in any case', async () => {
  const body = registrationOf(4, { action: 'CONFIRM', registerMethod: 'User_Account' })
  assert.equal((await post(body)).status, 200)
  assert.equal((await post(registrationOf(5, { action: 'Validate' }))).body.device, undefined)
})

// shows 2.3.9
test('the user of a device is who registered it', async () => {
  const member = await joinMember(service, 'ada@example.test', ['manage_devices'])
  const device = await addDevice(service, 6, {}, member)
  assert.equal(device.user.id, member.userId)
  assert.equal(device.user.identity.email, member.email)
})

// shows 4.4.12
test('a console-only device is active at once', async () => {
  const device = await addDevice(service, 7, { consoleOnly: true })
  assert.equal(device.device_register_status, 'active')
  assert.equal((await addDevice(service, 8)).device_register_status, 'pending')
})

// shows 1.4.4, 10.6.4
test('a key for a network that is not a LoRa one is any 32 characters', async () => {
  const key = 'not hexadecimal, 32 characters !'
  assert.equal((await post(registrationOf(9, { network: 3, deviceKey: key }))).status, 200)
  const lora = await post(registrationOf(10, { network: 2, deviceKey: key }))
  const message = 'The device key must contain hexadecimal characters only.'
  assert.equal(lora.status, 422)
  assertInvalid(lora.body, { message, errors: { deviceKey: [message] } })
})

// shows 4.4.1
test('every network of the contract takes devices', async () => {
  for (const network of [2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    const more = { appRegion: 'EU868', frequencyPlan: network === 5 ? 'EU_863_870_TTN' : null }
    const device = await addDevice(service, 20 + network, { network, deviceKey, ...more })
    assert.equal(device.device_register_status, 'pending')
  }
})

// shows 10.3.8
test('takes the permission manage_devices, for validating too', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_account'])
  for (const action of ['validate', 'confirm']) {
    const answer = await post(registrationOf(40, { action }), reader)
    assert.equal(answer.status, 403)
    assert.deepEqual(Object.keys(answer.body), ['message'])
  }
  assert.equal(await isRegistered(40), false)
})

// shows 10.3.18, 10.6.1
test('names every missing field at once, and repeats the first in the message', async () => {
  const answer = await post({})
  const required = (label: string) => [`The ${label} field is required.`]
  assert.equal(answer.status, 422)
  assertInvalid(answer.body, {
    message: 'The network field is required.',
    errors: {
      network: required('network'),
      deviceName: required('device name'),
      deviceId: required('device id'),
      deviceKey: required('device key'),
      deviceType: required('device type'),
      registerMethod: required('register method'),
      action: required('action'),
    },
  })
  const nothing = Object.fromEntries(Object.keys(answer.body.errors).map((key) => [key, null]))
  assert.deepEqual((await post(nothing)).body, answer.body)
})

test('names what only the service can tell together with what the fields tell', async () => {
  const answer = await post(
    registrationOf(2, { network: 1, deviceType: 1, appRegion: 'XX1', deviceKey: 'short' }),
  )
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, {
    deviceKey: ['The device key must be 32 characters.'],
    network: ['The selected network is invalid.'],
    deviceType: ['The selected device type is invalid.'],
    appRegion: ['The selected app region is invalid.'],
    deviceId: ['The device id has already been taken.'],
  })
})

const hexadecimalOnly = (label: string) => `The ${label} must contain hexadecimal characters only.`
const withoutDashes = (label: string, length: number) =>
  `The ${label} must be ${length} characters, without dashes and colons.`
const notAllowed = (label: string) => `The ${label} contains a character that is not allowed.`
const methods = 'The register method must be one of: vendor, user_account.'
const actions = 'The action must be one of: validate, confirm.'
const invalidField: [string, unknown, string][] = [
  ['network', '10', 'The network must be an integer.'],
  ['network', 10.5, 'The network must be an integer.'],
  ['network', 1, 'The selected network is invalid.'],
  ['network', -2, 'The selected network is invalid.'],
  ['network', 3e9, 'The network is out of range.'],
  ['network', true, 'The network must be an integer.'],
  ['deviceName', 7, 'The device name must be a string.'],
  ['deviceName', ' ', 'The device name field is required.'],
  ['deviceName', 'x'.repeat(256), 'The device name may not be greater than 255 characters.'],
  ['deviceName', 'a\u0000', notAllowed('device name')],
  ['deviceName', 'a\udc00', notAllowed('device name')],
  ['deviceId', '00AA', 'The device id must be 16 characters.'],
  ['deviceId', `${euiOf(41)}0`, 'The device id must be 16 characters.'],
  ['deviceId', '00-AA-00-00-00-00-00-01', withoutDashes('device id', 16)],
  ['deviceId', '00:aa:00:00:00:00:00:01', withoutDashes('device id', 16)],
  ['deviceKey', Array(16).fill('0A').join('-'), withoutDashes('device key', 32)],
  ['deviceId', '00AA00000000000G', hexadecimalOnly('device id')],
  ['deviceId', 1234567890123456, 'The device id must be a string.'],
  ['deviceId', [euiOf(41)], 'The device id must be a string.'],
  ['deviceKey', 'AB', 'The device key must be 32 characters.'],
  ['deviceKey', `${deviceKey}0`, 'The device key must be 32 characters.'],
  ['deviceKey', `${deviceKey.slice(1)}X`, hexadecimalOnly('device key')],
  ['deviceKey', {}, 'The device key must be a string.'],
  ['deviceType', 'door', 'The device type must be an integer.'],
  ['deviceType', 999_999, 'The selected device type is invalid.'],
  ['registerMethod', 'other', methods],
  ['registerMethod', 1, 'The register method must be a string.'],
  ['action', 'delete', actions],
  ['action', false, 'The action must be a string.'],
  ['consoleOnly', 'yes', 'The console only must be true or false.'],
  ['consoleOnly', 1, 'The console only must be true or false.'],
  ['appRegion', 'US', 'The selected app region is invalid.'],
  ['appRegion', 915, 'The app region must be a string.'],
  ['frequencyPlan', 1, 'The frequency plan must be a string.'],
  ['gatewayName', [], 'The gateway name must be a string.'],
  ['gatewayId', '5', 'The gateway id must be an integer.'],
  ['joinEui', '00', 'The join EUI must be 16 characters.'],
  ['joinEui', 'x'.repeat(16), hexadecimalOnly('join EUI')],
]

for (const [field, value, message] of invalidField) {
  const shown = JSON.stringify(value).slice(0, 40)
  // shows 1.4.1, 1.4.3, 1.4.4, 4.4.1-7, 4.4.9-13, 4.4.21, 4.4.23, 4.4.24, 7.1.1, 8.1.1, 8.1.2
  // shows 10.1.18, 10.3.20
  test(`refuses ${shown} as ${field}, in either step`, async () => {
    for (const action of ['validate', 'confirm']) {
      const answer = await post(registrationOf(41, { action, [field]: value }))
      assert.equal(answer.status, 422, answer.text)
      assertInvalid(answer.body, { message, errors: { [field]: [message] } })
    }
    assert.equal(await isRegistered(41), false)
  })
}

// shows 10.1.7, 10.1.10
test('refuses an EUI that the organization has, in any case and by either method', async () => {
  const message = 'The device id has already been taken.'
  await addDevice(service, 0xab)
  for (const registerMethod of ['user_account', 'vendor']) {
    for (const action of ['validate', 'confirm']) {
      for (const deviceId of [euiOf(0xab), euiOf(0xab).toLowerCase()]) {
        const answer = await post(registrationOf(0xab, { action, deviceId, registerMethod }))
        assert.equal(answer.status, 422)
        assertInvalid(answer.body, { message, errors: { deviceId: [message] } })
      }
    }
  }
})
