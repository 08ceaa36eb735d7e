import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLocalDevice, outline } from '../../../../test/fleet.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = '/v1/device-groups'
const gate = await addLocalDevice(service, 1)
const door = await addLocalDevice(service, 2)
const other = await foundOrganization(service, 'other@example.test')
const foreignDevice = await addLocalDevice(service, 3, {}, other)
const foreignGroup = await addGroup(service, 'Foreign', {}, other)

// shows 2.12.1-6, 4.29.2, 4.29.4, 10.9.6
test('answers the group as the contract shows it', async () => {
  const body = { groupName: 'Barn', selectedDevices: [door, gate], selectedGroup: null }
  const answer = await service.call('POST', url, { body })
  assert.equal(answer.status, 200)
  const { id } = answer.body.data
  assert.ok(Number.isInteger(id))
  assert.deepEqual(answer.body, {
    data: {
      id,
      userId: 1,
      parent_id: null,
      depth: 0,
      groupName: 'Barn',
      groupConfig: '[]',
      created_at: '2026-03-01T12:00:00.000000Z',
      updated_at: '2026-03-01T12:00:00.000000Z',
      devices: [
        { id: gate, deviceName: 'Device 1', pivot: { groupId: id, deviceId: gate } },
        { id: door, deviceName: 'Device 2', pivot: { groupId: id, deviceId: door } },
      ],
    },
  })
})

test('needs nothing but a name', async () => {
  const { status, body } = await service.call('POST', url, { body: { groupName: 'Plain' } })
  assert.equal(status, 200)
  assert.equal(body.data.parent_id, null)
  assert.deepEqual(body.data.devices, [])
})

// shows 2.12.2, 4.29.3
test('puts a group under its parent and tells its depth', async () => {
  const farm = await addGroup(service, 'Farm')
  const stable = await addGroup(service, 'Stable', { selectedGroup: farm })
  const body = { groupName: 'Box', selectedGroup: stable }
  const answer = await service.call('POST', url, { body })
  assert.equal(answer.body.data.parent_id, stable)
  assert.equal(answer.body.data.depth, 2)
  assert.deepEqual((await outline(service)).Farm, { Stable: { Box: {} } })
})

test('takes a device into several groups, and once into each', async () => {
  const first = await addGroup(service, 'First', { selectedDevices: [gate, gate] })
  const second = await addGroup(service, 'Second', { selectedDevices: [gate] })
  for (const id of [first, second]) {
    const { body } = await service.call('GET', `${url}/${id}`)
    assert.deepEqual(
      body.data[0].devices.map((device: { id: number }) => device.id),
      [gate],
    )
  }
})

const invalid: [string, object, Record<string, string[]>][] = [
  ['a missing name', {}, { groupName: ['The group name field is required.'] }],
  ['a blank name', { groupName: ' ' }, { groupName: ['The group name field is required.'] }],
  [
    'a name that is too long',
    { groupName: 'x'.repeat(256) },
    { groupName: ['The group name may not be greater than 255 characters.'] },
  ],
  [
    'devices that are no list',
    { groupName: 'A', selectedDevices: 7 },
    { selectedDevices: ['The selected devices must be an array.'] },
  ],
  [
    'device ids that are no integers',
    { groupName: 'A', selectedDevices: ['00AA000000000001'] },
    { 'selectedDevices.0': ['The device id must be an integer.'] },
  ],
  [
    'unknown and foreign devices',
    { groupName: 'A', selectedDevices: [gate, 999_999, foreignDevice] },
    { selectedDevices: [`The selected devices do not exist: ${foreignDevice}, 999999.`] },
  ],
  [
    'many unknown devices, of which it names five',
    { groupName: 'A', selectedDevices: [-1, -2, -3, -4, -5, -6, -7] },
    { selectedDevices: ['The selected devices do not exist: -7, -6, -5, -4, -3 and 2 more.'] },
  ],
  [
    'a parent that is no integer',
    { groupName: 'A', selectedGroup: 'Farm' },
    { selectedGroup: ['The selected group must be an integer.'] },
  ],
  [
    'an unknown parent',
    { groupName: 'A', selectedGroup: 0 },
    { selectedGroup: ['The selected group does not exist.'] },
  ],
  [
    'a foreign parent and an unknown device at once',
    { groupName: 'A', selectedDevices: [999_999], selectedGroup: foreignGroup },
    {
      selectedDevices: ['The selected devices do not exist: 999999.'],
      selectedGroup: ['The selected group does not exist.'],
    },
  ],
]
for (const [name, body, errors] of invalid) {
  // shows 4.29.1-3, 10.9.4
  test(`complains about ${name}, and creates nothing`, async () => {
    const before = await outline(service)
    const answer = await service.call('POST', url, { body })
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message: Object.values(errors)[0]?.[0], errors })
    assert.deepEqual(await outline(service), before)
  })
}

test('nests a hundred levels and not more', async () => {
  let parent: number | null = null
  for (let level = 0; level < 100; level++) {
    parent = await addGroup(service, `Level ${level}`, { selectedGroup: parent })
  }
  const body = { groupName: 'Too deep', selectedGroup: parent }
  const answer = await service.call('POST', url, { body })
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, {
    selectedGroup: ['Groups may not be nested more than 100 levels deep.'],
  })
  assert.ok('Level 0' in (await outline(service)))
})

// shows 10.3.12
test('needs manage_groups', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const writer = await joinMember(service, 'writer@example.test', ['manage_groups'])
  const body = { groupName: 'Mine' }
  assert.equal((await service.call('POST', url, { as: reader, body })).status, 403)
  assert.equal((await service.call('POST', url, { as: null, body })).status, 401)
  const answer = await service.call('POST', url, { as: writer, body })
  assert.equal(answer.body.data.userId, writer.userId)
})
