import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  beginSetup,
  codeNow,
  confirmPassword,
  enrol,
  passSeconds,
  proveSetup,
  raceFor,
} from '../../../../test/authenticator.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { joinMember, memberPassword, type TestMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { loginRateLimit: 1000 })
const { db } = service.services
const auth_type = 'authenticator'

function disable(body: unknown, as: Login) {
  return service.call('POST', '/v1/disable-authentication', { as, body })
}

async function isOn(email: string): Promise<boolean> {
  const body = { email, password: memberPassword }
  const answer = await service.call('POST', '/v1/auth/login', { as: null, body })
  assert.equal(answer.status, 200)
  return answer.body.mfa === true
}

/** Set-up has ended all other sessions, so this logs in with a code. */
async function logInWithCode({ email }: TestMember, secret: string): Promise<Login> {
  passSeconds(service, 30)
  const code = codeNow(service, secret)
  const body = { email, password: memberPassword, verify_2fa: 'yes', authentication_code: code }
  const answer = await service.call('POST', '/v1/auth/login', { as: null, body })
  assert.equal(answer.status, 200, answer.text)
  return { token: answer.body.token, organizationId: 1 }
}

// shows 5.6.13
test('turns two-factor off, and removes the secret and the recovery codes', async () => {
  const member = await joinMember(service, 'leaving@example.test')
  const { secret, recoveryCodes } = await enrol(service, member, memberPassword)
  assert.equal(await isOn(member.email), true)
  const token = await confirmPassword(service, member, memberPassword)
  const answer = await disable({ token, auth_type }, member)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    status: true,
    message: '2 factor authentication has been disabled in your account.',
  })
  assert.equal(await isOn(member.email), false)
  const left = await db.query(
    `select user_id from two_factors where user_id = $1
     union all select user_id from recovery_codes where user_id = $1`,
    [member.userId],
  )
  assert.deepEqual(left, [])
  // After it is turned on again, earlier codes are invalid.
  const again = await enrol(service, member, memberPassword)
  assert.notEqual(again.secret, secret)
  passSeconds(service, 30)
  const old = [
    { verify_2fa: 'no', recovery_code: recoveryCodes[0] },
    { verify_2fa: 'yes', authentication_code: codeNow(service, secret) },
  ]
  for (const more of old) {
    const body = { email: member.email, password: memberPassword, ...more }
    assert.equal((await service.call('POST', '/v1/auth/login', { as: null, body })).status, 422)
  }
})

test('ends all other sessions of the user', async () => {
  const member = await joinMember(service, 'others@example.test')
  const { secret } = await enrol(service, member, memberPassword)
  const elsewhere = await logInWithCode(member, secret)
  const token = await confirmPassword(service, member, memberPassword)
  assert.equal((await disable({ token, auth_type }, member)).status, 200)
  const me = '/v1/user/get-org-user/me'
  assert.equal((await service.call('GET', me, { as: elsewhere })).status, 401)
  assert.equal((await service.call('GET', me, { as: member })).status, 200)
})

test('uses the token up', async () => {
  const member = await joinMember(service, 'once@example.test')
  await enrol(service, member, memberPassword)
  const token = await confirmPassword(service, member, memberPassword)
  const body = { token, auth_type }
  const calls = Array.from({ length: 3 }, () => () => disable(body, member))
  assert.deepEqual(await raceFor(service, member.userId, calls), [200, 422, 422])
  const answer = await disable(body, member)
  const message = 'The token is wrong or too old. Please confirm your password again.'
  assertInvalid(answer.body, { message, errors: { token: [message] } })
})

// shows 10.4.12
test('refuses a token that has begun a set-up', async () => {
  const member = await joinMember(service, 'changing@example.test')
  await enrol(service, member, memberPassword)
  const begun = await beginSetup(service, member, memberPassword)
  const { fields: proved } = await proveSetup(service, member, memberPassword)
  for (const { token } of [begun, proved]) {
    const answer = await disable({ token, auth_type }, member)
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.errors), ['token'])
  }
  assert.equal(await isOn(member.email), true)
})

test('refuses a token that is another session’s, another user’s or too old', async () => {
  const member = await joinMember(service, 'bound@example.test')
  const { secret } = await enrol(service, member, memberPassword)
  const elsewhere = await logInWithCode(member, secret)
  const token = await confirmPassword(service, member, memberPassword)
  for (const as of [elsewhere, service.owner]) {
    const answer = await disable({ token, auth_type }, as)
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.errors), ['token'])
  }
  passSeconds(service, 600)
  assert.equal((await disable({ token, auth_type }, member)).status, 422)
  assert.equal(await isOn(member.email), true)
})

test('says so when two-factor is off', async () => {
  const token = await confirmPassword(service, service.owner, 'correct horse battery staple')
  const answer = await disable({ token, auth_type }, service.owner)
  const message = '2 factor authentication is not enabled in your account.'
  assert.equal(answer.status, 422)
  assertInvalid(answer.body, { message, errors: { auth_type: [message] } })
})

// shows 5.6.12
test('complains about all fields at once', async () => {
  const answer = await disable(undefined, service.owner)
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, {
    token: ['The token field is required.'],
    auth_type: ['The auth type field is required.'],
  })
})
