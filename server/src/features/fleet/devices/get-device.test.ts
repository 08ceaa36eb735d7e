import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, doorType, euiOf, noAccount } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { publicUrl, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')
const member = await joinMember(service, 'ada@example.test')
/** An EUI with letters, and without upper case. */
const eui = '00aa00000000beef'
const { id } = await addDevice(service, 1, { deviceId: eui, appRegion: 'US915' })
const foreign = await addDevice(service, 2, {}, other)
const deleted = await addDevice(service, 3)
await service.call('DELETE', `/v1/devices/${deleted.id}`)

const unknownStatus = {
  lastmsg_time: '--',
  battery: '--',
  tamper: '--',
  tamper_detect_since_reset: '--',
  config_error: '--',
  rate_limit_status: '--',
  current_sensor_state: '--',
  hardware_version: '--',
  firmware_version: '--',
  low_battery: '--',
}

const owner = {
  id: 1,
  timezone_format: 'UTC',
  console_only: false,
  timezone_id: 1,
  identity: {
    id: 1,
    first_name: 'Organization',
    last_name: 'Owner',
    email: 'owner@example.test',
    last_login: '2026-03-01T12:00:00.000000Z',
    joined_on: '2026-03-01T12:00:00.000000Z',
    activated: true,
  },
}

// shows 1.4.6, 2.4.1-16, 2.5.12, 4.3.1, 10.6.6, 10.6.10
test('the full record has every field; a new device knows nothing of its state', async () => {
  const answer = await service.call('GET', `/v1/devices/${eui}`)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    data: {
      id,
      device_id: eui,
      deviceTypeId: doorType.id,
      device_name: 'Device 1',
      device_type_name: doorType.name,
      network_name: 'ChirpStack v4',
      last_seen: '--',
      is_active: 'active',
      subscription: null,
      gateway: null,
      extra_notes: null,
      created_at: '2026-03-01T12:00:00.000000Z',
      commissioned_at: '2026-03-01T12:00:00.000000Z',
      user: { ...owner, identity: { ...owner.identity, ...namesOf(answer.body.data.user) } },
      device_register_status: 'pending',
      api_error_json: noAccount,
      device_status: unknownStatus,
    },
  })
})

/** The first owner's names are that feature's matter. */
function namesOf({ identity }: { identity: { first_name: string; last_name: string } }) {
  return { first_name: identity.first_name, last_name: identity.last_name }
}

// shows 2.4.17-20, 4.3.2, 4.4.9, 9.1.3
test('the lite record has the lite list fields with status, link and groups', async () => {
  const answer = await service.call('GET', `/v1/devices/${eui}?version=lite`)
  assert.deepEqual(answer.body, {
    data: {
      id,
      device_id: eui,
      device_type_id: doorType.id,
      device_type_name: doorType.name,
      device_name: 'Device 1',
      network_name: 'ChirpStack v4',
      last_seen: '--',
      region: 'US915',
      device_status: unknownStatus,
      url: `${publicUrl}/devices/${id}`,
      groups: [],
    },
  })
})

const names = [
  { path: `${id}`, how: 'its integer id' },
  { path: eui, how: 'its EUI as registered' },
  { path: eui.toUpperCase(), how: 'its EUI in upper case' },
  { path: '00aA00000000BeeF', how: 'its EUI in mixed case' },
  { path: `${id}/`, how: 'its id with a slash at the end' },
  { path: `${eui}/`, how: 'its EUI with a slash at the end' },
]

for (const { path, how } of names) {
  // shows 10.1.3, 10.1.6
  test(`finds a device by ${how}, and returns the EUI as it was registered`, async () => {
    for (const query of ['', '?version=lite', '?organization=1']) {
      const answer = await service.call('GET', `/v1/devices/${path}${query}`, { as: member })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.data.id, id)
      assert.equal(answer.body.data.device_id, eui)
    }
  })
}

const unknown = [
  { path: '999999', what: 'an id that nobody has' },
  { path: '0', what: 'the id 0' },
  { path: '-1', what: 'a negative id' },
  { path: '99999999999999999999', what: 'an id beyond all integers' },
  { path: '2147483648', what: 'an id beyond the database' },
  { path: `${id}.0`, what: 'a fraction' },
  { path: '00AA00000000DEAD', what: 'an EUI that nobody has' },
  { path: '00AA', what: 'a part of an EUI' },
  { path: `${eui}00`, what: 'more than an EUI' },
  { path: 'all', what: 'a word' },
  { path: '%00', what: 'a NUL character' },
  { path: `${eui}%00`, what: 'an EUI with a NUL character' },
  { path: '%F0%9F%9A%AA', what: 'an emoji' },
  { path: "'%20or%201=1", what: 'SQL' },
  { path: 'x'.repeat(2000), what: 'a very long text' },
  { path: `${foreign.id}`, what: "another organization's id" },
  { path: euiOf(2), what: "another organization's EUI" },
  { path: `${deleted.id}`, what: 'the id of a deleted device' },
  { path: euiOf(3), what: 'the EUI of a deleted device' },
]

for (const { path, what } of unknown) {
  // shows 10.3.15
  test(`answers 404 with the same body for ${what}`, async () => {
    for (const query of ['', '?version=lite']) {
      const answer = await service.call('GET', `/v1/devices/${path}${query}`)
      assert.equal(answer.status, 404, answer.text)
      assert.deepEqual(answer.body, { message: 'device not found' })
    }
  })
}

// shows 2.3.3, 2.4.6, 10.6.6
test('a device that was put out of use is inactive, in the list too', async () => {
  const { id: idle } = await addDevice(service, 4)
  const { db } = service.services
  await db.query('update devices set is_active = false where id = $1', [idle])
  const { body } = await service.call('GET', `/v1/devices/${idle}`)
  assert.equal(body.data.is_active, 'inactive')
  const listed = await service.call('GET', `/v1/devices?search=${euiOf(4)}`)
  assert.equal(listed.body.data[0].is_active, 'inactive')
})

test('refuses an unknown version', async () => {
  const answer = await service.call('GET', `/v1/devices/${id}?version=heavy`)
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, { version: ['The version must be one of: lite.'] })
})
