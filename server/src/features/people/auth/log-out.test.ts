import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ownerEmail, ownerPassword, startTestService } from '../../../../test/service.ts'
import { createApp } from '../../../app.ts'

const service = await startTestService({ after })

/** Sends nothing but the Authorization header. */
function call(url: string, token: string) {
  return service.call('GET', url, { as: null, headers: { authorization: `Bearer ${token}` } })
}

// shows 5.5.1, 5.5.2, 10.3.2, 10.4.5
test('ends the token: it is neither accepted nor exchanged any more', async () => {
  const login = await service.logIn(ownerEmail, ownerPassword, 1)
  const answer = await call('/v1/logout', login.token)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { message: 'Logged out successfully.' })
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as: login })
  assert.equal(me.status, 401)
  assert.equal((await call('/v1/auth/refresh-token', login.token)).status, 401)
})

// shows 10.4.5
test('ends the token on every server at once', async (t) => {
  const second = createApp(service.services, {
    apiRateLimit: 0,
    trustedProxies: [],
    findFault: async () => undefined,
  })
  t.after(() => second.close())
  const { token } = await service.logIn(ownerEmail, ownerPassword, 1)
  const headers = { authorization: `Bearer ${token}`, organization: '1' }
  const url = '/v1/user/get-org-user/me'
  assert.equal((await second.inject({ url, headers })).statusCode, 200)
  await call('/v1/logout', token)
  assert.equal((await second.inject({ url, headers })).statusCode, 401)
})

test('answers 401 the second time, also to calls at one time', async () => {
  const { token } = await service.logIn(ownerEmail, ownerPassword, 1)
  const answers = await Promise.all([1, 2, 3].map(() => call('/v1/logout', token)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
  assert.equal((await call('/v1/logout', token)).status, 401)
})

test('leaves the other logins of the user alone', async () => {
  const first = await service.logIn(ownerEmail, ownerPassword, 1)
  const second = await service.logIn(ownerEmail, ownerPassword, 1)
  await call('/v1/logout', first.token)
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as: second })
  assert.equal(me.status, 200)
})

test('ends the token that a refresh gave, not only the first one', async () => {
  const { token } = await service.logIn(ownerEmail, ownerPassword, 1)
  const renewed = await call('/v1/auth/refresh-token', token)
  assert.equal((await call('/v1/logout', renewed.body.token)).status, 200)
  assert.equal((await call('/v1/auth/refresh-token', renewed.body.token)).status, 401)
})

test('answers 401 without a token, and to an unknown one', async () => {
  const none = await service.call('GET', '/v1/logout', { as: null })
  assert.equal(none.status, 401)
  assert.equal((await call('/v1/logout', 'unknown')).status, 401)
})
