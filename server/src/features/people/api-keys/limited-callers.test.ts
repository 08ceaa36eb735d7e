import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeKey, type TestKey } from '../../../../test/api-keys.ts'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { queue } from '../../../../test/downlinks.ts'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import {
  acceptLatest,
  joinMember,
  memberPassword,
  type TestMember,
} from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import type { Permission } from '../../../http/endpoint.ts'
import { routes } from '../../../routes.ts'

const service = await startTestService({ after })
const { call } = service
const groups = { above: 0, own: 0, below: 0, beside: 0 }
const ids: number[] = []

type Call = TestKey['call']

let key: TestKey
let member: TestMember
const asMember: Call = (method, url, { body } = {}) => call(method, url, { as: member, body })

/** What holds for keys and for members that are limited to the group. */
function forBoth(name: string, check: (call: Call, who: string) => Promise<void>) {
  test(`${name}, for a key`, () => check(key.call, 'This API key'))
  test(`${name}, for a member`, () => check(asMember, 'Your membership'))
}

async function addGroup(groupName: string, selectedGroup: number | null): Promise<number> {
  const answer = await call('POST', '/v1/device-groups', { body: { groupName, selectedGroup } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.id
}

/** Devices 1 and 2 are in the group and below it (2 also beside); 3 is above, 4 beside, 5 in none. */
before(async () => {
  groups.above = await addGroup('Above', null)
  groups.own = await addGroup('Own', groups.above)
  groups.below = await addGroup('Below', groups.own)
  groups.beside = await addGroup('Beside', groups.above)
  const callback = await connectChirpStack(service)
  const places = [[groups.own], [groups.below, groups.beside], [groups.above], [groups.beside], []]
  for (const [index, place] of places.entries()) {
    ids.push((await addDevice(service, index + 1, { groups: place })).id)
    const { status } = await post(service, callback, makeUp({ eui: euiOf(index + 1) }))
    assert.equal(status, 200)
  }
  const permissions: Permission[] = ['manage_devices', 'manage_groups']
  key = await makeKey(service, { permissions, group: groups.own })
  member = await joinMember(service, 'limited@example.test', permissions)
  const path = `/v1/organization/users/${member.userId}`
  assert.equal((await call('PATCH', path, { body: { group: groups.own } })).status, 200)
})

forBoth('lists have only the devices of the group and of the groups below it', async (send) => {
  const { body: devices } = await send('GET', '/v1/fleet/devices?sort=device_id')
  const euis = devices.data.map((one: { device_id: string }) => one.device_id)
  assert.deepEqual([euis, devices.total], [[euiOf(1), euiOf(2)], 2])
  const { body: uplinks } = await send('GET', '/v1/fleet/uplinks')
  const heard = uplinks.data.map((one: { device_id: string }) => one.device_id)
  assert.deepEqual(heard.sort(), [euiOf(1), euiOf(2)])
  assert.equal((await send('GET', '/v1/fleet/devices/ids')).body.total, 2)
  for (const path of ['devices/export', 'uplinks/export', 'uplinks/lines']) {
    const { text } = await send('GET', `/v1/fleet/${path}`)
    for (const number of [1, 2]) assert.ok(text.includes(euiOf(number)), path)
    for (const number of [3, 4, 5]) assert.ok(!text.includes(euiOf(number)), path)
  }
})

forBoth('the list of the contract has the same devices, with their total', async (send) => {
  const list = async (query: string) => {
    const { body } = await send('GET', `/v1/devices${query}`)
    return [body.data.map((one: { device_id: string }) => one.device_id), body.meta.total]
  }
  assert.deepEqual(await list(''), [[euiOf(1), euiOf(2)], 2])
  assert.deepEqual(await list('?sortOrder=desc&itemsPerPage=1'), [[euiOf(2)], 2])
  assert.deepEqual(await list(`?search=${euiOf(2)}`), [[euiOf(2)], 1])
  assert.deepEqual(await list(`?search=${euiOf(4)}`), [[], 0])
  const { body: lite } = await send('GET', '/v1/devices?version=lite')
  assert.equal(lite.data.length, 2)
})

forBoth('the tree begins at the group', async (send) => {
  const { body: tree } = await send('GET', '/v1/fleet/groups')
  const rows = tree.data.map((one: { id: number; parent_id: number | null }) => [
    one.id,
    one.parent_id,
  ])
  assert.deepEqual(rows, [
    [groups.own, null],
    [groups.below, groups.own],
  ])
  assert.deepEqual([tree.total, tree.data[0].subtree.devices], [2, 2])
  const { body: own } = await send('GET', `/v1/fleet/groups/${groups.own}`)
  assert.deepEqual([own.data.parent_id, own.data.path, own.data.subtree.devices], [null, [], 2])
  const { body: below } = await send('GET', `/v1/fleet/groups/${groups.below}`)
  assert.deepEqual(below.data.path, [{ id: groups.own, name: 'Own' }])
  for (const id of [groups.above, groups.beside, 99999, 'x']) {
    const { status, body } = await send('GET', `/v1/fleet/groups/${id}`)
    assert.deepEqual([status, body], [404, { message: 'Group not found' }])
  }
})

forBoth('no route that reads tells of a device or a group outside', async (send) => {
  let [told, refused] = [0, 0]
  for (const { method, url, endpoint } of routes) {
    if (method !== 'GET' || endpoint.kind !== 'member' || url === '/events') continue
    for (const device of [euiOf(1), euiOf(2)]) {
      const path = url
        .replace(':device_id', device)
        .replace(':group_id', String(groups.below))
        .replace(':network', 'chirpstack')
        .replace(/:\w+/g, '1')
      const { status, text } = await send('GET', `/v1${path}`)
      for (const word of [euiOf(3), euiOf(4), euiOf(5), 'Above', 'Beside']) {
        assert.ok(!text.includes(word), `${path} tells of ${word}`)
      }
      if (status === 200) told += 1
      else refused += 1
    }
  }
  assert.ok(told > 40 && refused > 40, `${told} ${refused}`)
})

forBoth('lists take a group below, and refuse any other', async (send, who) => {
  for (const path of ['devices', 'uplinks', 'downlinks']) {
    const list = (group: string) => send('GET', `/v1/fleet/${path}?group=${group}`)
    const below = await list(String(groups.below))
    assert.equal(below.status, 200)
    for (const one of below.body.data) {
      assert.equal((one.device ?? one).device_id, euiOf(2))
    }
    for (const group of [groups.above, groups.beside, 0, 99999, '', 'x', `${groups.own}&group=1`]) {
      const refused = await list(String(group))
      assert.equal(refused.status, 403, String(group))
      assert.deepEqual(refused.body, {
        message: `${who} is limited to the group ${groups.own} and the groups below it.`,
      })
    }
  }
  // As of a device that does not exist.
  for (const device of [euiOf(4), euiOf(0xdead)]) {
    const others = await send('GET', `/v1/fleet/uplinks?device=${device}`)
    assert.deepEqual([others.status, others.body.message], [404, 'device not found'])
  }
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

forBoth('a device outside the group does not exist for the key, on any route', async (send) => {
  let checked = 0
  for (const { method, url, reach } of routes) {
    if (reach !== 'one device') continue
    for (const device of [
      ...ids.slice(2),
      euiOf(3),
      euiOf(4).toLowerCase(),
      euiOf(5),
      euiOf(99),
      'x',
    ]) {
      const path = url.replace(':device_id', String(device)).replace(/:\w+/g, '1')
      const { status, body } = await send(method, `/v1${path}`, { body: {} })
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

const users = '/v1/organization/users'
const limitOf = async (as: TestMember) =>
  (await call('GET', '/v1/auth/session', { as })).body.data.organizations[0].group

test('an invitation can be limited, and stays so when it is accepted', async () => {
  const stranger = await joinMember(service, 'stranger@example.test')
  await call('DELETE', `${users}/${stranger.userId}`)
  const body = { email: 'stranger@example.test', permissions: [], group: groups.below }
  assert.equal((await call('POST', users, { body })).status, 202)
  const sent = await call('GET', '/v1/organization/invitations')
  assert.equal(sent.body.data[0].group, groups.below)
  await acceptLatest(service, stranger)
  assert.equal(await limitOf(stranger), groups.below)
  const { body: list } = await call('GET', '/v1/fleet/devices', { as: stranger })
  assert.equal(list.total, 1)
})

test('a new user can be limited from the beginning, and the limit is taken away', async () => {
  const person = { email: 'new@example.test', password: memberPassword, group: groups.own }
  const names = { first_name: 'Ada', last_name: 'New' }
  const { status, body } = await call('POST', users, { body: { ...person, ...names } })
  assert.equal(status, 201)
  const login = await service.logIn(person.email, memberPassword, 1)
  const total = async () =>
    (await call('GET', '/v1/fleet/devices', { as: login })).body.total as number
  assert.equal(await total(), 2)
  const path = `${users}/${body.data.id}`
  assert.equal((await call('PATCH', path, { body: { first_name: 'Eve' } })).status, 200)
  assert.equal(await total(), 2)
  assert.equal((await call('PATCH', path, { body: { group: null } })).status, 200)
  assert.ok((await total()) > 2)
})

test('no alerts are mailed to whoever is limited', async () => {
  const rule = { name: 'Silent', kind: 'registration_error', recipients: [member.userId] }
  const { status, body } = await call('POST', '/v1/alert-rules', { body: rule })
  assert.equal(status, 422)
  assert.match(body.errors.recipients[0], /not limited to a group/)
})

test('a limit is to a group that exists, and never of the owner', async () => {
  for (const group of [99999, 0, 'x']) {
    const body = { email: 'wrong@example.test', permissions: [], group }
    assert.equal((await call('POST', users, { body })).status, 422)
    const change = await call('PATCH', `${users}/${member.userId}`, { body: { group } })
    assert.equal(change.status, 422)
  }
  const { body: me } = await call('GET', '/v1/user/get-org-user/me')
  const owner = await call('PATCH', `${users}/${me.data.id}`, { body: { group: groups.own } })
  assert.equal(owner.status, 422)
  const { body: list } = await call('GET', users)
  const limits = list.data.map((one: { group: number | null }) => one.group)
  assert.deepEqual(limits.slice(0, 2), [null, groups.own])
})

test('whoever is limited manages no access, and what they sent before is void', async () => {
  const manager = await joinMember(service, 'manager@example.test', ['manage_account'])
  const body = { email: 'guest@example.test', permissions: [] }
  assert.equal((await call('POST', users, { as: manager, body })).status, 202)
  const waiting = async () =>
    (await call('GET', '/v1/organization/invitations')).body.data.filter(
      (one: { email: string }) => one.email === body.email,
    ).length
  assert.equal(await waiting(), 1)
  const path = `${users}/${manager.userId}`
  assert.equal((await call('PATCH', path, { body: { group: groups.own } })).status, 200)
  assert.equal(await waiting(), 0)
  for (const change of [{ group: null }, { permissions: ['manage_account'] }]) {
    assert.equal((await call('PATCH', path, { as: manager, body: change })).status, 403)
  }
  assert.equal((await call('POST', users, { as: manager, body })).status, 403)
  assert.equal((await call('GET', '/v1/api-keys', { as: manager })).status, 403)
  assert.equal((await call('DELETE', `${users}/me`, { as: manager })).status, 204)
})
