import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  beginSetup,
  codeAt,
  codeNow,
  confirmPassword,
  dumpDatabase,
  passSeconds,
  proveSetup,
  raceFor,
  spellings,
  wrongCode,
} from '../../../../test/authenticator.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import { type Login, ownerPassword, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { loginRateLimit: 5 })

function verify(body: unknown, as: Login = service.owner) {
  return service.call('POST', '/v1/verify-two-factor-authentication', { as, body })
}

// shows 5.6.9, 10.4.20
test('answers ten recovery codes for a right code', async () => {
  const fields = await beginSetup(service, service.owner, ownerPassword)
  const one_time_password = codeNow(service, fields.totp2fa_secret).replace(/^.../, '$& ')
  const answer = await verify({ ...fields, one_time_password })
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['status', 'recovery_codes'])
  assert.equal(answer.body.status, true)
  const codes: string[] = answer.body.recovery_codes
  assert.equal(new Set(codes).size, 10)
  for (const code of codes) assert.match(code, /^(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}$/)
})

test('takes the code of the step before, and none of an older or a later one', async () => {
  const fields = await beginSetup(service, service.owner, ownerPassword)
  // The last second of a step.
  const now = Math.floor(service.services.now().getTime() / 30_000) * 30_000 + 29_500
  service.setClock(new Date(now))
  const codes = [-60, 30, -30].map((seconds) =>
    codeAt(fields.totp2fa_secret, new Date(now + seconds * 1000)),
  )
  const statuses: number[] = []
  for (const one_time_password of codes) {
    statuses.push((await verify({ ...fields, one_time_password })).status)
  }
  assert.deepEqual(statuses, [422, 422, 200])
})

// shows 10.4.22
test('does not turn two-factor on', async () => {
  const member = await joinMember(service, 'halfway@example.test')
  await proveSetup(service, member, memberPassword)
  await service.logIn('halfway@example.test', memberPassword, 1)
})

// shows 7.1.4
test('refuses a wrong code, and one that was used', async () => {
  const { fields } = await proveSetup(service, service.owner, ownerPassword)
  const message = 'The one time password is wrong, too old, or was used before.'
  const codes = [wrongCode(service, fields.totp2fa_secret), codeNow(service, fields.totp2fa_secret)]
  for (const one_time_password of codes) {
    const answer = await verify({ ...fields, one_time_password })
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message, errors: { one_time_password: [message] } })
  }
})

test('gives other recovery codes for the next code', async () => {
  const { fields, recoveryCodes } = await proveSetup(service, service.owner, ownerPassword)
  passSeconds(service, 30)
  const one_time_password = codeNow(service, fields.totp2fa_secret)
  const { status, body } = await verify({ ...fields, one_time_password })
  assert.equal(status, 200)
  assert.equal(new Set([...recoveryCodes, ...body.recovery_codes]).size, 20)
})

test('takes one of many calls with the same code', async () => {
  const member = await joinMember(service, 'racing@example.test')
  const fields = await beginSetup(service, member, memberPassword)
  const body = { ...fields, one_time_password: codeNow(service, fields.totp2fa_secret) }
  const calls = Array.from({ length: 4 }, () => () => verify(body, member))
  assert.deepEqual(await raceFor(service, member.userId, calls), [200, 422, 422, 422])
})

const codeRequired = 'The one time password field is required.'
const codeFormat = 'The one time password must be 6 digits.'
const wrongFields: [string, Record<string, unknown>, Record<string, string[]>][] = [
  ['an empty code', { one_time_password: '' }, { one_time_password: [codeRequired] }],
  ['no code', { one_time_password: undefined }, { one_time_password: [codeRequired] }],
  ['a short code', { one_time_password: '12345' }, { one_time_password: [codeFormat] }],
  ['a code with letters', { one_time_password: '12345a' }, { one_time_password: [codeFormat] }],
  [
    'digits of another script',
    { one_time_password: '١٢٣٤٥٦' },
    { one_time_password: [codeFormat] },
  ],
  [
    'a number for a code',
    { one_time_password: 123456 },
    { one_time_password: ['The one time password must be a string.'] },
  ],
  ['another kind', { auth_type: 'sms' }, { auth_type: ['The auth type must be authenticator.'] }],
  [
    'nothing',
    {
      token: undefined,
      auth_type: undefined,
      totp2fa_secret: undefined,
      one_time_password: undefined,
    },
    {
      token: ['The token field is required.'],
      auth_type: ['The auth type field is required.'],
      totp2fa_secret: ['The totp2fa secret field is required.'],
      one_time_password: [codeRequired],
    },
  ],
]
for (const [name, change, errors] of wrongFields) {
  // shows 5.6.5, 5.6.6, 5.6.8, 5.6.14, 7.1.5
  test(`complains about ${name}`, async () => {
    const fields = await beginSetup(service, service.owner, ownerPassword)
    const right = { ...fields, one_time_password: codeNow(service, fields.totp2fa_secret) }
    const answer = await verify({ ...right, ...change })
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message: Object.values(errors)[0]?.[0], errors })
  })
}

// shows 5.6.7, 10.4.14
test('takes no secret of the client’s own, nor one made for another token', async () => {
  const fields = await beginSetup(service, service.owner, ownerPassword)
  const other = await beginSetup(service, service.owner, ownerPassword)
  for (const secret of ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', other.totp2fa_secret]) {
    const one_time_password = codeNow(service, secret)
    const answer = await verify({ ...fields, totp2fa_secret: secret, one_time_password })
    const message = 'The totp2fa secret is not the one of the QR code.'
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message, errors: { totp2fa_secret: [message] } })
  }
})

// shows 10.4.13
test('needs the QR code first', async () => {
  const token = await confirmPassword(service, service.owner, ownerPassword)
  const { totp2fa_secret } = await beginSetup(service, service.owner, ownerPassword)
  const one_time_password = codeNow(service, totp2fa_secret)
  const answer = await verify({
    token,
    auth_type: 'authenticator',
    totp2fa_secret,
    one_time_password,
  })
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, { token: ['Please generate the QR code first.'] })
})

test('refuses a token that is another session’s, another user’s or too old', async () => {
  const member = await joinMember(service, 'bound@example.test')
  const elsewhere = await service.logIn('bound@example.test', memberPassword, 1)
  const fields = await beginSetup(service, member, memberPassword)
  const body = () => ({ ...fields, one_time_password: codeNow(service, fields.totp2fa_secret) })
  for (const as of [elsewhere, service.owner]) {
    const answer = await verify(body(), as)
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.errors), ['token'])
  }
  passSeconds(service, 600)
  assert.deepEqual(Object.keys((await verify(body(), member)).body.errors), ['token'])
})

test('asks to wait after five wrong codes, the right one included', async () => {
  const member = await joinMember(service, 'guessing@example.test')
  const fields = await beginSetup(service, member, memberPassword)
  const secret = fields.totp2fa_secret
  const wrong = { ...fields, one_time_password: wrongCode(service, secret) }
  for (let guess = 0; guess < 5; guess += 1) {
    assert.equal((await verify(wrong, member)).status, 422)
  }
  const right = () => ({ ...fields, one_time_password: codeNow(service, secret) })
  const refused = await verify(right(), member)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '60')
  // Nothing else is looked at before.
  assert.equal((await verify({ ...right(), token: 'none' }, member)).status, 429)
  passSeconds(service, 60)
  assert.equal((await verify(right(), member)).status, 200)
})

test('keeps secret and recovery codes in no plain form', async () => {
  const { fields, recoveryCodes } = await proveSetup(service, service.owner, ownerPassword)
  const dump = await dumpDatabase(service)
  const secrets = [fields.token, fields.totp2fa_secret, ...recoveryCodes]
  for (const text of secrets.flatMap(spellings)) assert.ok(!dump.includes(text))
})
