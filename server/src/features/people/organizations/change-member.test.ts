import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = (userId: unknown) => `/v1/organization/users/${userId}`
const manager = await joinMember(service, 'manager@example.test', [
  'manage_account',
  'manage_groups',
])
const child = await foundOrganization(service, 'child@example.test')

// shows 11.3.6
test('sets the permissions, which hold at once', async () => {
  const member = await joinMember(service, 'member@example.test', ['manage_devices'])
  const body = { permissions: ['manage_groups', 'manage_account', 'manage_groups'] }
  const answer = await service.call('PATCH', url(member.userId), { body })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body.data.permissions, ['manage_account', 'manage_groups'])
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as: member })
  assert.deepEqual(me.body, answer.body)
})

test('leaves out what is left out', async () => {
  const member = await joinMember(service, 'kept@example.test', ['manage_devices'])
  const named = await service.call('PATCH', url(member.userId), { body: { first_name: ' Eve ' } })
  assert.equal(named.body.data.name, 'Eve Member')
  assert.deepEqual(named.body.data.permissions, ['manage_devices'])
  const same = await service.call('PATCH', url(member.userId), { body: {} })
  assert.deepEqual(same.body, named.body)
  const last = await service.call('PATCH', url(member.userId), { body: { last_name: 'Else' } })
  assert.equal(last.body.data.name, 'Eve Else')
})

test('changes the membership of this person here, and no other', async () => {
  const makeGroup = async (as = service.owner) =>
    (await service.call('POST', '/v1/device-groups', { as, body: { groupName: 'Cellar' } })).body
      .data.id
  const group = await makeGroup()
  const member = await joinMember(service, 'two@example.test', ['manage_devices'])
  await joinMember(service, 'two@example.test', ['manage_groups'], child)
  await joinMember(service, 'next@example.test', ['manage_groups'])
  const body = { permissions: ['manage_gateways'], group }
  assert.equal((await service.call('PATCH', url(member.userId), { body })).status, 200)
  const rightsOf = async (email: string, as = service.owner) => {
    const answer = await service.call('GET', `/v1/organization/users?search=${email}`, { as })
    const [{ permissions, group }] = answer.body.data
    return [permissions, group]
  }
  assert.deepEqual(await rightsOf('two@example.test'), [['manage_gateways'], group])
  assert.deepEqual(await rightsOf('two@example.test', child), [['manage_groups'], null])
  assert.deepEqual(await rightsOf('next@example.test'), [['manage_groups'], null])
  const foreign = { group: await makeGroup(child) }
  assert.equal((await service.call('PATCH', url(member.userId), { body: foreign })).status, 422)
  const session = await service.call('GET', '/v1/auth/session', { as: member })
  assert.deepEqual(
    session.body.data.organizations.map(({ id }: { id: number }) => id),
    [1, child.organizationId],
  )
})

test('lets nobody grant a permission that they lack, to others or to themselves', async () => {
  const member = await joinMember(service, 'plain@example.test', ['manage_gateways'])
  for (const userId of [member.userId, manager.userId]) {
    const body = { permissions: ['manage_account', 'manage_devices'] }
    const answer = await service.call('PATCH', url(userId), { as: manager, body })
    assert.equal(answer.status, 403)
    assert.deepEqual(answer.body, {
      message: 'You cannot grant the permission manage_devices, which you do not have.',
    })
  }
  const body = { permissions: ['manage_gateways', 'manage_groups'] }
  const answer = await service.call('PATCH', url(member.userId), { as: manager, body })
  assert.deepEqual(answer.body.data?.permissions, ['manage_gateways', 'manage_groups'])
})

test('takes nothing from the owner', async () => {
  const body = { permissions: ['manage_devices'] }
  for (const as of [manager, service.owner]) {
    const answer = await service.call('PATCH', url(1), { as, body })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, {
      permissions: ['The owner of the organization has every permission.'],
    })
  }
  const me = await service.call('GET', '/v1/user/get-org-user/me')
  const same = await service.call('PATCH', url(1), {
    body: { permissions: me.body.data.permissions },
  })
  assert.deepEqual(same.body, me.body)
})

test('changes the names of people in several organizations only for themselves', async () => {
  const both = await joinMember(service, 'child@example.test', ['manage_account'])
  const refused = await service.call('PATCH', url(both.userId), { body: { last_name: 'Mine' } })
  assert.equal(refused.status, 422)
  assert.deepEqual(Object.keys(refused.body.errors), ['last_name'])
  const own = await service.call('PATCH', url(both.userId), {
    as: child,
    body: { last_name: 'Own' },
  })
  assert.equal(own.body.data?.name, 'Bo Own')
})

test('changes nothing at all when a part is refused', async () => {
  const body = { permissions: [], first_name: 'Renamed' }
  const { status } = await service.call('PATCH', url(child.userId), { body })
  assert.equal(status, 422)
  const list = await service.call('GET', '/v1/organization/users?search=child')
  assert.equal(list.body.data[0].name, 'Bo Own')
  assert.deepEqual(list.body.data[0].permissions, ['manage_account'])
})

test('answers people who are no members like people who do not exist', async () => {
  const stranger = await foundOrganization(service, 'stranger@example.test')
  for (const userId of [stranger.userId, 999_999, 'abc', '1.5', '-1', 99_999_999_999]) {
    const answer = await service.call('PATCH', url(userId), { body: { permissions: [] } })
    assert.equal(answer.status, 404, `${userId}`)
    assert.deepEqual(answer.body, { message: 'User not found' })
  }
})

test('needs manage_account', async () => {
  const member = await joinMember(service, 'writer@example.test', ['manage_devices'])
  const body = { permissions: ['manage_devices', 'manage_account'] }
  assert.equal((await service.call('PATCH', url(member.userId), { as: member, body })).status, 403)
  assert.equal((await service.call('PATCH', url(member.userId), { as: null, body })).status, 401)
})

const invalid: [string, object, string[]][] = [
  ['permissions that are no list', { permissions: null }, ['permissions']],
  ['an unknown permission', { permissions: ['root'] }, ['permissions.0']],
  ['blank names', { first_name: '', last_name: ' ' }, ['first_name', 'last_name']],
]
for (const [name, body, fields] of invalid) {
  test(`complains about ${name}`, async () => {
    const answer = await service.call('PATCH', url(manager.userId), { body })
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.errors), fields)
  })
}
