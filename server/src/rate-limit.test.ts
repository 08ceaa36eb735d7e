import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownerEmail, ownerPassword, startTestService } from './test-service.ts'

const path = '/v1/device-regions-networks'

// shows 10.3.21, 10.3.23
test('a token has so many requests a minute, and is told so', async (t) => {
  const service = await startTestService(t, { apiRateLimit: 3 })
  const { call, services } = service
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
  assert.equal((await call('GET', path, { as: second })).status, 200, 'each token has its own')
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

// shows 10.3.23
test('a limit of 0 turns it off', async (t) => {
  const { call } = await startTestService(t, { apiRateLimit: 0 })
  for (let count = 0; count < 20; count += 1) {
    const { status, headers } = await call('GET', path)
    assert.deepEqual([status, headers.ratelimit], [200, undefined])
  }
})
