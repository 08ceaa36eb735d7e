import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLocalDevice, euiOf, outline } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = (id: unknown) => `/v1/device-groups/${id}`
const other = await foundOrganization(service, 'other@example.test')

// shows 3.1.9, 4.32.1, 7.1.8
test('removes the group and answers nothing', async () => {
  const id = await addGroup(service, 'Gone')
  const answer = await service.call('DELETE', url(id))
  assert.equal(answer.status, 204)
  assert.equal(answer.text, '')
  assert.equal((await service.call('GET', url(id))).status, 404)
  assert.equal((await service.call('DELETE', url(id))).status, 404)
})

// shows 2.4.20, 3.1.9, 4.32.2, 10.6.16
test('keeps the devices, which are in it no more', async () => {
  const device = await addLocalDevice(service, 1)
  const kept = await addGroup(service, 'Kept', { selectedDevices: [device] })
  const gone = await addGroup(service, 'Gone', { selectedDevices: [device] })
  const groups = async () => {
    const { body } = await service.call('GET', `/v1/devices/${euiOf(1)}?version=lite`)
    return body.data.groups
  }
  const both = [
    { id: kept, groupName: 'Kept' },
    { id: gone, groupName: 'Gone' },
  ]
  assert.deepEqual(await groups(), both)
  assert.equal((await service.call('DELETE', url(gone))).status, 204)
  assert.deepEqual(await groups(), both.slice(0, 1))
  assert.equal((await service.call('GET', `/v1/devices/${device}`)).status, 200)
})

// shows 10.9.5
test('moves its subgroups to its parent, or to the top', async () => {
  const farm = await addGroup(service, 'Farm')
  const barn = await addGroup(service, 'Barn', { selectedGroup: farm })
  const stable = await addGroup(service, 'Stable', { selectedGroup: barn })
  await addGroup(service, 'Box', { selectedGroup: stable })
  await addGroup(service, 'Loft', { selectedGroup: barn })
  await service.call('DELETE', url(barn))
  assert.deepEqual((await outline(service)).Farm, { Stable: { Box: {} }, Loft: {} })
  await service.call('DELETE', url(farm))
  const top = await outline(service)
  assert.deepEqual([top.Stable, top.Loft], [{ Box: {} }, {}])
})

test('knows no group that is missing or foreign', async () => {
  const foreign = await addGroup(service, 'Foreign', {}, other)
  for (const id of [foreign, 999_999, 'abc']) {
    const answer = await service.call('DELETE', url(id))
    assert.equal(answer.status, 404, `${id}`)
    assert.deepEqual(answer.body, { message: 'Group not found' })
  }
  assert.deepEqual(await outline(service, other), { Foreign: {} })
})

// shows 10.3.12
test('needs manage_groups', async () => {
  const reader = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const id = await addGroup(service, 'Guarded')
  assert.equal((await service.call('DELETE', url(id), { as: reader })).status, 403)
  assert.equal((await service.call('DELETE', url(id), { as: null })).status, 401)
})
