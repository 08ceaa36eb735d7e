import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { codeAt, codeNow, passSeconds, raceFor } from '../../../../test/authenticator.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import { challenge, protectedMember } from '../../../../test/second-factor.ts'
import { startTestService } from '../../../../test/service.ts'

/** Logging in with two-factor on (docs/contract.txt, 5.2). */

const shared = await startTestService({ after }, { loginRateLimit: 1000 })

// shows 5.2.4, 7.1.6, 10.4.8
test('asks for the code after the right password', async () => {
  const { logIn } = await protectedMember(shared)
  for (const more of [{}, { console_login: true }, { verify_2fa: null }]) {
    const answer = await logIn(more)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, challenge)
  }
})

test('takes a code as an app shows it, in groups', async () => {
  for (const separator of [' ', '\u00a0', '-']) {
    const { logIn, secret } = await protectedMember(shared)
    const code = codeNow(shared, secret)
    const authentication_code = ` ${code.slice(0, 3)}${separator}${code.slice(3)} `
    const answer = await logIn({ verify_2fa: 'yes', authentication_code })
    assert.equal(answer.status, 200)
    assert.equal(typeof answer.body.token, 'string')
  }
})

test('answers a wrong password as ever, whatever else is sent', async () => {
  const { logIn, secret, recoveryCodes } = await protectedMember(shared)
  const tries = [
    {},
    { verify_2fa: 'yes', authentication_code: codeNow(shared, secret) },
    { verify_2fa: 'no', recovery_code: recoveryCodes[0] },
  ]
  for (const more of tries) {
    const answer = await logIn({ ...more, password: 'a wrong guess' })
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.body, { message: 'These credentials do not match our records.' })
  }
  // Neither code was used up.
  assert.equal((await logIn(tries[1])).status, 200)
  assert.equal((await logIn(tries[2])).status, 200)
})

// shows 5.2.5, 5.2.9
test('lets in with an authenticator code, in the shape of any login', async () => {
  const { member, secret, withCode } = await protectedMember(shared)
  const answer = await withCode(codeNow(shared, secret))
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['organizations', 'token', 'must_change_password'])
  assert.equal(answer.body.organizations[0].id, 1)
  const as = { token: answer.body.token, organizationId: 1 }
  const me = await shared.call('GET', '/v1/user/get-org-user/me', { as })
  assert.equal(me.body.data.id, member.userId)
})

// shows 5.2.6, 10.4.10
test('accepts console_login, and an empty code beside a recovery code', async () => {
  const { secret, recoveryCodes, logIn } = await protectedMember(shared)
  const withCode = { verify_2fa: 'yes', authentication_code: codeNow(shared, secret) }
  assert.equal((await logIn({ ...withCode, recovery_code: '', console_login: true })).status, 200)
  for (const [index, authentication_code] of ['', null, '12', undefined].entries()) {
    const recovery = { verify_2fa: 'no', recovery_code: recoveryCodes[index] }
    const answer = await logIn({ ...recovery, authentication_code, console_login: false })
    assert.equal(answer.status, 200)
  }
})

// shows 10.4.9, 10.4.19
test('takes a code once, and none that is older', async () => {
  const { secret, withCode } = await protectedMember(shared)
  const now = shared.services.now().getTime()
  const older = codeAt(secret, new Date(now - 30_000))
  assert.equal((await withCode(codeNow(shared, secret))).status, 200)
  for (const code of [codeNow(shared, secret), older]) {
    const answer = await withCode(code)
    const message = 'The authentication code is wrong, too old, or was used before.'
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message, errors: { authentication_code: [message] } })
  }
  passSeconds(shared, 30)
  assert.equal((await withCode(codeNow(shared, secret))).status, 200)
})

test('does not take the code that completed the set-up', async () => {
  const { secret, withCode } = await protectedMember(shared)
  const before = new Date(shared.services.now().getTime() - 30_000)
  assert.equal((await withCode(codeAt(secret, before))).status, 422)
})

test('takes the code of the step before, and none of an older or a later one', async () => {
  const { secret, withCode } = await protectedMember(shared)
  passSeconds(shared, 60)
  const now = shared.services.now().getTime()
  const statuses: number[] = []
  for (const seconds of [-60, 30, -30, 0]) {
    const code = codeAt(secret, new Date(now + seconds * 1000))
    statuses.push((await withCode(code)).status)
  }
  assert.deepEqual(statuses, [422, 422, 200, 200])
})

// shows 5.2.5, 5.6.15, 10.4.9, 10.4.20
test('takes each recovery code once, however it is typed', async () => {
  const { recoveryCodes, withRecovery } = await protectedMember(shared)
  const [first = '', second = '', third = ''] = recoveryCodes
  for (const code of [
    first,
    second.toLowerCase().replaceAll('-', ' '),
    third.replaceAll('-', ''),
  ]) {
    assert.equal((await withRecovery(code)).status, 200)
  }
  for (const code of [first, second, third, 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA', 'x', '-']) {
    const answer = await withRecovery(code)
    const message = 'The recovery code is wrong or was used before.'
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message, errors: { recovery_code: [message] } })
  }
  assert.equal((await withRecovery(recoveryCodes[9])).status, 200)
})

test('takes neither code of another user', async () => {
  const one = await protectedMember(shared)
  const two = await protectedMember(shared)
  assert.equal((await one.withCode(codeNow(shared, two.secret))).status, 422)
  assert.equal((await one.withRecovery(two.recoveryCodes[0])).status, 422)
  assert.equal((await two.withRecovery(two.recoveryCodes[0])).status, 200)
})

test('of many logins with one code at one time, one succeeds', async () => {
  const { member, secret, recoveryCodes, withCode, withRecovery } = await protectedMember(shared)
  const code = codeNow(shared, secret)
  const kinds = [() => withCode(code), () => withRecovery(recoveryCodes[0])]
  for (const logIn of kinds) {
    const calls = Array.from({ length: 4 }, () => logIn)
    assert.deepEqual(await raceFor(shared, member.userId, calls), [200, 422, 422, 422])
  }
})

const codeRequired = 'The authentication code field is required.'
const codeFormat = 'The authentication code must be 6 digits.'
const recoveryRequired = 'The recovery code field is required.'
const invalid: [string, object, Record<string, string[]>][] = [
  ['no code', { verify_2fa: 'yes' }, { authentication_code: [codeRequired] }],
  [
    'an empty code',
    { verify_2fa: 'yes', authentication_code: '', recovery_code: 'x' },
    { authentication_code: [codeRequired] },
  ],
  [
    'a code of five digits',
    { verify_2fa: 'yes', authentication_code: '12345' },
    { authentication_code: [codeFormat] },
  ],
  [
    'a code with a letter',
    { verify_2fa: 'yes', authentication_code: '12345x' },
    { authentication_code: [codeFormat] },
  ],
  [
    'a number for a code',
    { verify_2fa: 'yes', authentication_code: 123456 },
    { authentication_code: ['The authentication code must be a string.'] },
  ],
  [
    'no recovery code',
    { verify_2fa: 'no', authentication_code: '123456' },
    { recovery_code: [recoveryRequired] },
  ],
  [
    'a blank recovery code',
    { verify_2fa: 'no', recovery_code: ' ' },
    { recovery_code: [recoveryRequired] },
  ],
  [
    'words that are neither yes nor no, and what is no truth',
    { verify_2fa: 'maybe', console_login: 'true' },
    {
      verify_2fa: ['The verify 2fa must be yes or no.'],
      console_login: ['The console login must be true or false.'],
    },
  ],
  [
    'no password and no code, at once',
    { password: undefined, verify_2fa: 'yes' },
    { password: ['The password field is required.'], authentication_code: [codeRequired] },
  ],
]
for (const [name, more, errors] of invalid) {
  // shows 5.2.5-8
  test(`complains about ${name}`, async () => {
    const body = { email: 'owner@example.test', password: 'whatever it is', ...more }
    const answer = await shared.call('POST', '/v1/auth/login', { as: null, body })
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message: Object.values(errors)[0]?.[0], errors })
  })
}

test('cares for no second factor where two-factor is off', async () => {
  const { email } = await joinMember(shared, 'off@example.test')
  const body = {
    email,
    password: memberPassword,
    verify_2fa: 'yes',
    authentication_code: '000000',
    console_login: true,
  }
  const answer = await shared.call('POST', '/v1/auth/login', { as: null, body })
  assert.deepEqual(Object.keys(answer.body), ['organizations', 'token', 'must_change_password'])
})
