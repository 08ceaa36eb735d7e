import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  acceptLatest,
  foundOrganization,
  joinMember,
  memberPassword,
} from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = '/v1/organizations'

function owner(email: string) {
  return { email, password: memberPassword, first_name: 'Bo', last_name: 'Owner' }
}

// shows 11.3.1, 11.3.2
test('makes a child of the current organization', async () => {
  const body = { name: 'North Farm', owner: owner('north@example.test') }
  const answer = await service.call('POST', url, { body })
  assert.equal(answer.status, 201)
  const { data } = answer.body
  assert.equal(data.name, 'North Farm')
  assert.equal(data.parent_org_id, 1)
  assert.equal(data.account.org_id, data.id)
  assert.equal(data.account.id, data.id)
  assert.equal(data.account.trial_ends_at, '2026-03-01')
  const login = await service.logIn('north@example.test', memberPassword, data.id)
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as: login })
  assert.equal(me.body.data.id, data.account.user_id)
  assert.equal(me.body.data.name, 'Bo Owner')
  assert.equal(me.body.data.permissions.length, 5)
})

test('makes a grandchild below a child', async () => {
  const child = await foundOrganization(service, 'child@example.test')
  const body = { name: 'Grandchild', owner: owner('grandchild@example.test') }
  const answer = await service.call('POST', url, { as: child, body })
  assert.equal(answer.body.data.parent_org_id, child.organizationId)
})

test('gives it the row that counts its uplinks, so that its lists work at once', async () => {
  const child = await foundOrganization(service, 'counts@example.test')
  const uplinks = await service.call('GET', '/v1/devices/all/uplink', { as: child })
  assert.equal(uplinks.status, 200)
  assert.equal(uplinks.body.meta.total, 0)
})

// shows 11.3.14
test('invites an existing user to be the owner, who keeps password and name', async () => {
  const member = await joinMember(service, 'known@example.test')
  const body = {
    name: 'Second',
    owner: { ...owner('KNOWN@example.test'), password: 'quite another' },
  }
  const answer = await service.call('POST', url, { body })
  assert.equal(answer.status, 202)
  const all = ['manage_account', 'manage_widget_dashboard', 'manage_devices']
  assert.deepEqual(answer.body.data, {
    email: 'KNOWN@example.test',
    permissions: [...all, 'manage_gateways', 'manage_groups'],
    status: 'invited',
  })
  const made = await acceptLatest(service, member)
  assert.deepEqual([made.name, made.parent_org_id], ['Second', 1])
  assert.equal(made.account.user_id, member.userId)
  const login = await service.logIn(member.email, memberPassword, made.id)
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as: login })
  assert.equal(me.body.data.name, 'Ada Member')
})

test('keeps parent and child apart', async () => {
  const child = await foundOrganization(service, 'apart@example.test')
  const inParent = { ...child, organizationId: 1 }
  assert.equal((await service.call('GET', '/v1/organization/users', { as: inParent })).status, 403)
  const inChild = { ...service.owner, organizationId: child.organizationId }
  assert.equal((await service.call('GET', '/v1/organization/users', { as: inChild })).status, 403)
})

test('makes the caller the owner of an organization at once', async () => {
  const body = { name: 'Own', owner: { email: 'OWNER@example.test' } }
  const answer = await service.call('POST', url, { body })
  assert.equal(answer.status, 201)
  assert.equal(answer.body.data.account.user_id, 1)
  const as = { ...service.owner, organizationId: answer.body.data.id }
  assert.equal((await service.call('GET', '/v1/devices', { as })).status, 200)
})

test('makes one user when the same new owner is named several times at once', async () => {
  const bodies = ['One', 'Two', 'Three'].map((name) => ({
    name,
    owner: owner('same@example.test'),
  }))
  const answers = await Promise.all(bodies.map((body) => service.call('POST', url, { body })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 202, 202])
  const login = await service.logIn('same@example.test', memberPassword, 1)
  const waiting = await service.call('GET', '/v1/user/invitations', { as: login })
  assert.equal(waiting.body.data.length, 2)
})

test('needs manage_account', async () => {
  const member = await joinMember(service, 'writer@example.test', ['manage_devices'])
  const body = { name: 'No', owner: owner('no@example.test') }
  const answer = await service.call('POST', url, { as: member, body })
  assert.equal(answer.status, 403)
  assert.deepEqual(answer.body, { message: 'You do not have the permission manage_account.' })
  assert.equal((await service.call('POST', url, { as: null, body })).status, 401)
})

const invalid: [string, unknown, string[]][] = [
  ['nothing', undefined, ['name', 'owner']],
  ['an owner that is no object', { name: 'N', owner: 'me' }, ['owner']],
  [
    'an empty owner',
    { name: 'N', owner: {} },
    ['owner.email', 'owner.password', 'owner.first_name', 'owner.last_name'],
  ],
  ['a blank name', { name: ' ', owner: owner('n@example.test') }, ['name']],
  ['an e-mail that is none', { name: 'N', owner: owner('n at example') }, ['owner.email']],
  [
    'a short password',
    { name: 'N', owner: { ...owner('n@example.test'), password: '1234567' } },
    ['owner.password'],
  ],
]
for (const [name, body, fields] of invalid) {
  // shows 11.3.1
  test(`complains about ${name}`, async () => {
    const answer = await service.call('POST', url, { body })
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.errors), fields)
    assert.equal(answer.body.message, Object.values<string[]>(answer.body.errors)[0]?.[0])
  })
}
