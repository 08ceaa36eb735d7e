import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../test/api-keys.ts'
import { endpointList } from '../../../test/endpoint-list.ts'
import { joinMember } from '../../../test/members.ts'
import { createWorld } from '../../../test/requests.ts'
import { startTestService } from '../../../test/service.ts'
import { permissions } from '../../http/endpoint.ts'
import { routes } from '../../routes.ts'
import { keyRoutes, limitedRoutes } from './key-routes.ts'

const service = await startTestService({ after })
const { requests } = await createWorld(service)

const ofMembers = endpointList.filter(({ takes }) => takes !== undefined)
const personal = ofMembers.flatMap(({ takes, operation }) => (takes === 'person' ? operation : []))

test('routes take keys, and are kept to a group, as docs/endpoints.txt says', () => {
  for (const { operation, takes, reach } of ofMembers) {
    assert.equal(keyRoutes[operation] === undefined, takes === 'person', operation)
    const word = (limitedRoutes[operation] ?? 'all').replaceAll(' ', '-')
    assert.equal(word === 'all' ? 'refused' : word, reach, operation)
  }
  const known = new Set(ofMembers.map(({ operation }) => operation))
  for (const operation of Object.keys(limitedRoutes)) assert.ok(known.has(operation), operation)
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
  const sessions = routes.filter(([, , access]) => access === 'refresh' || access === 'token')
  assert.ok(sessions.length > 0)
  for (const [method, url] of sessions) {
    const request = requests[`${method} ${url}`]
    assert.ok(request, url)
    const { status } = await key.call(method, `/v1${request.path}`, { body: request.body })
    assert.equal(status, 401, `${method} ${url}`)
  }
  assert.equal((await key.call('GET', '/v1/devices')).status, 200)
})

test('whoever is limited to a group is refused every route that is not made for it', async () => {
  const group = await service.call('POST', '/v1/device-groups', { body: { groupName: 'Own' } })
  const key = await makeKey(service, { permissions, group: group.body.data.id })
  const member = await joinMember(service, 'limited@example.test', permissions)
  const limit = { body: { group: group.body.data.id } }
  await service.call('PATCH', `/v1/organization/users/${member.userId}`, limit)
  let refused = 0
  for (const { operation: name, method, reach, takes } of ofMembers) {
    const request = requests[name]
    if (reach !== 'refused' || !request) continue
    const { body } = request
    const path = `/v1${request.path}`
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
  for (const [name, reach] of Object.entries(limitedRoutes)) {
    assert.equal(name.includes('/:device_id'), reach === 'one device', name)
    assert.ok(reach !== 'one group' || name.includes('/:group_id'), name)
  }
})

test('every list that is kept to a group takes the parameter `group`', () => {
  for (const [method, url, , endpoint] of routes) {
    if (keyRoutes[`${method} ${url}`] !== 'by group') continue
    assert.deepEqual(endpoint.query?.safeParse({ group: '7' }).success, true, url)
    assert.deepEqual(endpoint.query?.safeParse({ group: 'x' }).success, false, url)
  }
})
