import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../src/app.ts'
import {
  addRequestCounts,
  removeOldCounts,
} from '../src/features/people/sessions/login-limit-queries.ts'
import { foundOrganization, joinMember } from './members.ts'
import { ownerEmail, ownerPassword, startTestService } from './service.ts'
import { until } from './until.ts'

const path = '/v1/device-regions-networks'

// shows 10.3.21, 10.3.23
test('a user has so many requests a minute, and is told so', async (t) => {
  const service = await startTestService(t, { apiRateLimit: 4 })
  const { call, services } = service
  const child = await foundOrganization(service, 'child@example.test')
  for (const left of [2, 1, 0]) {
    const { status, headers } = await call('GET', path)
    assert.deepEqual([status, headers.ratelimit], [200, `"api";r=${left};t=60`])
  }
  service.setClock(new Date(services.now().getTime() + 20_500))
  const refused = await call('GET', path)
  assert.equal(refused.status, 429)
  assert.deepEqual(refused.body, { message: 'Too many requests. Please try again later.' })
  assert.equal(refused.headers['retry-after'], '40')
  assert.equal(refused.headers.ratelimit, '"api";r=0;t=40')

  const second = await service.logIn(ownerEmail, ownerPassword, 1)
  assert.equal((await call('GET', path, { as: second })).status, 429, 'all tokens share it')
  assert.equal((await call('GET', path, { as: child })).status, 200, 'each user has its own')
  service.setClock(new Date(services.now().getTime() + 39_500))
  assert.equal((await call('GET', path)).status, 200)
})

test('requests that fail count too, and those without a token do not', async (t) => {
  const { call } = await startTestService(t, { apiRateLimit: 3 })
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await call('GET', path, { as: null })).status, 401)
  }
  const failures = ['/v1/devices/999', '/v1/devices?page=0', '/v1/network-accounts/sigfox']
  for (const failure of failures) assert.ok((await call('GET', failure)).status >= 400)
  assert.equal((await call('GET', path)).status, 429)
})

test('requests without an organization count by their user', async (t) => {
  const { call, owner } = await startTestService(t, { apiRateLimit: 4 })
  const as = { ...owner, organizationId: Number.NaN }
  const statuses: number[] = []
  for (const url of [path, '/v1/auth/session', path, '/v1/auth/session', '/v1/auth/session', path])
    statuses.push((await call('GET', url, { as })).status)
  assert.deepEqual(statuses, [400, 200, 400, 200, 429, 429])
})

test('requests to organizations of others share one allowance, apart from that of the own one', async (t) => {
  const { call, owner } = await startTestService(t, { apiRateLimit: 3 })
  const statuses: number[] = []
  for (const organizationId of [998, 999, 998, 999, 1, 1, 1, 1])
    statuses.push((await call('GET', path, { as: { ...owner, organizationId } })).status)
  assert.deepEqual(statuses, [403, 403, 403, 429, 200, 200, 200, 429])
})

// shows 10.3.23
test('a limit of 0 turns it off', async (t) => {
  const { call } = await startTestService(t, { apiRateLimit: 0 })
  for (let count = 0; count < 20; count += 1) {
    const { status, headers } = await call('GET', path)
    assert.deepEqual([status, headers.ratelimit], [200, undefined])
  }
})

// shows 10.3.23
test('server processes share the count, a second late at most', async (t) => {
  const { services, owner } = await startTestService(t)
  const options = { apiRateLimit: 10, trustedProxies: [], findFault: async () => undefined }
  const processes = [createApp(services, options), createApp(services, options)]
  const headers = { authorization: `Bearer ${owner.token}`, organization: '1' }
  const statuses: number[] = []
  for (let round = 0; round < 4; round += 1) {
    for (const app of processes) {
      for (let count = 0; count < 2; count += 1) {
        statuses.push((await app.inject({ url: path, headers })).statusCode)
      }
    }
    await sleep(1500)
  }
  for (const app of processes) await app.close()
  const allowed = statuses.filter((status) => status === 200).length
  assert.ok(allowed >= 10 && allowed <= 12, `${allowed} allowed`)
})

test('the counts of processes add up within a minute, and begin again with the next', async (t) => {
  const { services } = await startTestService(t)
  const add = async (start: number, count: number) => {
    const sent = ['one', 'other'].map((key) => ({ key, start, count }))
    const [sum, same] = await addRequestCounts(services.db, sent)
    assert.deepEqual(same, { ...sum, key: 'other' })
    return [sum?.start, sum?.count]
  }
  assert.deepEqual(await add(0, 3), [0, 3])
  assert.deepEqual(await add(59_999, 2), [0, 5])
  assert.deepEqual(await add(60_000, 1), [60_000, 1])
  assert.deepEqual(await add(59_000, 2), [60_000, 3])
})

test('the clean-up removes the counts of minutes that are over', async (t) => {
  const { call, services, setClock } = await startTestService(t, { apiRateLimit: 10 })
  const { db, now } = services
  const readCounts = () => db.query('select subject from request_counts')
  await call('GET', path)
  await until(async () => (await readCounts()).length === 2)
  await removeOldCounts(db, now())
  assert.equal((await readCounts()).length, 2)
  setClock(new Date(now().getTime() + 60_001))
  await removeOldCounts(db, now())
  assert.deepEqual(await readCounts(), [])
})

test('a token that is refreshed has no new allowance', async (t) => {
  const { call, owner } = await startTestService(t, { apiRateLimit: 3 })
  for (let count = 0; count < 3; count += 1) await call('GET', path)
  const { body } = await call('GET', '/v1/auth/refresh-token')
  const renewed = { ...owner, token: body.token }
  assert.equal((await call('GET', path, { as: renewed })).status, 429)
})

test('behind a trusted proxy an address is one, whatever port is said with it', async (t) => {
  const { services } = await startTestService(t)
  const options = {
    apiRateLimit: 0,
    trustedProxies: ['127.0.0.1'],
    findFault: async () => undefined,
  }
  const app = createApp(services, options)
  t.after(() => app.close())
  const guess = async (address: string) => {
    const payload = { email: ownerEmail, password: 'a wrong pass phrase' }
    const headers = { 'x-forwarded-for': address }
    const request = { method: 'POST', url: '/v1/auth/login', headers, payload } as const
    return (await app.inject(request)).statusCode
  }
  for (let port = 1001; port <= 1005; port += 1) {
    assert.equal(await guess(`198.51.100.1:${port}`), 401)
  }
  assert.equal(await guess('198.51.100.1:1006'), 429)
  assert.equal(await guess('198.51.100.1'), 429)
  assert.equal(await guess('198.51.100.2:1006'), 401)
})

test('an address that sends X-Forwarded-For and is not trusted is in the log, once', async (t) => {
  const { services, owner } = await startTestService(t)
  const lines: object[] = []
  const log = Object.assign(Object.create(services.log), {
    warn: (fields: object, text: string) => lines.push({ ...fields, text }),
  })
  const options = { apiRateLimit: 0, trustedProxies: [], findFault: async () => undefined }
  const app = createApp({ ...services, log }, options)
  t.after(() => app.close())
  const headers = {
    authorization: `Bearer ${owner.token}`,
    organization: '1',
    'x-forwarded-for': '198.51.100.1',
  }
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await app.inject({ url: path, headers })).statusCode, 200)
  }
  assert.equal(lines.length, 1)
  assert.match(JSON.stringify(lines), /127\.0\.0\.1.*TRUSTED_PROXIES/)
})

test('the callers of a tenant have a limit together, which organization 1 sets', async (t) => {
  const service = await startTestService(t, { apiRateLimit: 100 })
  const { call } = service
  const tenant = await foundOrganization(service, 'tenant@example.test')
  const below = await foundOrganization(service, 'below@example.test', tenant)
  const member = await joinMember(service, 'member@example.test', [], tenant)
  const neighbour = await foundOrganization(service, 'neighbour@example.test')
  service.setClock(new Date(service.services.now().getTime() + 60_000))
  const url = `/v1/organizations/${tenant.organizationId}/limits`
  assert.equal((await call('PATCH', url, { body: { requests_per_minute: 3 } })).status, 200)
  for (const as of [tenant, below, member])
    assert.equal((await call('GET', path, { as })).status, 200)
  for (const as of [tenant, below, member]) {
    const refused = await call('GET', path, { as })
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '60'])
  }
  for (const as of [neighbour, service.owner]) {
    assert.equal((await call('GET', path, { as })).status, 200)
  }
  assert.equal((await call('PATCH', url, { body: { requests_per_minute: null } })).status, 200)
  assert.equal((await call('GET', path, { as: member })).status, 200)
})
