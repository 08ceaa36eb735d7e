import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { startTestService, type TestService } from '../../test-service.ts'
import { joinMember, memberPassword } from '../organizations/test-members.ts'
import { codeAt, codeNow, enrol, passSeconds, raceFor, wrongCode } from './test-authenticator.ts'

/** Logging in with two-factor on (service.md, "Authentication", 2). */

const shared = await startTestService({ after }, { loginRateLimit: 1000 })

let members = 0
/** A member with two-factor on, and the way to log in as that member. */
async function protectedMember(service: TestService = shared) {
  members += 1
  const member = await joinMember(service, `member-${members}@example.test`)
  const { secret, recoveryCodes } = await enrol(service, member, memberPassword)
  passSeconds(service, 30)
  const logIn = async (more: object = {}, from = '192.0.2.1') => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/auth/login',
      remoteAddress: from,
      payload: { email: member.email, password: memberPassword, ...more },
    })
    assert.notEqual(answer.statusCode, 500, answer.body)
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
  const withCode = (code: string, from?: string) =>
    logIn({ verify_2fa: 'yes', authentication_code: code }, from)
  const withRecovery = (code: string | undefined, from?: string) =>
    logIn({ verify_2fa: 'no', recovery_code: code }, from)
  return { member, secret, recoveryCodes, logIn, withCode, withRecovery }
}

const challenge = {
  status: false,
  mfa: true,
  auth_type: 'authenticator',
  message: '2 factor authentication has been enabled in your account. Please enter 2FA code.',
}

// shows 5.2.4, 7.1.6, 10.4.8
test('asks for the code after the right password', async () => {
  const { logIn } = await protectedMember()
  for (const more of [{}, { console_login: true }, { verify_2fa: null }]) {
    const answer = await logIn(more)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, challenge)
  }
})

test('answers a wrong password as ever, whatever else is sent', async () => {
  const { logIn, secret, recoveryCodes } = await protectedMember()
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
  // And used neither code up.
  assert.equal((await logIn(tries[1])).status, 200)
  assert.equal((await logIn(tries[2])).status, 200)
})

// shows 5.2.5, 5.2.9
test('lets in with an authenticator code, in the shape of any login', async () => {
  const { member, secret, withCode } = await protectedMember()
  const answer = await withCode(codeNow(shared, secret))
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['organizations', 'token'])
  assert.equal(answer.body.organizations[0].id, 1)
  const as = { token: answer.body.token, organizationId: 1 }
  const me = await shared.call('GET', '/v1/user/get-org-user/me', { as })
  assert.equal(me.body.data.id, member.userId)
})

// shows 5.2.6, 10.4.10
test('accepts console_login, and an empty code beside a recovery code', async () => {
  const { secret, recoveryCodes, logIn } = await protectedMember()
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
  const { secret, withCode } = await protectedMember()
  const now = shared.services.now().getTime()
  const older = codeAt(secret, new Date(now - 30_000))
  assert.equal((await withCode(codeNow(shared, secret))).status, 200)
  for (const code of [codeNow(shared, secret), older]) {
    const answer = await withCode(code)
    const message = 'The authentication code is wrong, too old, or was used before.'
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body, { message, errors: { authentication_code: [message] } })
  }
  passSeconds(shared, 30)
  assert.equal((await withCode(codeNow(shared, secret))).status, 200)
})

test('does not take the code that completed the set-up', async () => {
  const { secret, withCode } = await protectedMember()
  const before = new Date(shared.services.now().getTime() - 30_000)
  assert.equal((await withCode(codeAt(secret, before))).status, 422)
})

test('takes the code of the step before, and none of an older or a later one', async () => {
  const { secret, withCode } = await protectedMember()
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
  const { recoveryCodes, withRecovery } = await protectedMember()
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
    assert.deepEqual(answer.body, { message, errors: { recovery_code: [message] } })
  }
  assert.equal((await withRecovery(recoveryCodes[9])).status, 200)
})

test('takes neither code of another user', async () => {
  const one = await protectedMember()
  const two = await protectedMember()
  assert.equal((await one.withCode(codeNow(shared, two.secret))).status, 422)
  assert.equal((await one.withRecovery(two.recoveryCodes[0])).status, 422)
  assert.equal((await two.withRecovery(two.recoveryCodes[0])).status, 200)
})

test('of many logins with one code at one time, one succeeds', async () => {
  const { member, secret, recoveryCodes, withCode, withRecovery } = await protectedMember()
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
    assert.deepEqual(answer.body, { message: Object.values(errors)[0]?.[0], errors })
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
  assert.deepEqual(Object.keys(answer.body), ['organizations', 'token'])
})

async function startAtLimit(t: TestContext, loginRateLimit: number) {
  const service = await startTestService(t, { loginRateLimit })
  return { service, ...(await protectedMember(service)) }
}

test('counts wrong codes and wrong passwords as failures of one account', async (t) => {
  const { service, secret, logIn, withCode, withRecovery } = await startAtLimit(t, 3)
  assert.equal((await logIn({ password: 'a wrong guess' })).status, 401)
  assert.equal((await withCode(wrongCode(service, secret))).status, 422)
  assert.equal((await withRecovery('AAAA')).status, 422)
  const refused = await withCode(codeNow(service, secret))
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '60')
  assert.deepEqual(refused.body, { message: 'Too many requests. Please try again later.' })
  assert.equal((await logIn()).status, 429)
  passSeconds(service, 60)
  assert.equal((await withCode(codeNow(service, secret))).status, 200)
})

test('forgets failures at a login, and not at the right password alone', async (t) => {
  const { service, secret, logIn, withCode } = await startAtLimit(t, 3)
  const wrong = () => withCode(wrongCode(service, secret))
  for (let guess = 0; guess < 2; guess += 1) assert.equal((await wrong()).status, 422)
  assert.equal((await withCode(codeNow(service, secret))).status, 200)
  for (let guess = 0; guess < 2; guess += 1) assert.equal((await wrong()).status, 422)
  assert.equal((await logIn()).status, 200)
  assert.equal((await wrong()).status, 422)
  assert.equal((await logIn()).status, 429)
})

test('limits codes over all addresses, and lets the owner in with a recovery code', async (t) => {
  const { service, secret, recoveryCodes, logIn, ...member } = await startAtLimit(t, 3)
  for (let guess = 0; guess < 3; guess += 1) {
    const answer = await member.withCode(wrongCode(service, secret), `198.51.100.${guess}`)
    assert.equal(answer.status, 422)
  }
  const elsewhere = '203.0.113.9'
  assert.equal((await member.withCode(codeNow(service, secret), elsewhere)).status, 429)
  assert.deepEqual((await logIn({}, elsewhere)).body, challenge)
  assert.equal((await member.withRecovery(recoveryCodes[0], elsewhere)).status, 200)
})

test('lets codes over all addresses wait up to an hour', async (t) => {
  const { service, secret, withCode } = await startAtLimit(t, 1)
  const waits: number[] = []
  for (let guess = 0; guess < 8; guess += 1) {
    assert.equal((await withCode(wrongCode(service, secret), `198.51.100.${guess}`)).status, 422)
    const { headers } = await withCode(wrongCode(service, secret), `203.0.113.${guess}`)
    waits.push(Number(headers['retry-after']))
    passSeconds(service, Number(headers['retry-after']))
  }
  assert.deepEqual(waits, [60, 120, 240, 480, 960, 1920, 3600, 3600])
})

test('answers no more wrong codes at one time than the limit', async (t) => {
  const { service, secret, withCode } = await startAtLimit(t, 3)
  const guesses = Array.from({ length: 12 }, (_, index) =>
    withCode(wrongCode(service, secret), `198.51.100.${index}`),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 422).length, 3)
  assert.equal(statuses.filter((status) => status === 429).length, 9)
})

test('uses no code up for a login that is refused at the last moment', async (t) => {
  const { service, member, recoveryCodes, logIn, withRecovery } = await startAtLimit(t, 1)
  const fail = async () => {
    assert.equal((await logIn({ password: 'a wrong guess' })).status, 401)
  }
  const call = () => withRecovery(recoveryCodes[0])
  assert.deepEqual(await raceFor(service, member.userId, [call], fail), [429])
  passSeconds(service, 60)
  assert.equal((await call()).status, 200)
})
