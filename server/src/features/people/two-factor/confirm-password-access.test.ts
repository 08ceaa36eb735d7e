import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dumpDatabase, passSeconds, spellings } from '../../../../test/authenticator.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import { ownerPassword, startTestService } from '../../../../test/service.ts'
import { removeOldSessions } from '../sessions/sessions.ts'
import { removeOldSetups } from './two-factor-queries.ts'

const service = await startTestService({ after }, { loginRateLimit: 3 })

function confirm(body: unknown, as = service.owner) {
  return service.call('POST', '/v1/confirm-password-access', { as, body })
}

// shows 5.6.2, 10.4.18
test('answers a token for the right password, another each time', async () => {
  const first = await confirm({ password: ownerPassword })
  assert.equal(first.status, 200)
  const { token_2fa: token, ...rest } = first.body
  assert.deepEqual(rest, { status: true, message: 'Confirm password success' })
  assert.match(token, /^[\w-]{43}$/)
  const second = await confirm({ password: ownerPassword })
  assert.notEqual(second.body.token_2fa, token)
})

test('needs no permission beyond being a member', async () => {
  const member = await joinMember(service, 'plain@example.test')
  assert.equal((await confirm({ password: memberPassword }, member)).status, 200)
})

const missing: [string, unknown][] = [
  ['no body', undefined],
  ['no password', {}],
  ['null', { password: null }],
  ['an empty password', { password: '' }],
]
for (const [name, body] of missing) {
  // shows 5.6.1, 7.1.3, 10.4.16
  test(`asks for the password when there is ${name}`, async () => {
    const answer = await confirm(body)
    const message = 'Please enter your current password to continue.'
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message, errors: { password: [message] } })
  })
}

test('refuses a password that is no text', async () => {
  const answer = await confirm({ password: 5 })
  assert.equal(answer.status, 422)
  assert.deepEqual(answer.body.errors, { password: ['The password must be a string.'] })
})

// shows 7.1.2, 10.4.17
test('refuses a wrong password, and that of another user', async () => {
  const member = await joinMember(service, 'wrong@example.test')
  for (const password of ['a wrong guess', ownerPassword]) {
    const answer = await confirm({ password }, member)
    const message = 'You have entered wrong password.'
    assert.equal(answer.status, 400)
    assertInvalid(answer.body, { message, errors: { password: [message] } })
  }
})

test('answers 401 without a token, 400 without an organization', async () => {
  const url = '/v1/confirm-password-access'
  const body = { password: ownerPassword }
  assert.equal((await service.call('POST', url, { as: null, body })).status, 401)
  const headers = { authorization: `Bearer ${service.owner.token}` }
  assert.equal((await service.call('POST', url, { as: null, body, headers })).status, 400)
})

test('asks to wait after too many wrong passwords, the right one included', async () => {
  const member = await joinMember(service, 'guessed@example.test')
  for (let guess = 0; guess < 3; guess += 1) {
    assert.equal((await confirm({ password: `guess ${guess}` }, member)).status, 400)
  }
  const refused = await confirm({ password: memberPassword }, member)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '60')
  passSeconds(service, 60)
  assert.equal((await confirm({ password: memberPassword }, member)).status, 200)
})

test('forgets wrong passwords at the right one', async () => {
  const member = await joinMember(service, 'forgetful@example.test')
  const statuses: number[] = []
  for (const password of ['one', 'two', memberPassword, 'one', 'two', memberPassword])
    statuses.push((await confirm({ password }, member)).status)
  assert.deepEqual(statuses, [400, 400, 200, 400, 400, 200])
})

test('a wait there keeps nobody from logging in, or others from confirming', async () => {
  const member = await joinMember(service, 'careless@example.test')
  for (let guess = 0; guess < 4; guess += 1) await confirm({ password: 'a wrong guess' }, member)
  assert.equal((await confirm({ password: memberPassword }, member)).status, 429)
  await service.logIn('careless@example.test', memberPassword, 1)
  assert.equal((await confirm({ password: ownerPassword })).status, 200)
})

test('answers no more than the limit of many guesses at one time', async () => {
  const member = await joinMember(service, 'flooded@example.test')
  const guesses = Array.from({ length: 12 }, (_, index) =>
    confirm({ password: `guess ${index}` }, member),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 400).length, 3)
  assert.equal(statuses.filter((status) => status === 429).length, 9)
})

test('keeps no more than the hash of the token', async () => {
  const { body } = await confirm({ password: ownerPassword })
  const dump = await dumpDatabase(service)
  assert.ok(dump.includes('owner@example.test'))
  for (const text of spellings(body.token_2fa)) assert.ok(!dump.includes(text))
})

test('tokens are cleared away when they are too old, and with their session', async () => {
  const { db, now } = service.services
  const member = await joinMember(service, 'forgotten@example.test')
  const count = async () =>
    (await db.query('select 1 from two_factor_tokens where user_id = $1', [member.userId])).length
  await confirm({ password: memberPassword }, member)
  passSeconds(service, 300)
  await confirm({ password: memberPassword }, member)
  await removeOldSetups(db, now())
  assert.equal(await count(), 2)
  passSeconds(service, 300)
  await removeOldSetups(db, now())
  assert.equal(await count(), 1)
  await service.call('GET', '/v1/logout', { as: member })
  await removeOldSessions(db, now())
  assert.equal(await count(), 0)
})
