import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLocalDevice } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'other@example.test')
const gate = await addLocalDevice(service, 1)
const door = await addLocalDevice(service, 2)
const gateEui = await euiOf(gate)
const doorEui = await euiOf(door)

async function euiOf(id: number): Promise<string> {
  return (await service.call('GET', `/v1/devices/${id}`)).body.data.device_id
}

async function batch(groups: unknown[], as = service.owner) {
  const answer = await service.call('POST', '/v1/batch-group-requests', { as, body: { groups } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

async function readGroup(id: number) {
  return (await service.call('GET', `/v1/groups/${id}?version=lite`)).body.data
}

test('lists trees with the number of devices, all on page 1', async () => {
  const house = await addGroup(service, 'House', { selectedDevices: [gate] })
  const roof = await addGroup(service, 'Roof', {
    selectedDevices: [gate, door],
    selectedGroup: house,
  })
  const answer = await service.call('GET', '/v1/groups?version=lite&page=1')
  const tree = answer.body.data.find(({ id }: { id: number }) => id === house)
  assert.deepEqual(tree, {
    id: house,
    group_name: 'House',
    children: [{ id: roof, group_name: 'Roof', children: [], devices_counter: 2 }],
    devices_counter: 1,
  })
  assert.deepEqual((await service.call('GET', '/v1/groups?page=2')).body, { data: [] })
  assert.deepEqual(await readGroup(roof), {
    id: roof,
    group_name: 'Roof',
    devices: [
      { id: gate, device_id: gateEui, device_name: 'Device 1' },
      { id: door, device_id: doorEui, device_name: 'Device 2' },
    ],
    selected_group: house,
  })
})

test('hides the groups of others', async () => {
  const id = await addGroup(service, 'Hidden')
  const theirs = await service.call('GET', '/v1/groups', { as: other })
  assert.deepEqual(theirs.body, { data: [] })
  assert.equal((await service.call('GET', `/v1/groups/${id}`, { as: other })).status, 404)
  const [entry] = await batch([{ action: 'delete', groupId: id }], other)
  assert.deepEqual(entry, { status: false, message: 'Group not found', groupId: id })
  const [mine] = await batch(
    [{ action: 'create', groupName: 'Mine', selectedDevices: [gateEui] }],
    other,
  )
  assert.deepEqual(mine.errors, [`The selected devices do not exist: ${gateEui}.`])
})

test('a batch creates, updates and deletes, in order', async () => {
  const gone = await addGroup(service, 'Gone')
  const parent = await addGroup(service, 'Parent')
  const [created, deleted] = await batch([
    {
      action: 'create',
      groupName: 'New',
      selectedDevices: [gateEui.toLowerCase(), doorEui, gateEui],
      selectedGroup: [parent],
    },
    { action: 'delete', groupId: gone },
  ])
  const id = created.groupId
  assert.deepEqual(created, { status: true, message: 'Group added successfully', groupId: id })
  assert.deepEqual(deleted, { status: true, message: 'Group deleted successfully', groupId: gone })
  const listed = await readGroup(id)
  assert.equal(listed.selected_group, parent)
  assert.deepEqual(
    listed.devices.map(({ id }: { id: number }) => id),
    [gate, door],
  )
  const [updated] = await batch([
    { action: 'update', groupId: id, groupName: 'Newer', selectedDevices: [] },
  ])
  assert.deepEqual(updated, { status: true, message: 'Group updated successfully', groupId: id })
  assert.deepEqual(await readGroup(id), {
    id,
    group_name: 'Newer',
    devices: [],
    selected_group: parent,
  })
  await batch([{ action: 'update', groupId: id, groupName: 'Top', selectedGroup: [] }])
  assert.equal((await readGroup(id)).selected_group, null)
})

test('a bad item is refused with its faults, and affects no other', async () => {
  const entries = await batch([
    { action: 'create', selectedDevices: ['00AA'] },
    { action: 'create', groupName: 'Lost', selectedDevices: ['00AA00000000FFFF'] },
    { action: 'create', groupName: 'Astray', selectedGroup: [999_999] },
    { action: 'create', groupName: 'Torn', selectedGroup: [1, 2] },
    { action: 'rename' },
    'text',
    { action: 'create', groupName: 'Good' },
  ])
  const message = 'The group failed due to the validation errors.'
  const refuse = (...errors: string[]) => ({ status: false, message, groupId: null, errors })
  assert.deepEqual(entries.slice(0, -1), [
    refuse('The group name field is required.', 'The device EUI must be 16 characters.'),
    refuse('The selected devices do not exist: 00AA00000000FFFF.'),
    refuse('The selected group does not exist.'),
    refuse('The selected group must be a group id, or an array of one.'),
    refuse('The action must be one of: create, update, delete.'),
    refuse('The item must be an object.'),
  ])
  assert.equal(entries.at(-1).status, true)
})

test('needs the permission to manage groups', async () => {
  const member = await joinMember(service, 'reader@example.test', [])
  const body = { groups: [] }
  const answer = await service.call('POST', '/v1/batch-group-requests', { as: member, body })
  assert.equal(answer.status, 403)
})
