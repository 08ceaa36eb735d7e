import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeKey, type TestKey } from '../../../test/api-keys.ts'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { queue } from '../../../test/downlinks.ts'
import { addDevice, euiOf } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import { routes } from '../../routes.ts'
import { keyRoutes } from './key-routes.ts'

const service = await startTestService({ after })
const { call } = service
const groups = { above: 0, own: 0, below: 0, beside: 0 }
const ids: number[] = []
let key: TestKey

async function addGroup(groupName: string, selectedGroup: number | null): Promise<number> {
  const answer = await call('POST', '/v1/device-groups', { body: { groupName, selectedGroup } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.id
}

/** Devices 1 and 2 are in the group and below it; 3 is above, 4 beside, and 5 in no group. */
before(async () => {
  groups.above = await addGroup('Above', null)
  groups.own = await addGroup('Own', groups.above)
  groups.below = await addGroup('Below', groups.own)
  groups.beside = await addGroup('Beside', groups.above)
  const callback = await connectChirpStack(service)
  const places = [[groups.own], [groups.below], [groups.above], [groups.beside], []]
  for (const [index, place] of places.entries()) {
    ids.push((await addDevice(service, index + 1, { groups: place })).id)
    const { status } = await post(service, callback, makeUp({ eui: euiOf(index + 1) }))
    assert.equal(status, 200)
  }
  const permissions = ['manage_devices', 'manage_groups']
  key = await makeKey(service, { permissions, group: groups.own })
})

test('lists have the devices of the group and of the groups below it alone', async () => {
  const { body: devices } = await key.call('GET', '/v1/fleet/devices?sort=device_id')
  const euis = devices.data.map((one: { device_id: string }) => one.device_id)
  assert.deepEqual([euis, devices.total], [[euiOf(1), euiOf(2)], 2])
  const { body: uplinks } = await key.call('GET', '/v1/fleet/uplinks')
  const heard = uplinks.data.map((one: { device_id: string }) => one.device_id)
  assert.deepEqual(heard.sort(), [euiOf(1), euiOf(2)])
  assert.equal((await key.call('GET', '/v1/fleet/devices/ids')).body.total, 2)
  for (const path of ['devices/export', 'uplinks/export', 'uplinks/lines']) {
    const { text } = await key.call('GET', `/v1/fleet/${path}`)
    for (const number of [1, 2]) assert.ok(text.includes(euiOf(number)), path)
    for (const number of [3, 4, 5]) assert.ok(!text.includes(euiOf(number)), path)
  }
})

test('lists take a group below, and refuse any other', async () => {
  for (const path of ['devices', 'uplinks', 'downlinks']) {
    const list = (group: string) => key.call('GET', `/v1/fleet/${path}?group=${group}`)
    const below = await list(String(groups.below))
    assert.equal(below.status, 200)
    for (const one of below.body.data) {
      assert.equal((one.device ?? one).device_id, euiOf(2))
    }
    for (const group of [groups.above, groups.beside, 0, 99999, '', 'x', `${groups.own}&group=1`]) {
      const refused = await list(String(group))
      assert.equal(refused.status, 403, String(group))
      assert.deepEqual(refused.body, {
        message: `This API key is limited to the group ${groups.own} and the groups below it.`,
      })
    }
  }
  const others = `/v1/fleet/uplinks?device=${euiOf(4)}`
  assert.deepEqual((await key.call('GET', others)).body.data, [])
})

test('the list of downlinks has those of the group, with their total', async () => {
  for (const number of [1, 2, 4]) await queue({ service }, euiOf(number), 5)
  const { body } = await key.call('GET', '/v1/fleet/downlinks')
  const euis = body.data.map((one: { device: { device_id: string } }) => one.device.device_id)
  assert.deepEqual([euis, body.total], [[euiOf(2), euiOf(1)], 2])
  const below = await key.call('GET', `/v1/fleet/downlinks?group=${groups.below}`)
  assert.equal(below.body.total, 1)
  assert.equal((await call('GET', '/v1/fleet/downlinks')).body.total, 3)
})

test('a device outside the group does not exist for the key, on any route', async () => {
  let checked = 0
  for (const [method, url] of routes) {
    if (keyRoutes[`${method} ${url}`] !== 'one device') continue
    for (const device of [
      ...ids.slice(2),
      euiOf(3),
      euiOf(4).toLowerCase(),
      euiOf(5),
      euiOf(99),
      'x',
    ]) {
      const path = url.replace(':device_id', String(device)).replace(/:\w+/g, '1')
      const { status, body } = await key.call(method, `/v1${path}`, { body: {} })
      assert.deepEqual([status, body], [404, { message: 'device not found' }], `${method} ${path}`)
      checked += 1
    }
  }
  assert.ok(checked > 100)
})

test('the devices of the group are read, changed and configured', async () => {
  for (const number of [1, 2]) {
    const device = `/v1/devices/${euiOf(number)}`
    assert.equal((await key.call('GET', device)).status, 200)
    assert.equal((await key.call('GET', `${device}/uplink`)).body.data.length, 1)
    assert.equal((await key.call('GET', `${device}/downlinks`)).status, 200)
    assert.equal((await key.call('GET', `${device}/configure/fields`)).status, 200)
    const body = { device_name: `Door ${number}` }
    assert.equal((await key.call('PATCH', device, { body })).status, 200)
  }
})

test('the key cannot take a device out of the group, nor add one', async () => {
  const body = { groups: [groups.own, groups.beside] }
  const answer = await key.call('PATCH', `/v1/devices/${euiOf(1)}`, { body })
  assert.equal(answer.status, 403)
  assert.match(answer.body.message, /limited to a group cannot change the groups/)
  assert.equal((await key.call('POST', '/v1/devices', { body: {} })).status, 403)
})

test('reaches nothing when its group is gone', async () => {
  const gone = await addGroup('Gone', null)
  await addDevice(service, 6, { groups: [gone] })
  const limited = await makeKey(service, { group: gone })
  assert.equal((await limited.call('GET', '/v1/fleet/devices')).body.total, 1)
  await call('DELETE', `/v1/device-groups/${gone}`)
  assert.equal((await limited.call('GET', '/v1/fleet/devices')).body.total, 0)
  assert.deepEqual((await limited.call('GET', '/v1/fleet/uplinks')).body.data, [])
  assert.equal((await limited.call('GET', `/v1/devices/${euiOf(6)}`)).status, 404)
})
