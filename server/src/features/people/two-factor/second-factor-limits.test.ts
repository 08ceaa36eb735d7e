import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { codeNow, passSeconds, raceFor, wrongCode } from '../../../../test/authenticator.ts'
import { challenge, protectedMember } from '../../../../test/second-factor.ts'
import { startTestService } from '../../../../test/service.ts'

/** Logging in with two-factor on (docs/contract.txt, 5.2): the limit on guesses. */

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
