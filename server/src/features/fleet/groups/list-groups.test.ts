import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { creation, sendBatch } from '../../../../test/device-batches.ts'
import { addGroup, addLocalDevice, deviceKey, outline } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import type { Queryable } from '../../../db/connect.ts'

const service = await startTestService({ after })
const url = '/v1/device-groups'
const other = await foundOrganization(service, 'other@example.test')
const reader = await joinMember(service, 'reader@example.test')

test('is empty at first', async () => {
  const answer = await service.call('GET', url)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { data: [] })
})

// shows 2.11.1-6, 4.28.1, 10.9.7
test('lists the groups as trees, with the devices of each, in order of ids', async () => {
  const gate = await addLocalDevice(service, 1)
  const door = await addLocalDevice(service, 2)
  const farm = await addGroup(service, 'Farm', { selectedDevices: [door, gate] })
  const yard = await addGroup(service, 'Yard')
  const barn = await addGroup(service, 'Barn', { selectedGroup: farm, selectedDevices: [gate] })
  const answer = await service.call('GET', url, { as: reader })
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  const [first, second] = answer.body.data
  assert.equal(answer.body.data.length, 2)
  const { devices, children, ...rest } = first
  assert.deepEqual(rest, { id: farm, groupName: 'Farm', parent_id: null, opened: true })
  assert.deepEqual(
    devices.map((device: { id: number }) => device.id),
    [gate, door],
  )
  assert.equal(children.length, 1)
  assert.equal(children[0].id, barn)
  assert.equal(children[0].parent_id, farm)
  assert.deepEqual(children[0].children, [])
  assert.deepEqual(children[0].devices[0].pivot, { groupId: barn, deviceId: gate })
  assert.deepEqual(second, {
    id: yard,
    groupName: 'Yard',
    parent_id: null,
    opened: true,
    devices: [],
    children: [],
  })
})

test('shows a device in a list as in its group', async () => {
  const { body } = await service.call('GET', url)
  const retrieved = await service.call('GET', `${url}/${body.data[0].id}`)
  assert.deepEqual(body.data[0].devices, retrieved.body.data[0].devices)
})

test('shows nothing of other organizations', async () => {
  await addGroup(service, 'Elsewhere', {}, other)
  assert.deepEqual(await outline(service, other), { Elsewhere: {} })
  assert.ok(!('Elsewhere' in (await outline(service))))
})

test('asks the database once for groups and once for devices, however many there are', async () => {
  const { db } = service.services
  const asked: string[] = []
  const counting = (queryable: Queryable): Queryable => ({
    query: (text, values) => {
      if (/from (device_groups|grouped_devices|devices)/.test(text)) asked.push(text)
      return queryable.query(text, values)
    },
  })
  service.services.db = {
    ...db,
    ...counting(db),
    transaction: (work) => db.transaction((tx) => work({ ...tx, ...counting(tx) })),
  }
  try {
    await service.call('GET', url)
  } finally {
    service.services.db = db
  }
  assert.equal(asked.length, 2, asked.join('\n'))
})

test('lists groups of more devices than are fetched at a time', async () => {
  const large = await foundOrganization(service, 'large@example.test')
  await service.services.db.query('update organizations set device_limit = 10000 where id = $1', [
    large.organizationId,
  ])
  const devices = Array.from({ length: 1000 }, (_, index) => {
    return creation(10_000 + index, {}, { consoleOnly: true })
  })
  await sendBatch(service, devices, large)
  const stored = await service.services.db.query<{ id: number }>(
    'select id from devices where organization_id = $1 order by id',
    [large.organizationId],
  )
  const ids = stored.map(({ id }) => id)
  assert.equal(ids.length, 1000)
  const few = await addGroup(service, 'Few', { selectedDevices: ids.slice(0, 3) }, large)
  const many = await addGroup(service, 'Many', { selectedDevices: ids }, large)
  const listed = await service.call('GET', url, { as: large })
  const one = await service.call('GET', `${url}/${many}`, { as: large })
  const idsOf = (group: { devices: { id: number }[] }) => group.devices.map(({ id }) => id)
  assert.deepEqual(
    listed.body.data.map(({ id }: { id: number }) => id),
    [few, many],
  )
  assert.deepEqual(listed.body.data.map(idsOf), [ids.slice(0, 3), ids])
  assert.deepEqual(idsOf(one.body.data[0]), ids)
  assert.equal(one.body.data[0].devices[999].deviceKey, deviceKey)
})

test('answers HEAD without a body', async () => {
  const { token, organizationId } = service.owner
  const headers = { authorization: `Bearer ${token}`, organization: String(organizationId) }
  const answer = await service.app.inject({ method: 'HEAD', url, headers })
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.body, '')
})

test('needs a login', async () => {
  assert.equal((await service.call('GET', url, { as: null })).status, 401)
})
