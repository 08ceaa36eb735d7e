import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLocalDevice, outline } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = (id: unknown) => `/v1/device-groups/${id}`
const start = new Date('2026-03-01T12:00:00.000Z')
const later = new Date('2026-03-02T12:00:00.000Z')
const other = await foundOrganization(service, 'other@example.test')
const gate = await addLocalDevice(service, 1)
const door = await addLocalDevice(service, 2)
const foreignDevice = await addLocalDevice(service, 3, {}, other)

async function read(id: number) {
  return (await service.call('GET', url(id))).body.data[0]
}

// shows 2.12.1-6, 4.31.4
test('answers the renamed group as the contract shows it', async (t) => {
  t.after(() => service.setClock(start))
  const id = await addGroup(service, 'Old', { selectedDevices: [gate] })
  service.setClock(later)
  const answer = await service.call('PATCH', url(id), { body: { groupName: 'New' } })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    status: 'success',
    status_code: 200,
    message: 'Group updated successfully',
    data: {
      id,
      userId: 1,
      parent_id: null,
      depth: 0,
      groupName: 'New',
      groupConfig: '[]',
      created_at: '2026-03-01T12:00:00.000000Z',
      updated_at: '2026-03-02T12:00:00.000000Z',
      devices: [{ id: gate, deviceName: 'Device 1', pivot: { groupId: id, deviceId: gate } }],
    },
  })
})

// shows 10.9.1, 10.9.2, 10.9.7
test('keeps parent, devices and opened when they are left out', async () => {
  const parent = await addGroup(service, 'Keeping')
  const more = { selectedGroup: parent, selectedDevices: [gate, door] }
  const id = await addGroup(service, 'Kept', more)
  await service.call('PATCH', url(id), { body: { groupName: 'Kept', opened: false } })
  const before = await read(id)
  assert.equal(before.opened, false)
  const answer = await service.call('PATCH', url(id), { body: { groupName: 'Still' } })
  assert.equal(answer.body.data.depth, 1)
  assert.deepEqual(await read(id), { ...before, groupName: 'Still' })
})

// shows 4.31.2, 10.9.1
test('takes selectedDevices for the whole list', async (t) => {
  t.after(() => service.setClock(start))
  const id = await addGroup(service, 'Whole', { selectedDevices: [gate] })
  const set = async (selectedDevices: number[]) => {
    const body = { groupName: 'Whole', selectedDevices }
    const answer = await service.call('PATCH', url(id), { body })
    return answer.body.data.devices.map((device: { id: number }) => device.id)
  }
  service.setClock(later)
  assert.deepEqual(await set([door, gate]), [gate, door])
  const added = (await read(id)).devices.map((device: { added_at: string }) => device.added_at)
  assert.deepEqual(added, ['2026-03-01T12:00:00.000000Z', '2026-03-02T12:00:00.000000Z'])
  assert.deepEqual(await set([door]), [door])
  assert.deepEqual(await set([]), [])
})

// shows 4.31.3, 10.9.2
test('moves a group with all that lies below it, and to the top again', async () => {
  const farm = await addGroup(service, 'Farm')
  const barn = await addGroup(service, 'Barn')
  await addGroup(service, 'Box', { selectedGroup: barn })
  const move = (selectedGroup: number | null) =>
    service.call('PATCH', url(barn), { body: { groupName: 'Barn', selectedGroup } })
  const moved = await move(farm)
  assert.equal(moved.body.data.parent_id, farm)
  assert.equal(moved.body.data.depth, 1)
  assert.deepEqual((await outline(service)).Farm, { Barn: { Box: {} } })
  assert.equal((await move(null)).body.data.parent_id, null)
  const after = await outline(service)
  assert.deepEqual([after.Farm, after.Barn], [{}, { Box: {} }])
})

// shows 10.9.3
test('moves no group under itself or what lies below it', async () => {
  const top = await addGroup(service, 'Top')
  const middle = await addGroup(service, 'Middle', { selectedGroup: top })
  const bottom = await addGroup(service, 'Bottom', { selectedGroup: middle })
  for (const selectedGroup of [top, middle, bottom]) {
    const answer = await service.call('PATCH', url(top), {
      body: { groupName: 'X', selectedGroup },
    })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, {
      selectedGroup: ['A group cannot be moved into itself or into one of its subgroups.'],
    })
  }
  assert.deepEqual((await outline(service)).Top, { Middle: { Bottom: {} } })
})

test('moves no tree to where it would be more than a hundred levels deep', async () => {
  const chain = async (name: string, levels: number) => {
    const ids: number[] = []
    for (let level = 0; level < levels; level++) {
      const selectedGroup = ids.at(-1) ?? null
      ids.push(await addGroup(service, `${name} ${level}`, { selectedGroup }))
    }
    return ids
  }
  const high = await chain('High', 60)
  const low = await chain('Low', 41)
  const body = { groupName: 'Low 0', selectedGroup: high[59] }
  const answer = await service.call('PATCH', url(low[0]), { body })
  assert.equal(answer.status, 422)
  assert.deepEqual(Object.keys(answer.body.errors), ['selectedGroup'])
  const fitting = { groupName: 'Low 0', selectedGroup: high[58] }
  assert.equal((await service.call('PATCH', url(low[0]), { body: fitting })).status, 200)
})

// shows 10.9.4
test('changes nothing when anything is wrong, and names all of it', async () => {
  const id = await addGroup(service, 'Right', { selectedDevices: [gate] })
  const foreignGroup = await addGroup(service, 'Foreign', {}, other)
  const before = await read(id)
  const wrong = { groupName: 'W', selectedDevices: [foreignDevice], selectedGroup: foreignGroup }
  const answer = await service.call('PATCH', url(id), { body: wrong })
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, {
    selectedDevices: [`The selected devices do not exist: ${foreignDevice}.`],
    selectedGroup: ['The selected group does not exist.'],
  })
  assert.deepEqual(await read(id), before)
})

test('takes no deleted device', async () => {
  const gone = await addLocalDevice(service, 4)
  await service.call('DELETE', `/v1/devices/${gone}`)
  const body = { groupName: 'Gone', selectedDevices: [gone] }
  const answer = await service.call('PATCH', url(await addGroup(service, 'Gone')), { body })
  assert.equal(answer.status, 422)
  assert.deepEqual(Object.keys(answer.body.errors), ['selectedDevices'])
})

const invalid: [string, object, string[]][] = [
  ['a missing name', {}, ['groupName']],
  ['a name that is no text', { groupName: 5 }, ['groupName']],
  ['opened that is no truth', { groupName: 'A', opened: 'yes' }, ['opened']],
]
for (const [name, body, fields] of invalid) {
  // shows 4.31.1
  test(`complains about ${name}`, async () => {
    const id = await addGroup(service, 'Checked')
    const answer = await service.call('PATCH', url(id), { body })
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.errors), fields)
  })
}

test('knows no group that is missing or foreign', async () => {
  const foreign = await addGroup(service, 'Foreign too', {}, other)
  for (const id of [foreign, 999_999, 'abc']) {
    const answer = await service.call('PATCH', url(id), { body: { groupName: 'Mine' } })
    assert.equal(answer.status, 404, `${id}`)
    assert.deepEqual(answer.body, { message: 'Group not found' })
  }
  assert.ok('Foreign too' in (await outline(service, other)))
})

// shows 10.3.12
test('needs manage_groups', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const id = await addGroup(service, 'Guarded')
  const body = { groupName: 'Changed' }
  assert.equal((await service.call('PATCH', url(id), { as: reader, body })).status, 403)
  assert.equal((await service.call('PATCH', url(id), { as: null, body })).status, 401)
})
