import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertInvalid } from '../../../../test/invalid.ts'
import {
  acceptLatest,
  foundOrganization,
  joinMember,
  memberPassword,
} from '../../../../test/members.ts'
import { ownerEmail, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = '/v1/organization/users'

function person(email: string, more: object = {}) {
  return { email, password: memberPassword, first_name: 'Cy', last_name: 'New', ...more }
}

// shows 11.3.3
test('adds a new user, who can log in', async () => {
  const body = person('Cy@example.test', { permissions: ['manage_groups', 'manage_devices'] })
  const answer = await service.call('POST', url, { body })
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body, {
    data: {
      id: answer.body.data.id,
      timezone_format: 'UTC',
      timezone_id: 1,
      name: 'Cy New',
      email: 'Cy@example.test',
      permissions: ['manage_devices', 'manage_groups'],
      must_change_password: true,
    },
  })
  const login = await service.logIn('cy@example.test', memberPassword, 1)
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as: login })
  assert.deepEqual(me.body, answer.body)
})

test('adds a member who can only read when no permissions are given', async () => {
  const answer = await service.call('POST', url, { body: person('reader@example.test') })
  assert.deepEqual(answer.body.data.permissions, [])
})

// shows 11.3.4
test('invites the user who has the e-mail, with password and name untouched', async () => {
  const child = await foundOrganization(service, 'known@example.test')
  const body = person('KNOWN@example.test', { password: 'quite another', permissions: [] })
  const answer = await service.call('POST', url, { body })
  assert.equal(answer.status, 202)
  const data = { email: 'KNOWN@example.test', permissions: [], status: 'invited' }
  assert.deepEqual(answer.body, { data })
  await acceptLatest(service, child)
  const login = await service.logIn('known@example.test', memberPassword, 1)
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as: login })
  assert.deepEqual([me.body.data.id, me.body.data.name], [child.userId, 'Bo Owner'])
})

test('refuses who is a member already, in any case of the e-mail', async () => {
  await joinMember(service, 'twice@example.test')
  for (const email of ['twice@example.test', 'TWICE@example.test', ownerEmail]) {
    const answer = await service.call('POST', url, { body: person(email) })
    assert.equal(answer.status, 422)
    const message = 'This person is a member of the organization already.'
    assertInvalid(answer.body, { message, errors: { email: [message] } })
  }
})

test('adds a person once who is added several times at once', async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => service.call('POST', url, { body: person('race@example.test') })),
  )
  const [made, ...others] = answers.map(({ status }) => status).sort()
  assert.equal(made, 201)
  // Requests that arrived during the first one invited the person; that invitation is gone.
  assert.ok(others.every((status) => status === 202 || status === 422))
})

test('lets nobody grant a permission that they lack', async () => {
  const manager = await joinMember(service, 'manager@example.test', [
    'manage_account',
    'manage_groups',
  ])
  const within = person('within@example.test', { permissions: ['manage_groups', 'manage_account'] })
  assert.equal((await service.call('POST', url, { as: manager, body: within })).status, 201)
  const beyond = person('beyond@example.test', { permissions: ['manage_groups', 'manage_devices'] })
  const answer = await service.call('POST', url, { as: manager, body: beyond })
  assert.equal(answer.status, 403)
  assert.deepEqual(answer.body, {
    message: 'You cannot grant the permission manage_devices, which you do not have.',
  })
})

// shows 10.3.13
test('needs manage_account', async () => {
  const member = await joinMember(service, 'writer@example.test', [
    'manage_devices',
    'manage_gateways',
    'manage_groups',
    'manage_widget_dashboard',
  ])
  const body = person('no@example.test')
  assert.equal((await service.call('POST', url, { as: member, body })).status, 403)
  assert.equal((await service.call('POST', url, { as: null, body })).status, 401)
})

test('adds only to the organization of the header', async () => {
  const child = await foundOrganization(service, 'elsewhere@example.test')
  const stranger = { ...child, organizationId: 1 }
  const body = person('spy@example.test')
  assert.equal((await service.call('POST', url, { as: stranger, body })).status, 403)
  const list = await service.call('GET', `${url}?search=spy`)
  assert.equal(list.body.meta.total, 0)
})

const five =
  'manage_account, manage_widget_dashboard, manage_devices, manage_gateways, manage_groups'
const invalid: [string, unknown, Record<string, string>][] = [
  [
    'nothing',
    {},
    {
      email: 'The email field is required.',
      password: 'The password field is required.',
      first_name: 'The first name field is required.',
      last_name: 'The last name field is required.',
    },
  ],
  ['an e-mail that is none', person('cy'), { email: 'The email must be a valid email address.' }],
  [
    'a password of 7 characters',
    person('p@example.test', { password: 'sdf7!Kq' }),
    { password: 'The password must be at least 8 characters.' },
  ],
  [
    'a password of 1025 characters',
    person('p@example.test', { password: 'x'.repeat(1025) }),
    { password: 'The password may not be greater than 1024 characters.' },
  ],
  [
    'one of the commonest passwords, in any case',
    person('p@example.test', { password: 'PassWord123' }),
    { password: 'The password is too common.' },
  ],
  [
    'an unknown permission',
    person('p@example.test', { permissions: ['manage_devices', 'manage_all'] }),
    { 'permissions.1': `Each permission must be one of: ${five}.` },
  ],
  [
    'permissions that are no list',
    person('p@example.test', { permissions: 'manage_devices' }),
    { permissions: 'The permissions must be an array.' },
  ],
  [
    'a name with a NUL',
    person('p@example.test', { first_name: 'a\u0000' }),
    { first_name: 'The first name contains a character that is not allowed.' },
  ],
]
for (const [name, body, errors] of invalid) {
  // shows 11.3.3
  test(`complains about ${name}`, async () => {
    const answer = await service.call('POST', url, { body })
    assert.equal(answer.status, 422, answer.text)
    const listed = Object.entries(errors).map(([field, message]) => [field, [message]])
    assert.deepEqual(answer.body.errors, Object.fromEntries(listed))
    assert.equal(answer.body.message, Object.values(errors)[0])
  })
}

test('accepts a password of words, blanks and letters of any script', async () => {
  const password = ' höher als 8 字符 🔑 '
  const body = person('script@example.test', { password })
  assert.equal((await service.call('POST', url, { body })).status, 201)
  await service.logIn('script@example.test', password, 1)
})
