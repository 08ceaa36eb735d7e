import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, euiOf, readDevice } from '../../../../test/fleet.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')
const { id } = await addDevice(service, 1)
const foreign = await addDevice(service, 2, { deviceName: 'Theirs' }, other)

function rename(device: string | number, body: unknown, as = service.owner) {
  return service.call('PATCH', `/v1/devices/${device}`, { as, body })
}

// shows 4.5.2
test('answers the full record with the new name', async () => {
  const before = await readDevice(service, 1)
  const answer = await rename(id, { device_name: 'Front door' })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { data: { ...before, device_name: 'Front door' } })
  assert.deepEqual(await readDevice(service, 1), answer.body.data)
})

// shows 10.1.3
test('finds the device by id and by EUI in any case, with or without a slash at the end', async () => {
  for (const path of [id, `${id}/`, euiOf(1), euiOf(1).toLowerCase(), `${euiOf(1)}/`]) {
    const answer = await rename(path, { device_name: `Named as ${path}` })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.data.device_name, `Named as ${path}`)
    assert.equal(answer.body.data.id, id)
  }
})

test('keeps names as they are sent', async () => {
  for (const name of [
    'Tür 🚪 “B”',
    '  blanks  ',
    '<b>&',
    "'; --",
    'מרתף',
    // As long as ChirpStack takes them.
    'x'.repeat(100),
  ]) {
    assert.equal((await rename(id, { device_name: name })).body.data.device_name, name)
  }
})

test('ignores unknown members, and changes nothing but the name', async () => {
  const before = await readDevice(service, 1)
  const body = { device_name: 'Only this', deviceId: euiOf(9), is_active: 'inactive', id: 9 }
  assert.equal((await rename(id, body)).status, 200)
  assert.deepEqual(await readDevice(service, 1), { ...before, device_name: 'Only this' })
})

const required = 'The device name field is required.'
const notText = 'The device name must be a string.'
const forbiddenCharacter = 'The device name contains a character that is not allowed.'
const refused = [
  { what: 'nothing', body: {}, message: required },
  { what: 'null', body: { device_name: null }, message: required },
  { what: 'an empty name', body: { device_name: '' }, message: required },
  { what: 'blanks', body: { device_name: ' \t ' }, message: required },
  { what: 'a number', body: { device_name: 5 }, message: notText },
  { what: 'an array', body: { device_name: ['x'] }, message: notText },
  { what: 'NUL', body: { device_name: 'a\u0000b' }, message: forbiddenCharacter },
  {
    what: 'half of a surrogate pair',
    body: { device_name: 'a\ud83d' },
    message: forbiddenCharacter,
  },
  {
    what: 'more than 255 characters',
    body: { device_name: 'x'.repeat(256) },
    message: 'The device name may not be greater than 255 characters.',
  },
]

for (const { what, body, message } of refused) {
  // shows 4.5.1, 10.3.19
  test(`refuses ${what} as a name`, async () => {
    const before = await readDevice(service, 1)
    const answer = await rename(id, body)
    assert.equal(answer.status, 422, answer.text)
    assertInvalid(answer.body, { message, errors: { device_name: [message] } })
    assert.deepEqual(await readDevice(service, 1), before)
  })
}

test('an empty body is an empty object', async () => {
  const headers = { 'content-type': 'application/json' }
  const answer = await service.call('PATCH', `/v1/devices/${id}`, { headers })
  assert.deepEqual([answer.status, answer.body.message], [422, required])
})

test('answers 404 for devices that are not there and for those of others', async () => {
  for (const path of [999_999, euiOf(99), foreign.id, euiOf(2), '%00', 'all']) {
    const answer = await rename(path, { device_name: 'Mine now' })
    assert.deepEqual([answer.status, answer.body], [404, { message: 'device not found' }])
  }
  assert.equal((await readDevice(service, 2, other)).device_name, 'Theirs')
})

// shows 10.3.8, 10.3.14
test('takes the permission manage_devices', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_groups'])
  const writer = await joinMember(service, 'writer@example.test', ['manage_devices'])
  const before = await readDevice(service, 1)
  const refusal = await rename(id, { device_name: 'Not allowed' }, reader)
  assert.equal(refusal.status, 403)
  assert.deepEqual(Object.keys(refusal.body), ['message'])
  assert.deepEqual(await readDevice(service, 1), before)
  assert.equal((await rename(id, { device_name: 'Allowed' }, writer)).status, 200)
})
