import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { codeNow } from '../../../../test/authenticator.ts'
import { openBrowser } from '../../../../test/browser.ts'
import { foundOrganization, joinMember, memberPassword } from '../../../../test/members.ts'
import { challenge, protectedMember } from '../../../../test/second-factor.ts'
import { ownerEmail, ownerPassword, startTestService } from '../../../../test/service.ts'
import { asOrganization, formatsOfOrganization } from '../../../lora/formats.ts'

const lines: string[] = []
const service = await startTestService({ after }, { takeLine: (line) => lines.push(line) })
const { call } = service
const start = service.services.now().getTime()
const day = 24 * 3600 * 1000

function passDays(days: number) {
  service.setClock(new Date(service.services.now().getTime() + days * day))
}

async function loggedIn() {
  const browser = openBrowser(service)
  const answer = await browser.logIn()
  assert.equal(answer.status, 200, answer.text)
  return browser
}

test('a login answers who is logged in, where and until when, and no token', async () => {
  const browser = openBrowser(service)
  const { body, text } = await browser.logIn()
  assert.deepEqual(body, {
    data: {
      user: {
        id: 1,
        email: ownerEmail,
        name: 'Admin',
        first_name: 'Admin',
        last_name: '',
        time_zone: null,
        formats: asOrganization,
        two_factor: false,
        authenticator: false,
        passkeys: 0,
        recovery_codes_left: 0,
      },
      organizations: [
        {
          id: 1,
          name: 'Organization 1',
          parent_org_id: null,
          is_owner: true,
          permissions: [
            'manage_account',
            'manage_widget_dashboard',
            'manage_devices',
            'manage_gateways',
            'manage_groups',
          ],
          group: null,
          requires_two_factor: false,
          formats: formatsOfOrganization({}),
        },
      ],
      must_change_password: false,
      sign_on: null,
      expires_at: new Date(start + 30 * day).toISOString().replace('Z', '000Z'),
    },
  })
  const token = browser.cookie?.split('=')[1]
  assert.match(String(token), /^[\w-]{43}$/)
  assert.ok(!text.includes(String(token)))
  assert.deepEqual((await browser.call('GET', '/auth/session')).body, body)
})

test('a browser that logs out forgets what the console has kept', async () => {
  const browser = await loggedIn()
  const { status, headers } = await browser.call('DELETE', '/auth/session')
  assert.equal(status, 204)
  assert.equal(headers['clear-site-data'], '"cache", "storage"')
})

test('the cookie is HttpOnly and strict, and only for TLS where the service has TLS', async (t) => {
  const plain = await openBrowser(service).logIn()
  assert.match(
    String(plain.headers['set-cookie']),
    /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
  )
  const encrypted = await startTestService(t, { publicUrl: 'https://fleet.example.test' })
  const browser = openBrowser(encrypted)
  const { headers } = await browser.logIn()
  assert.match(
    String(headers['set-cookie']),
    /^__Host-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
  )
  assert.equal((await browser.call('GET', '/devices')).status, 200)
  // A name without the prefix could be set by another host of the domain.
  const bare = String(browser.cookie).replace('__Host-', '')
  assert.equal((await browser.call('GET', '/devices', { headers: { cookie: bare } })).status, 401)
})

test('the cookie counts as the token does, for reads, changes and what ends tokens', async () => {
  const browser = await loggedIn()
  assert.equal((await browser.call('GET', '/devices')).status, 200)
  const group = { groupName: 'By a browser' }
  assert.equal((await browser.call('POST', '/device-groups', { body: group })).status, 200)
  const others = 'theme=dark; session2=x; '
  const headers = { cookie: `${others}${browser.cookie}; more=1` }
  assert.equal((await browser.call('GET', '/devices', { headers })).status, 200)
  assert.equal((await browser.call('GET', '/logout')).status, 200)
  assert.equal((await browser.call('GET', '/devices')).status, 401)
})

test('counts for nothing without the header that other origins cannot send', async () => {
  const browser = await loggedIn()
  for (const sent of [undefined, 'XMLHttpRequest', 'Console', 'console, console']) {
    const headers = { 'x-requested-with': sent }
    for (const [method, path] of [
      ['GET', '/devices'],
      ['GET', '/auth/session'],
      ['PUT', '/auth/session'],
      ['DELETE', '/auth/session'],
      ['GET', '/logout'],
      ['GET', '/auth/refresh-token'],
      ['POST', '/device-groups'],
      ['DELETE', '/user/sessions'],
    ] as const) {
      const answer = await browser.call(method, path, { headers })
      assert.equal(answer.status, 401, `${method} ${path}`)
      assert.deepEqual(answer.body, { message: 'Unauthenticated.' })
      assert.equal(answer.headers['set-cookie'], undefined)
    }
  }
  assert.equal((await browser.call('GET', '/devices')).status, 200)
})

test('a form of another origin can neither log in nor out', async () => {
  const fields = JSON.stringify({ email: ownerEmail, password: ownerPassword })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/auth/session',
      headers: { 'content-type': type },
      payload: fields,
    })
    assert.equal(answer.statusCode, 415)
    assert.equal(answer.headers['set-cookie'], undefined)
  }
})

test('an Authorization header is what counts, right or wrong', async () => {
  const browser = await loggedIn()
  const member = await joinMember(service, 'other@example.test')
  const me = async (authorization: string) => {
    const headers = { authorization }
    return browser.call('GET', '/user/get-org-user/me', { headers })
  }
  assert.equal((await me(`Bearer ${member.token}`)).body.data.email, 'other@example.test')
  for (const wrong of ['Basic x', 'Bearer ', `Bearer ${'x'.repeat(43)}`]) {
    assert.equal((await me(wrong)).status, 401, wrong)
  }
  const headers = { authorization: `Bearer ${member.token}` }
  assert.equal((await browser.call('DELETE', '/auth/session', { headers })).status, 401)
})

test('a logout ends the session everywhere and clears the cookie, also a dead one', async () => {
  const browser = await loggedIn()
  const { cookie } = browser
  const cleared = /^session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/
  const answer = await browser.call('DELETE', '/auth/session')
  assert.equal(answer.status, 204)
  assert.match(String(answer.headers['set-cookie']), cleared)
  for (const headers of [{ cookie }, { cookie: 'session=unknown' }, {}]) {
    assert.equal((await browser.call('GET', '/auth/session', { headers })).status, 401)
    const again = await browser.call('DELETE', '/auth/session', { headers })
    assert.equal(again.status, 204)
    assert.match(String(again.headers['set-cookie']), cleared)
  }
  const token = String(cookie).split('=')[1]
  const authorization = `Bearer ${token}`
  const as = { as: null, headers: { authorization } }
  assert.equal((await call('GET', '/v1/auth/refresh-token', as)).status, 401)
})

test('a renewal exchanges the token and begins 30 days again, up to 90 after the login', async (t) => {
  t.after(() => service.setClock(new Date(start)))
  const browser = await loggedIn()
  const { cookie } = browser
  passDays(29)
  const { status, body, headers } = await browser.call('PUT', '/auth/session')
  assert.equal(status, 200)
  assert.match(String(headers['set-cookie']), /Max-Age=2592000;/)
  assert.equal(Date.parse(body.data.expires_at), start + 59 * day)
  assert.equal((await browser.call('GET', '/devices', { headers: { cookie } })).status, 401)
  passDays(29)
  assert.equal((await browser.call('PUT', '/auth/session')).status, 200)
  passDays(29)
  const last = await browser.call('PUT', '/auth/session')
  assert.match(String(last.headers['set-cookie']), /Max-Age=259200;/)
  assert.equal(Date.parse(last.body.data.expires_at), start + 90 * day)
  passDays(3)
  assert.equal((await browser.call('PUT', '/auth/session')).status, 401)
})

test('an expired session asks for the password again, and the login ends it', async (t) => {
  t.after(() => service.setClock(new Date(start)))
  const member = await joinMember(service, 'asleep@example.test')
  const browser = openBrowser(service)
  await browser.logIn('asleep@example.test', memberPassword)
  passDays(30)
  assert.equal((await browser.call('GET', '/devices')).status, 401)
  assert.equal((await browser.call('GET', '/auth/session')).status, 401)
  assert.equal((await browser.call('PUT', '/auth/session')).status, 401)
  assert.equal((await browser.logIn('asleep@example.test', memberPassword)).status, 200)
  const sessions = await browser.call('GET', '/user/sessions')
  const [latest, ...rest] = sessions.body.data
  assert.equal(latest.current, true)
  // The bearer token of the member can still be exchanged; the browser's former session cannot.
  assert.equal(rest.length, 1, JSON.stringify(member))
})

test('asks for the second factor as the login with a token does', async () => {
  const { member, withCode, recoveryCodes } = await protectedMember(service)
  const browser = openBrowser(service)
  const logIn = (more: object) =>
    browser.call('POST', '/auth/session', {
      body: { email: member.email, password: memberPassword, ...more },
    })
  const asked = await logIn({})
  assert.deepEqual([asked.status, asked.body], [200, challenge])
  assert.equal(asked.headers['set-cookie'], undefined)
  const wrong = await logIn({ verify_2fa: 'yes', authentication_code: '000000' })
  assert.deepEqual([wrong.status, wrong.body], [422, (await withCode('000000')).body])
  assert.equal(wrong.headers['set-cookie'], undefined)
  const { status, body } = await logIn({ verify_2fa: 'no', recovery_code: recoveryCodes[0] })
  assert.equal(status, 200)
  const { two_factor, recovery_codes_left } = body.data.user
  assert.deepEqual([two_factor, recovery_codes_left], [true, recoveryCodes.length - 1])
})

test('shares the limit on wrong guesses with the login with a token', async () => {
  await foundOrganization(service, 'guessed@example.test')
  const guess = { email: 'guessed@example.test', password: 'wrong' }
  for (let wrong = 0; wrong < 5; wrong += 1) {
    const path = wrong % 2 ? '/v1/auth/login' : '/v1/auth/session'
    assert.equal((await call('POST', path, { as: null, body: guess })).status, 401)
  }
  const right = { ...guess, password: memberPassword }
  assert.equal((await call('POST', '/v1/auth/session', { as: null, body: right })).status, 429)
})

test('sessions end as others do: by a new password, and from the list', async () => {
  const [one, other] = [openBrowser(service), openBrowser(service)]
  await joinMember(service, 'two-browsers@example.test')
  for (const each of [one, other]) await each.logIn('two-browsers@example.test', memberPassword)
  const body = { current_password: memberPassword, password: 'eight quiet harbours' }
  assert.equal((await one.call('POST', '/user/password', { body })).status, 204)
  assert.equal((await one.call('GET', '/devices')).status, 200)
  assert.equal((await other.call('GET', '/devices')).status, 401)
  await other.logIn('two-browsers@example.test', 'eight quiet harbours')
  const { body: list } = await other.call('GET', '/user/sessions')
  const first = list.data.find((session: { current: boolean }) => !session.current)
  assert.equal((await other.call('DELETE', `/user/sessions/${first.id}`)).status, 204)
  assert.equal((await one.call('GET', '/devices')).status, 401)
  assert.equal((await other.call('GET', '/devices')).status, 200)
})

test('two-factor is set up and removed within the session of a browser', async () => {
  await joinMember(service, 'enrols@example.test')
  const browser = openBrowser(service)
  await browser.logIn('enrols@example.test', memberPassword)
  const password = { body: { password: memberPassword } }
  const prove = async () =>
    (await browser.call('POST', '/confirm-password-access', password)).body.token_2fa
  const fields = { token: await prove(), auth_type: 'authenticator', totp2fa_secret: '' }
  const step = (path: string, more: object = {}) =>
    browser.call('POST', path, { body: { ...fields, ...more } })
  fields.totp2fa_secret = (await step('/generate-qr-image')).body.secret
  const one_time_password = codeNow(service, fields.totp2fa_secret)
  const proved = await step('/verify-two-factor-authentication', { one_time_password })
  assert.equal(proved.status, 200)
  assert.equal((await step('/complete-verification')).status, 200)
  const { user } = (await browser.call('GET', '/auth/session')).body.data
  assert.deepEqual(
    [user.two_factor, user.recovery_codes_left],
    [true, proved.body.recovery_codes.length],
  )
  fields.token = await prove()
  assert.equal((await step('/disable-authentication')).status, 200)
  assert.equal((await browser.call('GET', '/auth/session')).body.data.user.two_factor, false)
})

test('neither the log nor the database has the token', async () => {
  const before = lines.length
  const browser = await loggedIn()
  await browser.call('GET', '/devices', { headers: { organization: '999' } })
  await browser.call('PUT', '/auth/session')
  const token = String(browser.cookie).split('=')[1] ?? ''
  await browser.call('DELETE', '/auth/session')
  const events = lines
    .slice(before)
    .flatMap((line) => /"event":"(logged_\w+)"/.exec(line)?.[1] ?? [])
  assert.deepEqual(events, ['logged_in', 'logged_out'])
  assert.ok(lines.every((line) => !line.includes(token)))
  const rows = await service.services.db.query<{ row: string }>(
    'select sessions::text as row from sessions',
  )
  assert.ok(rows.length > 0 && rows.every(({ row }) => !row.includes(token)))
})

test('a visitor without a session is no line of the security log', async () => {
  const before = lines.length
  assert.equal((await openBrowser(service).call('GET', '/auth/session')).status, 401)
  assert.equal(lines.length, before)
})
