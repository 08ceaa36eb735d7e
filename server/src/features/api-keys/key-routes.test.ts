import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../test/api-keys.ts'
import { joinMember } from '../../../test/members.ts'
import { createWorld } from '../../../test/requests.ts'
import { startTestService } from '../../../test/service.ts'
import { permissions } from '../../http/endpoint.ts'
import { routes } from '../../routes.ts'
import { keyRoutes, limitedRoutes } from './key-routes.ts'

const service = await startTestService({ after })
const { requests } = await createWorld(service)

/** What takes the login of a person. */
const personal = [
  'GET /user/preferences',
  'PUT /user/preferences',
  'PATCH /user/preferences',
  'POST /user/password',
  'GET /user/sessions',
  'DELETE /user/sessions',
  'DELETE /user/sessions/:session_id',
  'POST /confirm-password-access',
  'POST /generate-qr-image',
  'POST /verify-two-factor-authentication',
  'POST /complete-verification',
  'POST /disable-authentication',
  'GET /api-keys',
  'POST /api-keys',
  'GET /api-keys/:key_id',
  'PATCH /api-keys/:key_id',
  'DELETE /api-keys/:key_id',
  'POST /api-keys/:key_id/rotate',
  'POST /subscription',
  'DELETE /subscription',
  'POST /organizations',
  'PATCH /organization',
  'PATCH /organization/retention',
  'POST /organization/users',
  'DELETE /organization/users/me',
  'PATCH /organization/users/:user_id',
  'DELETE /organization/users/:user_id',
  'GET /organization/invitations',
  'DELETE /organization/invitations/:id',
]

const ofMembers = routes.filter(([, , , { kind }]) => kind === 'member')

test('every route of members takes keys, or is named here as one for people', () => {
  const names = ofMembers.map(([method, url]) => `${method} ${url}`)
  assert.deepEqual(names.toSorted(), [...Object.keys(keyRoutes), ...personal].toSorted())
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
  for (const [method, url] of ofMembers) {
    const name = `${method} ${url}`
    const request = requests[name]
    if ((limitedRoutes[name] ?? 'all') !== 'all' || !request) continue
    const { body } = request
    const path = `/v1${request.path}`
    const answer = await service.call(method, path, { body, as: member })
    const message = 'Your membership is limited to a group, and cannot do this.'
    assert.deepEqual([answer.status, answer.body], [403, { message }], name)
    refused += 1
    if (keyRoutes[name] === undefined) continue
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
  for (const [method, url, , endpoint] of ofMembers) {
    if (keyRoutes[`${method} ${url}`] !== 'by group') continue
    assert.deepEqual(endpoint.query?.safeParse({ group: '7' }).success, true, url)
    assert.deepEqual(endpoint.query?.safeParse({ group: 'x' }).success, false, url)
  }
})
