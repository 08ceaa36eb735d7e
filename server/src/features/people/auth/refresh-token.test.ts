import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  type Login,
  ownerEmail,
  ownerPassword,
  startTestService,
} from '../../../../test/service.ts'
import { createApp } from '../../../app.ts'

const service = await startTestService({ after })
const day = 24 * 3600

function logIn(): Promise<Login> {
  return service.logIn(ownerEmail, ownerPassword, 1)
}

function passSeconds(seconds: number) {
  service.setClock(new Date(service.services.now().getTime() + seconds * 1000))
}

/** Sends nothing but the Authorization header. */
function refresh(token: string) {
  const headers = { authorization: `Bearer ${token}` }
  return service.call('GET', '/v1/auth/refresh-token', { as: null, headers })
}

async function statusOf(token: string): Promise<number> {
  const as = { token, organizationId: 1 }
  return (await service.call('GET', '/v1/user/get-org-user/me', { as })).status
}

// shows 5.3.1, 5.3.3, 10.4.4
test('gives a new token, and ends the old one at once', async () => {
  const { token } = await logIn()
  const answer = await refresh(token)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    token: answer.body.token,
    token_type: 'bearer',
    expires_in: 2_592_000,
  })
  assert.notEqual(answer.body.token, token)
  assert.equal(await statusOf(answer.body.token), 200)
  assert.equal(await statusOf(token), 401)
  assert.equal((await refresh(token)).status, 401)
})

// shows 10.4.4
test('ends the old token on every server at once, and the new one holds there', async (t) => {
  const second = createApp(service.services, {
    apiRateLimit: 0,
    trustedProxies: [],
    findFault: async () => undefined,
  })
  t.after(() => second.close())
  const statusThere = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, organization: '1' }
    return (await second.inject({ url: '/v1/user/get-org-user/me', headers })).statusCode
  }
  const { token } = await logIn()
  assert.equal(await statusThere(token), 200)
  const { body } = await refresh(token)
  assert.deepEqual([await statusThere(token), await statusThere(body.token)], [401, 200])
})

test('leaves the other logins of the user alone', async () => {
  const [first, second] = [await logIn(), await logIn()]
  await refresh(first.token)
  assert.equal(await statusOf(second.token), 200)
})

// shows 5.3.2, 8.1.7, 10.3.2, 10.4.2, 10.4.3
test('exchanges a token up to 14 days after its 30 days are over', async () => {
  const { token } = await logIn()
  const late = await logIn()
  passSeconds(30 * day - 1)
  assert.equal(await statusOf(token), 200)
  passSeconds(1)
  assert.equal(await statusOf(token), 401)
  passSeconds(14 * day - 1)
  const answer = await refresh(token)
  assert.equal(answer.status, 200)
  assert.equal(await statusOf(answer.body.token), 200)
  passSeconds(1)
  assert.equal((await refresh(late.token)).status, 401)
})

// shows 8.1.7
test('counts the 30 days of a new token from its own start', async () => {
  const { token } = await logIn()
  passSeconds(20 * day)
  const answer = await refresh(token)
  passSeconds(29 * day)
  assert.equal(await statusOf(answer.body.token), 200)
  assert.equal((await refresh(answer.body.token)).status, 200)
})

test('gives no token to a chain from before it had an end, 90 days after its login', async () => {
  const { token } = await logIn()
  await service.services.db.query(
    `update sessions set refreshable_until = created_at + interval '120 days'
     where id = (select max(id) from sessions)`,
  )
  passSeconds(90 * day)
  assert.equal((await refresh(token)).status, 401)
})

test('gives one new token to many calls at one time with the same old one', async () => {
  const { token } = await logIn()
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, ...Array.from({ length: 7 }, () => 401)])
})

const refused: [string, Record<string, string>][] = [
  ['no token', {}],
  ['an unknown token', { authorization: `Bearer ${'A'.repeat(43)}` }],
  ['another scheme', { authorization: 'Basic b3duZXI6cGFzc3dvcmQ=' }],
  ['an empty token', { authorization: 'Bearer ' }],
  ['a token that is too long', { authorization: `Bearer ${'A'.repeat(5000)}` }],
]
for (const [name, headers] of refused) {
  test(`answers 401 to ${name}`, async () => {
    const answer = await service.call('GET', '/v1/auth/refresh-token', { as: null, headers })
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.body, { message: 'Unauthenticated.' })
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  })
}
