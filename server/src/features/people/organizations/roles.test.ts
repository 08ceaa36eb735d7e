import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { acceptLatest, foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { call } = service
const members = '/v1/organization/users'
/** As docs/sign-on.md and the decisions have them, in the order of the permissions. */
const meanings = {
  viewer: [],
  installer: ['manage_devices'],
  operator: ['manage_widget_dashboard', 'manage_devices', 'manage_gateways', 'manage_groups'],
  administrator: [
    'manage_account',
    'manage_widget_dashboard',
    'manage_devices',
    'manage_gateways',
    'manage_groups',
  ],
}

async function listed(email: string, list = members) {
  const { body } = await call('GET', list)
  return body.data.find((each: { email: string }) => each.email === email)
}

// shows 11.3.20
test('each role gives a member its permissions, and is told while exactly these are held', async () => {
  const email = 'role@example.test'
  const member = await joinMember(service, email, ['manage_groups'])
  const path = `${members}/${member.userId}`
  assert.equal((await listed(email)).role, null)
  for (const [role, permissions] of Object.entries(meanings)) {
    const { status, body } = await call('PATCH', path, { body: { role } })
    assert.deepEqual([status, body.data.permissions], [200, permissions])
    assert.equal((await listed(email)).role, role)
  }
  await call('PATCH', path, { body: { role: null, first_name: 'Bo' } })
  assert.equal((await listed(email)).role, 'administrator')
  await call('PATCH', path, { body: { permissions: ['manage_gateways'] } })
  assert.equal((await listed(email)).role, null)
})

// shows 11.3.21
test('a new member and an invitation have the permissions of a role', async () => {
  const names = { first_name: 'Cy', last_name: 'New', password: 'seven green lanterns' }
  const added = await call('POST', members, {
    body: { email: 'cy@example.test', ...names, role: 'operator' },
  })
  assert.deepEqual([added.status, added.body.data.permissions], [201, meanings.operator])
  const child = await foundOrganization(service, 'guest@example.test')
  const sent = await call('POST', members, {
    body: { email: 'guest@example.test', role: 'installer' },
  })
  // The contract has these fields and no others.
  const data = { email: 'guest@example.test', permissions: meanings.installer, status: 'invited' }
  assert.deepEqual([sent.status, sent.body], [202, { data }])
  const waiting = await listed('guest@example.test', '/v1/organization/invitations')
  const received = await call('GET', '/v1/user/invitations', { as: child })
  assert.deepEqual([waiting.role, received.body.data[0].role], ['installer', 'installer'])
  await acceptLatest(service, child)
  assert.equal((await listed('guest@example.test')).role, 'installer')
})

// shows 11.3.21
test('an API key is made and changed by the name of a role', async () => {
  const body = { name: 'Gate', role: 'operator' }
  const made = await call('POST', '/v1/api-keys', { body })
  const { id, role, permissions } = made.body.data
  assert.deepEqual([made.status, role, permissions], [201, 'operator', meanings.operator])
  const path = `/v1/api-keys/${id}`
  const changed = await call('PATCH', path, { body: { role: 'viewer' } })
  assert.deepEqual([changed.body.data.role, changed.body.data.permissions], ['viewer', []])
  const renamed = await call('PATCH', path, { body: { name: 'Door' } })
  assert.equal(renamed.body.data.role, 'viewer')
  const single = await call('PATCH', path, { body: { permissions: ['manage_groups'] } })
  assert.equal(single.body.data.role, null)
})

// shows 11.3.21
test('a role that is none, and one beside permissions, is refused and changes nothing', async () => {
  const { userId } = await joinMember(service, 'kept@example.test', ['manage_groups'])
  const key = await makeKey(service, { permissions: ['manage_groups'] })
  const known = 'viewer, installer, operator, administrator'
  const requests = [
    ['POST', members, { email: 'x@example.test' }],
    ['PATCH', `${members}/${userId}`, { first_name: 'Eve' }],
    ['POST', '/v1/api-keys', { name: 'Gate' }],
    ['PATCH', `/v1/api-keys/${key.id}`, { name: 'Gate' }],
  ] as const
  for (const [method, url, rest] of requests) {
    for (const role of ['boss', 'Viewer', 5, ['viewer']]) {
      const { status, body } = await call(method, url, { body: { ...rest, role } })
      assert.deepEqual([status, body.errors.role], [422, [`The role must be one of: ${known}.`]])
    }
    const both = await call(method, url, { body: { ...rest, role: 'viewer', permissions: [] } })
    const errors = { role: ['Send a role or permissions, not both.'] }
    assert.deepEqual([both.status, both.body.errors], [422, errors])
  }
  assert.equal(await listed('x@example.test', '/v1/organization/invitations'), undefined)
  assert.deepEqual((await listed('kept@example.test')).permissions, ['manage_groups'])
  const keys = await call('GET', '/v1/api-keys')
  assert.deepEqual(
    keys.body.data.find(({ id }: { id: number }) => id === key.id),
    key.record,
  )
  const neither = await call('POST', '/v1/api-keys', { body: { name: 'Gate', role: null } })
  assert.deepEqual(neither.body.errors, { permissions: ['The permissions field is required.'] })
})

test('nobody gives a role that goes beyond their own permissions; an owner keeps all', async () => {
  const manager = await joinMember(service, 'manager@example.test', ['manage_account'])
  const body = { email: 'y@example.test', role: 'installer' }
  const refused = await call('POST', members, { as: manager, body })
  const message = 'You cannot grant the permission manage_devices, which you do not have.'
  assert.deepEqual([refused.status, refused.body.message], [403, message])
  const key = { name: 'Gate', role: 'installer' }
  assert.equal((await call('POST', '/v1/api-keys', { as: manager, body: key })).status, 403)
  const lesser = await call('POST', members, { as: manager, body: { ...body, role: 'viewer' } })
  assert.equal(lesser.status, 202)
  const own = `${members}/${(await call('GET', members)).body.data[0].id}`
  const lowered = await call('PATCH', own, { body: { role: 'operator' } })
  const reason = ['The owner of the organization has every permission.']
  assert.deepEqual([lowered.status, lowered.body.errors], [422, { role: reason }])
})
