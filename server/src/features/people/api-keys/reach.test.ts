import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { endpointList } from '../../../../test/endpoint-list.ts'
import { joinMember } from '../../../../test/members.ts'
import { createWorld } from '../../../../test/requests.ts'
import { startTestService } from '../../../../test/service.ts'
import { permissions } from '../../../http/endpoint.ts'
import { routes } from '../../../routes.ts'

const service = await startTestService({ after })
const { requests } = await createWorld(service)

const ofMembers = endpointList.filter(({ takes }) => takes !== undefined)
const personal = ofMembers.flatMap(({ takes, operation }) => (takes === 'person' ? operation : []))

test('routes take keys, and are kept to a group, as docs/endpoints.txt says', () => {
  const words = {
    ...{ all: 'key refused', person: 'person refused', 'own login': 'person no-devices' },
    ...{ 'one device': 'key one-device', 'one group': 'key one-group', 'by group': 'key by-group' },
    ...{ 'group tree': 'key tree', kept: 'key kept', 'no devices': 'key no-devices' },
  }
  for (const { operation, reach } of routes) {
    const listed = ofMembers.find((one) => one.operation === operation)
    assert.equal(reach && words[reach], listed && `${listed.takes} ${listed.reach}`, operation)
  }
})

test('a key with every permission is refused what takes the login of a person', async () => {
  const key = await makeKey(service, { permissions })
  for (const name of personal) {
    const request = requests[name]
    assert.ok(request, name)
    const [method = ''] = name.split(' ')
    const { status, body } = await key.call(method, `/v1${request.path}`, { body: request.body })
    assert.equal(status, 403, name)
    assert.deepEqual(body, { message: 'This takes the login of a person, not an API key.' })
  }
})

test('a key is no session: it is neither exchanged nor ended like one', async () => {
  const key = await makeKey(service, { permissions })
  const sessions = routes.filter(({ access }) => access === 'refresh' || access === 'token')
  assert.ok(sessions.length > 0)
  for (const { method, operation } of sessions) {
    const request = requests[operation]
    assert.ok(request, operation)
    const { status } = await key.call(method, `/v1${request.path}`, { body: request.body })
    assert.equal(status, 401, operation)
  }
  assert.equal((await key.call('GET', '/v1/devices')).status, 200)
})

test('whoever is limited to a group or a tag is refused every route that is not made for it', async () => {
  const group = await service.call('POST', '/v1/device-groups', { body: { groupName: 'Own' } })
  const key = await makeKey(service, { permissions, group: group.body.data.id })
  const tagged = await makeKey(service, { permissions, tag: 'floor' })
  const member = await joinMember(service, 'limited@example.test', permissions)
  const limit = { body: { group: group.body.data.id } }
  await service.call('PATCH', `/v1/organization/users/${member.userId}`, limit)
  let refused = 0
  for (const { operation: name, method, reach, takes } of ofMembers) {
    const request = requests[name]
    const isOfGroups = reach === 'one-group' || reach === 'tree'
    if ((reach !== 'refused' && !isOfGroups) || !request) continue
    const { body } = request
    const path = `/v1${request.path}`
    if (takes !== 'person') {
      const ofTag = await tagged.call(method, path, { body })
      const tagMessage = 'This API key is limited to a tag, and cannot do this.'
      assert.deepEqual([ofTag.status, ofTag.body], [403, { message: tagMessage }], name)
    }
    if (isOfGroups) continue
    const answer = await service.call(method, path, { body, as: member })
    const message = 'Your membership is limited to a group, and cannot do this.'
    assert.deepEqual([answer.status, answer.body], [403, { message }], name)
    refused += 1
    if (takes === 'person') continue
    const ofKey = await key.call(method, path, { body })
    const keyMessage = 'This API key is limited to a group, and cannot do this.'
    assert.deepEqual([ofKey.status, ofKey.body], [403, { message: keyMessage }], name)
  }
  assert.ok(refused > 70)
})

test('only routes with a device or a group in their path are marked for one', () => {
  for (const { url, reach } of routes) {
    assert.equal(url.includes('/:device_id'), reach === 'one device', url)
    assert.ok(reach !== 'one group' || url.includes('/:group_id'), url)
  }
})

test('every list that is kept to a group or a tag takes the parameters `group` and `tag`', () => {
  for (const { url, reach, endpoint } of routes) {
    if (reach !== 'by group') continue
    assert.deepEqual(endpoint.query?.safeParse({ group: '7' }).success, true, url)
    assert.deepEqual(endpoint.query?.safeParse({ group: 'x' }).success, false, url)
    const known = endpoint.query?.safeParse({ tag: 'floor:2' }).data as
      | { tag?: string[] }
      | undefined
    assert.deepEqual(known?.tag, ['floor:2'], url)
  }
})
