import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { joinMember, memberPassword, type TestMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { loginRateLimit: 3 })
const newPassword = 'eight quiet harbours'

function change(as: Login, body: object) {
  return service.call('POST', '/v1/user/password', { as, body })
}

async function statusOf(login: Login): Promise<number> {
  return (await service.call('GET', '/v1/user/get-org-user/me', { as: login })).status
}

async function logInStatus({ email }: TestMember, password: string): Promise<number> {
  const body = { email, password }
  return (await service.call('POST', '/v1/auth/login', { as: null, body })).status
}

test('sets the password, and ends all other sessions, but only of the user', async () => {
  const member = await joinMember(service, 'ada@example.test')
  const other = await joinMember(service, 'other@example.test')
  const elsewhere = await service.logIn(member.email, memberPassword, 1)
  const answer = await change(member, { current_password: memberPassword, password: newPassword })
  assert.equal(answer.status, 204)
  assert.equal(answer.text, '')
  assert.deepEqual([await statusOf(member), await statusOf(elsewhere)], [200, 401])
  const refresh = await service.call('GET', '/v1/auth/refresh-token', { as: elsewhere })
  assert.equal(refresh.status, 401)
  assert.equal(await statusOf(other), 200)
  assert.equal(await logInStatus(member, memberPassword), 401)
  assert.equal(await logInStatus(member, newPassword), 200)
})

test('refuses a wrong current password, and limits the guesses like logins', async () => {
  const member = await joinMember(service, 'guessed@example.test')
  const elsewhere = await service.logIn(member.email, memberPassword, 1)
  const guess = { current_password: 'a wrong guess', password: newPassword }
  for (let tries = 0; tries < 3; tries += 1) {
    const answer = await change(member, guess)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, { current_password: ['You have entered wrong password.'] })
  }
  const right = { current_password: memberPassword, password: newPassword }
  const refused = await change(member, right)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '60')
  // Both endpoints prove the same secret and share a count.
  const url = '/v1/confirm-password-access'
  const confirm = { as: member, body: { password: memberPassword } }
  assert.equal((await service.call('POST', url, confirm)).status, 429)
  assert.equal(await statusOf(elsewhere), 200)
  service.setClock(new Date(service.services.now().getTime() + 60_000))
  assert.equal((await change(member, right)).status, 204)
})

test('forgets wrong passwords at the right one', async () => {
  const member = await joinMember(service, 'forgetful@example.test')
  const [one, other] = [memberPassword, newPassword]
  const statuses: number[] = []
  for (const [current_password, password] of [
    ['one', other],
    ['two', other],
    [one, other],
    ['one', one],
    ['two', one],
    [other, one],
  ])
    statuses.push((await change(member, { current_password, password })).status)
  assert.deepEqual(statuses, [422, 422, 204, 422, 422, 204])
})

test('lets one of two changes at one time through', async () => {
  const member = await joinMember(service, 'twice@example.test')
  const passwords = ['a first new password', 'a second new password']
  const answers = await Promise.all(
    passwords.map((password) => change(member, { current_password: memberPassword, password })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 422])
  const winner = passwords[answers.findIndex(({ status }) => status === 204)] ?? ''
  assert.equal(await logInStatus(member, winner), 200)
})

test('leaves no session to a login with the old password at the same time', async () => {
  for (let round = 0; round < 5; round += 1) {
    const member = await joinMember(service, `race${round}@example.test`)
    const logins = Array.from({ length: 3 }, () =>
      service.call('POST', '/v1/auth/login', {
        as: null,
        body: { email: member.email, password: memberPassword },
      }),
    )
    const body = { current_password: memberPassword, password: newPassword }
    const [changed, ...entered] = await Promise.all([change(member, body), ...logins])
    assert.equal(changed.status, 204)
    for (const { status, body } of entered) {
      assert.ok([200, 401, 429].includes(status))
      if (status !== 200) continue
      assert.equal(await statusOf({ token: body.token, organizationId: 1 }), 401)
    }
  }
})

const required = 'Please enter your current password to continue.'
const invalid: [string, object, Record<string, string>][] = [
  ['nothing', {}, { current_password: required, password: 'The password field is required.' }],
  [
    'a common password',
    { current_password: memberPassword, password: 'baseball' },
    { password: 'The password is too common.' },
  ],
  [
    'the password that it is',
    { current_password: memberPassword, password: memberPassword },
    { password: 'The new password must differ from the current one.' },
  ],
  [
    "one's own e-mail",
    { current_password: memberPassword, password: 'Invalid.One@example.test' },
    { password: 'The password may not be the e-mail address or its first part.' },
  ],
]
const invalidOne = await joinMember(service, 'invalid.one@example.test')
for (const [name, body, errors] of invalid) {
  test(`complains about ${name}`, async () => {
    const answer = await change(invalidOne, body)
    assert.equal(answer.status, 422)
    const expected = Object.entries(errors).map(([field, message]) => [field, [message]])
    assert.deepEqual(answer.body.errors, Object.fromEntries(expected))
  })
}
