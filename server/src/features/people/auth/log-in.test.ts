import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization, joinMember, memberPassword } from '../../../../test/members.ts'
import { ownerEmail, ownerPassword, startTestService } from '../../../../test/service.ts'
import { hashToken } from '../sessions/sessions.ts'

const service = await startTestService({ after }, { loginRateLimit: 1000 })
const { db } = service.services

function logIn(body: unknown) {
  return service.call('POST', '/v1/auth/login', { as: null, body })
}

// shows 2.16.1-8, 5.2.3, 10.6.18
test('answers the organizations and a token', async () => {
  const answer = await logIn({ email: ownerEmail, password: ownerPassword })
  assert.equal(answer.status, 200)
  assert.match(answer.body.token, /^[\w-]{43}$/)
  assert.deepEqual(answer.body.organizations, [
    {
      id: 1,
      name: 'Organization 1',
      parent_org_id: null,
      address_line_1: null,
      address_line_2: null,
      logo: null,
      created_at: '2026-03-01T12:00:00.000000Z',
      account: {
        user_id: 1,
        org_id: 1,
        id: 1,
        timezone_format: 'UTC',
        timezone_id: 1,
        country_id: null,
        created_at: '2026-03-01T12:00:00.000000Z',
        updated_at: '2026-03-01T12:00:00.000000Z',
        trial_ends_at: '2026-03-01',
        is_demo_account: 0,
      },
    },
  ])
  assert.deepEqual(Object.keys(answer.body), ['organizations', 'token', 'must_change_password'])
})

// shows 2.16.2, 2.16.7, 2.16.8, 10.6.18
test('lists every organization of the user, with the trial and demo of its account', async () => {
  const child = await foundOrganization(service, 'both@example.test')
  await joinMember(service, 'BOTH@example.test')
  await db.query(
    "update organizations set is_demo_account = true, trial_ends_at = '2026-04-30' where id = $1",
    [child.organizationId],
  )
  const { body } = await logIn({ email: 'both@example.test', password: memberPassword })
  assert.deepEqual(
    body.organizations.map((organization: { id: number }) => organization.id),
    [1, child.organizationId],
  )
  const { parent_org_id, account } = body.organizations[1]
  assert.equal(parent_org_id, 1)
  assert.equal(account.user_id, child.userId)
  assert.equal(account.is_demo_account, 1)
  assert.equal(account.trial_ends_at, '2026-04-30')
})

// shows 10.4.1
test('gives a token that admits, and keeps no more than its hash', async () => {
  const login = await service.logIn(ownerEmail, ownerPassword, 1)
  const answer = await service.call('GET', '/v1/user/get-org-user/me', { as: login })
  assert.equal(answer.status, 200)
  const rows = await db.query<{ text: string }>('select sessions::text as text from sessions')
  assert.ok(rows.length > 0)
  const hash = hashToken(login.token).toString('hex')
  assert.equal(rows.filter(({ text }) => text.includes(hash)).length, 1)
  assert.ok(rows.every(({ text }) => !text.includes(login.token)))
})

test('notes the time of the login on the user', async () => {
  service.setClock(new Date('2026-03-02T08:00:00.250Z'))
  await joinMember(service, 'seen@example.test')
  const [user] = await db.query("select last_login_at from users where email = 'seen@example.test'")
  assert.deepEqual(user, { last_login_at: '2026-03-02 08:00:00.25+00' })
})

test('lets the same user in many times at once, each with a token of its own', async () => {
  const body = { email: ownerEmail, password: ownerPassword }
  const answers = await Promise.all(Array.from({ length: 12 }, () => logIn(body)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  )
  assert.equal(new Set(answers.map((answer) => answer.body.token)).size, 12)
})

const accepted: [string, object][] = [
  ['an e-mail in another case', { email: 'Owner@EXAMPLE.test', password: ownerPassword }],
  ['members that it does not know', { email: ownerEmail, password: ownerPassword, color: [1] }],
]
for (const [name, body] of accepted) {
  test(`accepts ${name}`, async () => assert.equal((await logIn(body)).status, 200))
}

const refused: [string, { email: string; password: string }][] = [
  ['a wrong password', { email: ownerEmail, password: 'correct horse battery' }],
  ['an unknown e-mail', { email: 'nobody@example.test', password: ownerPassword }],
  ['a password in another case', { email: ownerEmail, password: ownerPassword.toUpperCase() }],
  ['a password with a blank more', { email: ownerEmail, password: `${ownerPassword} ` }],
  ['an e-mail with a wildcard', { email: '%@example.test', password: ownerPassword }],
  ['something that is no e-mail', { email: "' or 1=1 --", password: ownerPassword }],
  ['a password with a NUL', { email: ownerEmail, password: `${ownerPassword}\u0000` }],
  ['a password of 1024 characters', { email: ownerEmail, password: 'ü'.repeat(1024) }],
]
for (const [name, body] of refused) {
  // shows 10.4.6
  test(`refuses ${name} in the same words`, async () => {
    const answer = await logIn(body)
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.body, { message: 'These credentials do not match our records.' })
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  })
}

const emailRequired = 'The email field is required.'
const passwordRequired = 'The password field is required.'
const invalid: [string, unknown, Record<string, string[]>][] = [
  ['nothing', undefined, { email: [emailRequired], password: [passwordRequired] }],
  [
    'nulls',
    { email: null, password: null },
    { email: [emailRequired], password: [passwordRequired] },
  ],
  ['no e-mail', { password: 'x' }, { email: [emailRequired] }],
  ['a blank e-mail', { email: ' ', password: 'x' }, { email: [emailRequired] }],
  ['no password', { email: ownerEmail }, { password: [passwordRequired] }],
  ['an empty password', { email: ownerEmail, password: '' }, { password: [passwordRequired] }],
  [
    'other types',
    { email: 1, password: ['x'] },
    { email: ['The email must be a string.'], password: ['The password must be a string.'] },
  ],
  [
    'what is too long',
    { email: 'e'.repeat(256), password: 'x'.repeat(1025) },
    {
      email: ['The email may not be greater than 255 characters.'],
      password: ['The password may not be greater than 1024 characters.'],
    },
  ],
]
for (const [name, body, errors] of invalid) {
  // shows 5.2.1, 5.2.2, 7.1.1, 10.3.18
  test(`complains about ${name}, all fields at once`, async () => {
    const answer = await logIn(body)
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message: Object.values(errors)[0]?.[0], errors })
  })
}
