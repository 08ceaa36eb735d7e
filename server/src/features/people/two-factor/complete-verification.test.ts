import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  beginSetup,
  codeNow,
  confirmPassword,
  dumpDatabase,
  enrol,
  passSeconds,
  proveSetup,
  raceFor,
  spellings,
} from '../../../../test/authenticator.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { loginRateLimit: 1000 })
const tokenMessage = 'The token is wrong or too old. Please confirm your password again.'

function complete(body: unknown, as: Login) {
  return service.call('POST', '/v1/complete-verification', { as, body })
}

function logIn(email: string, more: object = {}) {
  const body = { email, password: memberPassword, ...more }
  return service.call('POST', '/v1/auth/login', { as: null, body })
}

// shows 5.6.11, 10.4.22
test('turns two-factor on', async () => {
  const member = await joinMember(service, 'ready@example.test')
  const { fields } = await proveSetup(service, member, memberPassword)
  assert.ok('token' in (await logIn(member.email)).body)
  const answer = await complete(fields, member)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    status: true,
    message: '2 factor authentication has been enabled in your account.',
  })
  assert.equal((await logIn(member.email)).body.mfa, true)
})

test('ends the other sessions of the user, and no set-up of another one', async () => {
  const member = await joinMember(service, 'staying@example.test')
  const elsewhere = await service.logIn(member.email, memberPassword, 1)
  const other = await joinMember(service, 'beginning@example.test')
  const { fields } = await proveSetup(service, other, memberPassword)
  await enrol(service, member, memberPassword)
  const statuses: number[] = []
  for (const as of [member, elsewhere, other])
    statuses.push((await service.call('GET', '/v1/user/get-org-user/me', { as })).status)
  assert.deepEqual(statuses, [200, 401, 200])
  const stateOf = async (as: Login) => {
    const { user } = (await service.call('GET', '/v1/auth/session', { as })).body.data
    return [user.two_factor, user.recovery_codes_left]
  }
  assert.deepEqual(
    [await stateOf(member), await stateOf(other)],
    [
      [true, 10],
      [false, 0],
    ],
  )
  assert.equal((await complete(fields, other)).status, 200)
  assert.deepEqual(await stateOf(member), [true, 10])
})

// shows 10.4.13
test('needs a code to be verified first', async () => {
  const member = await joinMember(service, 'hasty@example.test')
  const fields = await beginSetup(service, member, memberPassword)
  await proveSetup(service, await joinMember(service, 'quick@example.test'), memberPassword)
  const answer = await complete(fields, member)
  const message = 'Please verify a code of the authenticator app first.'
  assert.equal(answer.status, 422)
  assertInvalid(answer.body, { message, errors: { token: [message] } })
})

test('needs the QR code and a code once more when the secret was made again', async () => {
  const member = await joinMember(service, 'twice@example.test')
  const { fields } = await proveSetup(service, member, memberPassword)
  const { token } = fields
  const { body } = await service.call('POST', '/v1/generate-qr-image', {
    as: member,
    body: { token },
  })
  const stale = await complete(fields, member)
  assert.deepEqual(Object.keys(stale.body.errors), ['totp2fa_secret'])
  const unproved = await complete({ ...fields, totp2fa_secret: body.secret }, member)
  assert.deepEqual(Object.keys(unproved.body.errors), ['token'])
})

// shows 10.4.12
test('uses the token up', async () => {
  const member = await joinMember(service, 'once@example.test')
  const { fields } = await proveSetup(service, member, memberPassword)
  const calls = Array.from({ length: 3 }, () => () => complete(fields, member))
  assert.deepEqual(await raceFor(service, member.userId, calls), [200, 422, 422])
  const { token, auth_type } = fields
  for (const [url, body] of [
    ['/v1/complete-verification', fields],
    ['/v1/generate-qr-image', { token }],
    ['/v1/disable-authentication', { token, auth_type }],
  ] as const) {
    const answer = await service.call('POST', url, { as: member, body })
    assert.equal(answer.status, 422, url)
    assert.deepEqual(answer.body.errors, { token: [tokenMessage] })
  }
})

test('refuses a token that is another session’s, another user’s or too old', async () => {
  const member = await joinMember(service, 'bound@example.test')
  const elsewhere = await service.logIn('bound@example.test', memberPassword, 1)
  const { fields } = await proveSetup(service, member, memberPassword)
  for (const as of [elsewhere, service.owner]) {
    const answer = await complete(fields, as)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, { token: [tokenMessage] })
  }
  passSeconds(service, 600)
  assert.deepEqual((await complete(fields, member)).body.errors, { token: [tokenMessage] })
  assert.ok('token' in (await logIn(member.email)).body)
})

// shows 5.6.10, 5.6.14
test('complains about all fields at once', async () => {
  const answer = await complete({ auth_type: 'sms' }, service.owner)
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, {
    token: ['The token field is required.'],
    auth_type: ['The auth type must be authenticator.'],
    totp2fa_secret: ['The totp2fa secret field is required.'],
  })
})

test('replaces secret and recovery codes where two-factor is on, at the last step', async () => {
  const member = await joinMember(service, 'new-phone@example.test')
  const old = await enrol(service, member, memberPassword)
  const [firstOld = '', secondOld = ''] = old.recoveryCodes
  const { fields, recoveryCodes } = await proveSetup(service, member, memberPassword)
  const withOld = await logIn(member.email, { verify_2fa: 'no', recovery_code: firstOld })
  assert.equal(withOld.status, 200)
  assert.equal((await complete(fields, member)).status, 200)
  passSeconds(service, 30)
  const tries: [object, number][] = [
    [{ verify_2fa: 'no', recovery_code: secondOld }, 422],
    [{ verify_2fa: 'yes', authentication_code: codeNow(service, old.secret) }, 422],
    [{ verify_2fa: 'no', recovery_code: recoveryCodes[0] }, 200],
    [{ verify_2fa: 'yes', authentication_code: codeNow(service, fields.totp2fa_secret) }, 200],
  ]
  for (const [more, status] of tries) {
    assert.equal((await logIn(member.email, more)).status, status, JSON.stringify(more))
  }
})

// shows 10.4.21
test('keeps secret and recovery codes in no plain form', async () => {
  const member = await joinMember(service, 'hidden@example.test')
  const { secret, recoveryCodes } = await enrol(service, member, memberPassword)
  const dump = await dumpDatabase(service)
  assert.equal(recoveryCodes.length, 10)
  for (const text of [secret, ...recoveryCodes].flatMap(spellings)) {
    assert.ok(!dump.includes(text))
  }
})

test('a secret moved to the row of another user opens nothing', async () => {
  const one = await joinMember(service, 'one@example.test')
  const two = await joinMember(service, 'two@example.test')
  const { secret } = await enrol(service, one, memberPassword)
  await enrol(service, two, memberPassword)
  await service.services.db.query(
    `update two_factors set sealed_secret = moved.sealed_secret
     from two_factors moved where moved.user_id = $1 and two_factors.user_id = $2`,
    [one.userId, two.userId],
  )
  passSeconds(service, 30)
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/auth/login',
    payload: {
      email: two.email,
      password: memberPassword,
      verify_2fa: 'yes',
      authentication_code: codeNow(service, secret),
    },
  })
  assert.equal(answer.statusCode, 500)
  assert.equal(answer.json().message, 'Server error.')
})

test('a token of the first step alone turns nothing on', async () => {
  const member = await joinMember(service, 'early@example.test')
  const token = await confirmPassword(service, member, memberPassword)
  const body = { token, auth_type: 'authenticator', totp2fa_secret: 'A'.repeat(32) }
  const answer = await complete(body, member)
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, { token: ['Please generate the QR code first.'] })
})
