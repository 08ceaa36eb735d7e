import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { memberPassword } from '../../../../test/members.ts'
import {
  ownerEmail,
  ownerPassword,
  startTestService,
  type TestService,
} from '../../../../test/service.ts'
import { createApp } from '../../../app.ts'
import { momentOf } from '../../../http/timestamps.ts'
import { clearFailures } from './login-limit-queries.ts'
import { loginAttempt } from './login-limits.ts'
import { removeOldSessions } from './sessions.ts'

const start = new Date('2026-03-01T12:00:00Z').getTime()

interface Try {
  email?: string
  password?: string
  from?: string
  app?: TestService['app']
}

async function tryLogin(service: TestService, given: Try = {}) {
  const answer = await (given.app ?? service.app).inject({
    method: 'POST',
    url: '/v1/auth/login',
    remoteAddress: given.from ?? '192.0.2.1',
    payload: { email: given.email ?? ownerEmail, password: given.password ?? 'a wrong guess' },
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

/** Fails until the service demands a wait. Returns the answered failures and the wait. */
async function failUntilBlocked(service: TestService): Promise<{ failures: number; wait: number }> {
  for (let failures = 0; failures < 50; failures += 1) {
    const { status, headers } = await tryLogin(service)
    if (status === 429) return { failures, wait: Number(headers['retry-after']) }
    assert.equal(status, 401)
  }
  throw new Error('50 failures, and no wait')
}

function passSeconds(service: TestService, seconds: number) {
  service.setClock(new Date(service.services.now().getTime() + seconds * 1000))
}

async function startAtLimit(t: TestContext, loginRateLimit = 5) {
  return startTestService(t, { loginRateLimit })
}

// shows 10.3.21, 10.3.22
test('answers 429 with when to come back after five failures in a minute', async (t) => {
  const service = await startAtLimit(t)
  assert.deepEqual(await failUntilBlocked(service), { failures: 5, wait: 60 })
  passSeconds(service, 18)
  const { status, headers, body } = await tryLogin(service)
  assert.equal(status, 429)
  assert.deepEqual(body, { message: 'Too many requests. Please try again later.' })
  assert.equal(headers['retry-after'], '42')
  assert.equal(headers.ratelimit, '"login";r=0;t=42')
  assert.equal(headers['ratelimit-policy'], '"login";q=5;w=60')
})

test('refuses the right password too while the wait lasts, and takes it afterwards', async (t) => {
  const service = await startAtLimit(t)
  await failUntilBlocked(service)
  assert.equal((await tryLogin(service, { password: ownerPassword })).status, 429)
  passSeconds(service, 59)
  assert.equal((await tryLogin(service, { password: ownerPassword })).status, 429)
  passSeconds(service, 1)
  assert.equal((await tryLogin(service, { password: ownerPassword })).status, 200)
})

test('a right guess that ends after a wait has begun does not end the wait', async (t) => {
  const service = await startAtLimit(t)
  const { db, now } = service.services
  await failUntilBlocked(service)
  const { own } = loginAttempt(ownerEmail, '192.0.2.1', 5)
  for (const { subject } of own) await clearFailures(db, subject, momentOf(now()))
  assert.equal((await tryLogin(service, { password: ownerPassword })).status, 429)
})

test('does not lock out the owner at other addresses, nor others at that address', async (t) => {
  const service = await startAtLimit(t)
  await service.call('POST', '/v1/organization/users', {
    body: {
      email: 'other@example.test',
      password: memberPassword,
      first_name: 'O',
      last_name: 'T',
    },
  })
  await failUntilBlocked(service)
  const elsewhere = { password: ownerPassword, from: '192.0.2.2' }
  assert.equal((await tryLogin(service, elsewhere)).status, 200)
  const other = { email: 'other@example.test', password: memberPassword }
  assert.equal((await tryLogin(service, other)).status, 200)
  assert.equal((await tryLogin(service, { password: ownerPassword })).status, 429)
})

test('takes an account for the same in any case, and an IPv6 network for one address', async (t) => {
  const service = await startAtLimit(t, 2)
  await tryLogin(service, { from: '2001:db8:0:1::5' })
  await tryLogin(service, { from: '2001:db8:0:1:ffff::6', email: ownerEmail.toUpperCase() })
  assert.equal((await tryLogin(service, { from: '2001:db8:0:1::7' })).status, 429)
  assert.equal((await tryLogin(service, { from: '2001:db8:0:2::7' })).status, 401)
})

// shows 10.3.22
test('doubles the wait each time, up to a quarter of an hour', async (t) => {
  const service = await startAtLimit(t, 3)
  const waits: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const { wait } = await failUntilBlocked(service)
    waits.push(wait)
    passSeconds(service, wait)
  }
  assert.deepEqual(waits, [60, 120, 240, 480, 480])
})

test('catches guesses that stay below the limit, once there are four times as many', async (t) => {
  const service = await startAtLimit(t, 2)
  for (let failures = 0; failures < 8; failures += 1) {
    assert.equal((await tryLogin(service)).status, 401)
    passSeconds(service, 60)
  }
  const { status, headers } = await tryLogin(service)
  assert.equal(status, 429)
  assert.equal(headers['retry-after'], '420')
  passSeconds(service, 420)
  assert.deepEqual(await failUntilBlocked(service), { failures: 1, wait: 480 })
})

test('counts from the start again after a day without a failure', async (t) => {
  const service = await startAtLimit(t, 2)
  await failUntilBlocked(service)
  passSeconds(service, 24 * 3600)
  assert.deepEqual(await failUntilBlocked(service), { failures: 2, wait: 60 })
})

test('forgets the failures at a success', async (t) => {
  const service = await startAtLimit(t)
  for (let failures = 0; failures < 4; failures += 1) await tryLogin(service)
  assert.equal((await tryLogin(service, { password: ownerPassword })).status, 200)
  assert.deepEqual(await failUntilBlocked(service), { failures: 5, wait: 60 })
})

test('lets five failures through again when a minute has passed', async (t) => {
  const service = await startAtLimit(t)
  for (let failures = 0; failures < 4; failures += 1) await tryLogin(service)
  passSeconds(service, 60)
  assert.deepEqual(await failUntilBlocked(service), { failures: 5, wait: 60 })
})

test('answers five of many guesses at one time, whichever process they reach', async (t) => {
  const service = await startAtLimit(t)
  const second = createApp(service.services, {
    apiRateLimit: 0,
    trustedProxies: [],
    findFault: async () => undefined,
  })
  t.after(() => second.close())
  const apps = [service.app, second]
  const guesses = Array.from({ length: 30 }, (_, index) => {
    const app = apps[index % 2]
    return tryLogin(service, app ? { app } : {})
  })
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 401).length, 5)
  assert.equal(statuses.filter((status) => status === 429).length, 25)
})

test('limits an address over all accounts, for a minute, successes or not', async (t) => {
  const service = await startAtLimit(t, 1)
  for (let guess = 0; guess < 20; guess += 1) {
    const { status } = await tryLogin(service, { email: `guess-${guess}@example.test` })
    assert.equal(status, 401)
    if (guess === 10) await tryLogin(service, { password: ownerPassword })
  }
  const blocked = await tryLogin(service, { password: ownerPassword })
  assert.equal(blocked.status, 429)
  assert.equal(blocked.headers['retry-after'], '60')
  passSeconds(service, 60)
  assert.equal((await tryLogin(service, { password: ownerPassword })).status, 200)
})

test('keeps no e-mail and no address of those who failed', async (t) => {
  const service = await startAtLimit(t)
  await tryLogin(service, { email: 'typed my password here', from: '198.51.100.7' })
  const rows = await service.services.db.query<{ row: string }>(
    'select login_failures::text as row from login_failures',
  )
  assert.equal(rows.length, 2)
  assert.ok(rows.every(({ row }) => !/typed|198/.test(row)))
})

test('clears failures away after a day', async (t) => {
  const service = await startAtLimit(t)
  const { db } = service.services
  const count = async () => (await db.query('select 1 from login_failures')).length
  await tryLogin(service)
  await removeOldSessions(db, new Date(start + 23 * 3600_000))
  assert.equal(await count(), 2)
  await removeOldSessions(db, new Date(start + 24 * 3600_000))
  assert.equal(await count(), 0)
})
