import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { enrol } from '../../../../test/authenticator.ts'
import { startMailServer } from '../../../../test/mail-server.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const server = await startMailServer()
after(() => server.close())
const publicUrl = 'https://fleet.example.test'
let log = ''
const takeLine = (line: string) => {
  log += line
}
const service = await startTestService({ after }, { mail: server.settings, publicUrl, takeLine })
const { db } = service.services
const newPassword = 'eight quiet harbours'

let addresses = 0
/** From a new address each time, unless `from` is given. */
function ask(email: string, from?: string) {
  addresses += 1
  return service.app.inject({
    method: 'POST',
    url: '/v1/auth/password-reset',
    remoteAddress: from ?? `198.51.100.${addresses}`,
    payload: { email },
  })
}

function confirm(token: string, password = newPassword) {
  const body = { token, password }
  return service.call('POST', '/v1/auth/password-reset/confirm', { as: null, body })
}

/** Asks for a code, and reads it in the mail. */
async function obtainCode(email: string): Promise<string> {
  const before = server.mails.length
  assert.equal((await ask(email)).statusCode, 204)
  const mail = (await server.waitFor(before + 1)).at(-1)
  return /^([\w-]{43})\r?$/m.exec(mail?.raw ?? '')?.[1] ?? ''
}

async function statusOf(login: Login): Promise<number> {
  return (await service.call('GET', '/v1/user/get-org-user/me', { as: login })).status
}

async function logIn(email: string, password: string) {
  return service.call('POST', '/v1/auth/login', { as: null, body: { email, password } })
}

function passSeconds(seconds: number) {
  service.setClock(new Date(service.services.now().getTime() + seconds * 1000))
}

test('mails a code that sets a new password once, and ends all sessions', async () => {
  const member = await joinMember(service, 'Ada@example.test')
  const answer = await ask(' aDA@example.TEST')
  assert.deepEqual([answer.statusCode, answer.body], [204, ''])
  const mail = (await server.waitFor(1)).at(-1)
  assert.deepEqual(mail?.to, ['Ada@example.test'])
  assert.equal(mail?.from, 'fleet@example.test')
  for (const line of [
    /^From: Fleet <fleet@example\.test>/m,
    /^Subject: A new password for fleet\./m,
  ]) {
    assert.match(mail?.raw ?? '', line)
  }
  assert.ok(mail?.raw.includes(publicUrl))
  const token = /^([\w-]{43})\r?$/m.exec(mail?.raw ?? '')?.[1] ?? ''
  const rows = await db.query<{ text: string }>(
    'select password_resets::text as text from password_resets',
  )
  assert.equal(rows.length, 1)
  assert.ok(!rows[0]?.text.includes(token))

  const done = await confirm(token)
  assert.deepEqual([done.status, done.text], [204, ''])
  assert.equal(await statusOf(member), 401)
  assert.equal((await logIn(member.email, memberPassword)).status, 401)
  assert.equal((await logIn(member.email, newPassword)).status, 200)
  const again = await confirm(token)
  assert.equal(again.status, 422)
  assert.deepEqual(Object.keys(again.body.errors), ['token'])
})

test('answers alike to an e-mail that nobody has, and mails nothing', async () => {
  const before = server.mails.length
  const answer = await ask('nobody@example.test')
  assert.deepEqual([answer.statusCode, answer.body], [204, ''])
  await sleep(200)
  assert.equal(server.mails.length, before)
})

test('leaves two-factor on', async () => {
  const member = await joinMember(service, 'factor@example.test')
  await enrol(service, member, memberPassword)
  assert.equal((await confirm(await obtainCode(member.email))).status, 204)
  assert.equal((await logIn(member.email, newPassword)).body.mfa, true)
})

test('takes a code for 30 minutes', async () => {
  const member = await joinMember(service, 'late@example.test')
  const [late, timely] = [await obtainCode(member.email), await obtainCode(member.email)]
  passSeconds(30 * 60 - 1)
  const wrong = await confirm(timely, 'late@example.test')
  assert.deepEqual(Object.keys(wrong.body.errors), ['password'])
  assert.equal((await confirm(timely)).status, 204)
  assert.equal((await confirm(late)).status, 422)
})

test('refuses a code that is too old', async () => {
  const member = await joinMember(service, 'old@example.test')
  const token = await obtainCode(member.email)
  passSeconds(30 * 60)
  assert.equal((await confirm(token)).status, 422)
  assert.equal((await logIn(member.email, memberPassword)).status, 200)
})

test('lets one of several uses of a code at one time through', async () => {
  const member = await joinMember(service, 'race@example.test')
  const token = await obtainCode(member.email)
  const answers = await Promise.all([1, 2, 3].map(() => confirm(token)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 422, 422])
})

test('forgets the codes when the password is changed in another way', async () => {
  const member = await joinMember(service, 'changed@example.test')
  const token = await obtainCode(member.email)
  const body = { current_password: memberPassword, password: newPassword }
  const changed = await service.call('POST', '/v1/user/password', { as: member, body })
  assert.equal(changed.status, 204)
  assert.equal((await confirm(token, 'another new password')).status, 422)
})

test('limits the mails to one e-mail, wherever they are asked for', async () => {
  const before = server.mails.length
  await joinMember(service, 'flooded@example.test')
  for (const email of ['flooded@example.test', 'unknown@example.test']) {
    const statuses: number[] = []
    for (let asked = 0; asked < 5; asked += 1) statuses.push((await ask(email)).statusCode)
    assert.deepEqual(statuses, [204, 204, 204, 429, 429])
  }
  await server.waitFor(before + 3)
  await sleep(100)
  assert.equal(server.mails.length, before + 3)
  assert.equal((await logIn('flooded@example.test', memberPassword)).status, 200)
})

test('leaves lines in the security log, without codes and passwords', async () => {
  const member = await joinMember(service, 'logged@example.test')
  log = ''
  const token = await obtainCode(member.email)
  await confirm(token)
  await confirm(token)
  for (let asked = 0; asked < 3; asked += 1) await ask(member.email)
  const lines = log.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))
  const events = lines.filter(({ msg }) => msg === 'security event')
  assert.deepEqual(
    events.map(({ event, userId, email }) => [event, userId, email]),
    [
      ['password_reset', member.userId, undefined],
      ['reset_failed', undefined, undefined],
      ['reset_blocked', undefined, member.email],
    ],
  )
  assert.ok(!log.includes(token) && !log.includes(newPassword))
})

test('limits what one address asks for', async () => {
  const statuses: number[] = []
  for (let asked = 0; asked < 101; asked += 1) {
    statuses.push((await ask(`some${asked}@example.test`, '192.0.2.200')).statusCode)
  }
  assert.deepEqual(statuses, [...Array.from({ length: 100 }, () => 204), 429])
})

test('tries again when the mail server is busy, and not when it refuses for good', async () => {
  const member = await joinMember(service, 'busy@example.test')
  server.refusals.push(451)
  assert.equal((await confirm(await obtainCode(member.email))).status, 204)
  const before = server.mails.length
  server.refusals.push(550)
  await ask(member.email)
  await sleep(2500)
  assert.equal(server.mails.length, before)
  assert.deepEqual(server.refusals, [])
})

test('answers alike without a mail server, and when it cannot be reached', async (t) => {
  const without = await startTestService(t)
  const unreachable = await startTestService(t, { mail: { ...server.settings, port: 1 } })
  for (const { call } of [without, unreachable]) {
    const body = { email: 'owner@example.test' }
    const answer = await call('POST', '/v1/auth/password-reset', { as: null, body })
    assert.equal(answer.status, 204)
  }
})

test('complains about a missing e-mail, token or password', async () => {
  const asked = await service.call('POST', '/v1/auth/password-reset', { as: null, body: {} })
  assert.deepEqual(asked.body.errors, { email: ['The email field is required.'] })
  const url = '/v1/auth/password-reset/confirm'
  const empty = await service.call('POST', url, { as: null, body: { password: 'baseball' } })
  assert.deepEqual(empty.body.errors, {
    token: ['The token field is required.'],
    password: ['The password is too common.'],
  })
})
