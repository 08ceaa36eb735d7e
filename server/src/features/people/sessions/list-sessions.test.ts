import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { confirmPassword, enrol } from '../../../../test/authenticator.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { loginRateLimit: 1000 })
const { db } = service.services
const url = '/v1/user/sessions'

function passSeconds(seconds: number) {
  service.setClock(new Date(service.services.now().getTime() + seconds * 1000))
}

async function list(as: Login) {
  const answer = await service.call('GET', url, { as })
  assert.equal(answer.status, 200)
  return answer.body
}

/** Calls as a browser at this address. */
function callFrom(remoteAddress: string, { token }: Login, userAgent = 'test') {
  return service.app.inject({
    url: '/v1/user/get-org-user/me',
    remoteAddress,
    headers: { authorization: `Bearer ${token}`, organization: '1', 'user-agent': userAgent },
  })
}

async function statusOf(login: Login): Promise<number> {
  return (await service.call('GET', '/v1/user/get-org-user/me', { as: login })).status
}

test('lists where the user is logged in, the latest login first', async () => {
  const member = await joinMember(service, 'ada@example.test')
  const firstLogin = service.services.now()
  passSeconds(60)
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/auth/login',
    remoteAddress: '203.0.113.9',
    headers: { 'user-agent': `Browser/1.0 ${'x'.repeat(300)}` },
    payload: { email: member.email, password: memberPassword },
  })
  const elsewhere = { token: answer.json().token, organizationId: 1 }
  const { data, meta } = await list(elsewhere)
  assert.equal(meta.total, 2)
  const time = service.services.now().toISOString().replace('Z', '000Z')
  const firstTime = firstLogin.toISOString().replace('Z', '000Z')
  const [latest, first] = data
  assert.deepEqual(latest, {
    id: latest.id,
    created_at: time,
    last_used_at: time,
    address: '203.0.113.9',
    user_agent: `Browser/1.0 ${'x'.repeat(243)}`,
    current: true,
  })
  assert.deepEqual(
    { created_at: first.created_at, address: first.address, current: first.current },
    { created_at: firstTime, address: '127.0.0.1', current: false },
  )
})

test('notes the latest use once a minute at most', async () => {
  const member = await joinMember(service, 'used@example.test')
  const versionOf = async () => {
    const [row] = await db.query<{ version: string; last_used_at: string; address: string }>(
      `select xmin::text as version, last_used_at, address from sessions
       where user_id = $1`,
      [member.userId],
    )
    assert.ok(row)
    return row
  }
  const before = await versionOf()
  passSeconds(59)
  for (let calls = 0; calls < 5; calls += 1) await callFrom('203.0.113.1', member)
  await sleep(100)
  assert.deepEqual(await versionOf(), before)
  const readOthers = () =>
    db.query('select id, last_used_at, address from sessions where user_id <> $1 order by id', [
      member.userId,
    ])
  const others = await readOthers()
  passSeconds(1)
  await Promise.all(Array.from({ length: 20 }, () => callFrom('203.0.113.2', member, 'Phone/2')))
  let noted = await versionOf()
  while (noted.version === before.version) {
    await sleep(10)
    noted = await versionOf()
  }
  assert.equal(noted.address, '203.0.113.2')
  assert.deepEqual(await readOthers(), others)
  await callFrom('203.0.113.3', member)
  await sleep(100)
  assert.deepEqual(await versionOf(), noted)
  const [session] = (await list(member)).data
  assert.equal(session.user_agent, 'Phone/2')
})

test('keeps a refreshed token in the session of its login', async () => {
  const member = await joinMember(service, 'refreshed@example.test')
  const [before] = (await list(member)).data
  passSeconds(3600)
  const other = await joinMember(service, 'other@example.test')
  for (const as of [member, other]) await confirmPassword(service, as, memberPassword)
  const { body } = await service.call('GET', '/v1/auth/refresh-token', { as: member })
  const { data } = await list({ token: body.token, organizationId: 1 })
  assert.equal(data.length, 1)
  assert.equal(data[0].id, before.id)
  assert.equal(data[0].created_at, before.created_at)
  // A set-up belongs to its token, and is begun again.
  const setups = await db.query('select user_id from two_factor_tokens')
  assert.deepEqual(setups, [{ user_id: other.userId }])
})

test('ends one session, also after its token was refreshed, and no other', async () => {
  const member = await joinMember(service, 'ended@example.test')
  const thief = await service.logIn(member.email, memberPassword, 1)
  const [{ id }] = (await list(member)).data
  const { body } = await service.call('GET', '/v1/auth/refresh-token', { as: thief })
  const answer = await service.call('DELETE', `${url}/${id}`, { as: member })
  assert.equal(answer.status, 204)
  assert.equal(await statusOf({ token: body.token, organizationId: 1 }), 401)
  assert.equal(await statusOf(member), 200)
  assert.equal((await list(member)).meta.total, 1)
  const again = await service.call('DELETE', `${url}/${id}`, { as: member })
  assert.deepEqual([again.status, again.body], [404, { message: 'Session not found' }])
})

test('ends the own session too, like a logout', async () => {
  const member = await joinMember(service, 'own@example.test')
  const [{ id }] = (await list(member)).data
  assert.equal((await service.call('DELETE', `${url}/${id}`, { as: member })).status, 204)
  assert.equal(await statusOf(member), 401)
})

test("does not show or end anybody else's", async () => {
  const member = await joinMember(service, 'mine@example.test')
  const other = await joinMember(service, 'theirs@example.test')
  const [{ id }] = (await list(other)).data
  for (const unknown of [id, 0, 'x', '99999999999999999999']) {
    const answer = await service.call('DELETE', `${url}/${unknown}`, { as: member })
    assert.deepEqual([answer.status, answer.body], [404, { message: 'Session not found' }])
  }
  assert.equal(await statusOf(other), 200)
  assert.ok((await list(member)).data.every((session: { id: number }) => session.id !== id))
})

test('ends all other sessions', async () => {
  const member = await joinMember(service, 'all@example.test')
  const others = [
    await service.logIn(member.email, memberPassword, 1),
    await service.logIn(member.email, memberPassword, 1),
  ]
  assert.equal((await service.call('DELETE', url, { as: member })).status, 204)
  assert.equal(await statusOf(member), 200)
  for (const other of others) assert.equal(await statusOf(other), 401)
  assert.equal(await statusOf(service.owner), 200)
})

test('ends all other sessions when two-factor is set up', async () => {
  const member = await joinMember(service, 'factor@example.test')
  const before = await service.logIn(member.email, memberPassword, 1)
  await enrol(service, member, memberPassword)
  assert.deepEqual([await statusOf(before), await statusOf(member)], [401, 200])
})

test('ends every token 90 days after the login, however often it was refreshed', async () => {
  const day = 24 * 3600
  let login: Login = await joinMember(service, 'forever@example.test')
  const sessionId = (await list(login)).data[0].id
  const refresh = async () => {
    const answer = await service.call('GET', '/v1/auth/refresh-token', { as: login })
    if (answer.status === 200) login = { ...login, token: answer.body.token }
    return answer
  }
  for (const days of [29, 58]) {
    passSeconds(29 * day)
    assert.equal((await refresh()).body.expires_in, 30 * day, `${days}`)
  }
  passSeconds(29 * day)
  assert.equal((await refresh()).body.expires_in, 3 * day)
  passSeconds(3 * day - 1)
  assert.equal(await statusOf(login), 200)
  assert.equal((await refresh()).body.expires_in, 1)
  passSeconds(1)
  assert.equal(await statusOf(login), 401)
  assert.equal((await refresh()).status, 401)
  const later = await service.logIn('forever@example.test', memberPassword, 1)
  const { meta, data } = await list(later)
  assert.deepEqual([meta.total, data.length], [1, 1], 'the dead one is not listed')
  const ended = await service.call('DELETE', `${url}/${sessionId}`, { as: later })
  assert.equal(ended.status, 404)
})
