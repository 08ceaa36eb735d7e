import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { codeNow, enrol } from '../../../../test/authenticator.ts'
import { openBrowser } from '../../../../test/browser.ts'
import { foundOrganization, joinMember, memberPassword } from '../../../../test/members.ts'
import { signInAtProvider, startProvider } from '../../../../test/oidc-provider.ts'
import { challenge, protectedMember } from '../../../../test/second-factor.ts'
import { ownerEmail, publicUrl, startTestService } from '../../../../test/service.ts'

const provider = await startProvider({ after }, { redirectUris: [`${publicUrl}/sign-on`] })
const lines: string[] = []
const service = await startTestService(
  { after },
  {
    loginRateLimit: 1000,
    takeLine: (line) => lines.push(line),
    signOn: {
      ...provider.settings,
      makesUsers: true,
      grants: [
        { group: 'watchers', organization: 1, role: 'viewer' },
        { group: 'fitters', organization: 1, role: 'installer' },
        { group: 'admins', organization: 1, role: 'administrator' },
        { group: 'admins', organization: 999, role: 'administrator' },
      ],
    },
  },
)

async function signOn(login: string, browser = openBrowser(service)) {
  const begun = await browser.call('POST', '/auth/sign-on')
  assert.equal(begun.status, 200, begun.text)
  const query = await signInAtProvider(begun.body.data.url, login)
  const answer = await browser.call('POST', '/auth/sign-on/finish', { body: { query } })
  return { ...answer, browser, query }
}

const verified = (email: string, more: object = {}) => ({ email, email_verified: true, ...more })

test('a person with a role in a group gets a login, and the permissions of the role', async () => {
  await provider.setPeople({
    nell: verified('nell@example.test', { name: 'Nell Winter', groups: ['fitters', 'others'] }),
  })
  const { status, body, text } = await signOn('nell')
  assert.equal(status, 200, text)
  assert.equal(body.data.user.email, 'nell@example.test')
  assert.equal(body.data.user.name, 'Nell Winter')
  assert.deepEqual(body.data.sign_on, { two_factor: false })
  assert.deepEqual(
    body.data.organizations.map(({ id, permissions }: never) => ({ id, permissions })),
    [{ id: 1, permissions: ['manage_devices'] }],
  )
})

test('roles follow the groups at each sign-in, and the audit log tells it', async () => {
  const people = (groups?: string[]) => ({ tom: verified('tom@example.test', { groups }) })
  await provider.setPeople(people(['watchers', 'fitters']))
  const first = await signOn('tom')
  const { id } = first.body.data.user
  const permissions = async (groups?: string[]) => {
    await provider.setPeople(people(groups))
    const { body } = await signOn('tom')
    return body.data.organizations[0]?.permissions
  }
  assert.deepEqual(await permissions(['watchers']), [])
  assert.equal((await permissions(['admins'])).length, 5)
  assert.equal(await permissions(), undefined)
  const { body } = await service.call('GET', '/v1/fleet/activity?kind=member&limit=50')
  const own = body.data.filter(({ subject }: { subject: string }) => subject === String(id))
  const actions = own.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['removed', 'changed', 'changed', 'added'])
})

test('a user with the verified e-mail is linked for good, and the former password ends', async () => {
  await joinMember(service, 'ida@example.test', [])
  await provider.setPeople({ ida: verified('IDA@example.test', { groups: ['watchers'] }) })
  const { body } = await signOn('ida')
  assert.equal(body.data.user.email, 'ida@example.test')
  const old = await openBrowser(service).logIn('ida@example.test', memberPassword)
  assert.equal(old.status, 401)
  await provider.setPeople({ ida: verified('new-name@example.test', { groups: ['watchers'] }) })
  const again = await signOn('ida')
  assert.equal(again.body.data.user.id, body.data.user.id)
  assert.equal(again.body.data.user.email, 'ida@example.test')
  await provider.setPeople({ twin: verified('ida@example.test', { groups: ['watchers'] }) })
  assert.equal((await signOn('twin')).status, 401)
})

test('a user with two-factor gives a code, unless the provider has checked a second factor', async () => {
  const { member, secret, recoveryCodes } = await protectedMember(service)
  const claims = verified(member.email, { groups: ['watchers'] })
  await provider.setPeople({ two: claims, strong: { ...claims, amr: ['pwd', 'mfa'] } })
  const { body, browser } = await signOn('two')
  assert.deepEqual(body, challenge)
  assert.equal(browser.cookie, undefined)
  const give = (code: object) => browser.call('POST', '/auth/sign-on/code', { body: code })
  const wrong = await give({ verify_2fa: 'yes', authentication_code: '000000' })
  assert.equal(wrong.status, 422)
  const authentication_code = codeNow(service, secret)
  const right = await give({ verify_2fa: 'yes', authentication_code })
  assert.equal(right.status, 200, right.text)
  assert.equal(right.body.data.user.email, member.email)
  assert.equal((await give({ verify_2fa: 'no', recovery_code: recoveryCodes[0] })).status, 401)
})

test('what the provider has checked counts where the organization requires two-factor', async () => {
  const boss = await foundOrganization(service, 'strict-boss@example.test')
  await enrol(service, boss, memberPassword)
  await joinMember(service, 'careful@example.test', [], boss)
  const secured = await service.call('PATCH', '/v1/organization/security', {
    as: boss,
    body: { require_two_factor: true },
  })
  assert.equal(secured.status, 200, secured.text)
  const person = verified('careful@example.test')
  const reach = async (amr?: string[]) => {
    await provider.setPeople({ once: { ...person, amr } })
    const { browser, body } = await signOn('once')
    const { sign_on } = body.data
    const headers = { organization: String(boss.organizationId) }
    const { status } = await browser.call('GET', '/organization', { headers })
    return { status, sign_on }
  }
  assert.deepEqual(await reach(['pwd']), { status: 403, sign_on: { two_factor: false } })
  assert.deepEqual(await reach(['mfa']), { status: 200, sign_on: { two_factor: true } })
})

test('a logout ends the session here, and tells where it ends at the provider', async () => {
  await provider.setPeople({ lea: verified('lea@example.test', { groups: ['watchers'] }) })
  const { browser } = await signOn('lea')
  const { cookie } = browser
  const { status, body } = await browser.call('DELETE', '/auth/sign-on')
  assert.equal(status, 200)
  const url = new URL(body.data.url)
  assert.equal(url.origin, provider.settings.issuer)
  assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${publicUrl}/login`)
  browser.cookie = cookie
  assert.equal((await browser.call('GET', '/auth/session')).status, 401)
  const local = openBrowser(service)
  await local.logIn()
  assert.deepEqual((await local.call('DELETE', '/auth/sign-on')).body, { data: { url: null } })
})

test('the settings can leave passwords to owners', async (t) => {
  const signOnOnly = { ...provider.settings, isPasswordForOwnersOnly: true }
  const strict = await startTestService(t, { loginRateLimit: 1000, signOn: signOnOnly })
  assert.equal((await openBrowser(strict).logIn()).status, 200)
  const person = { email: 'any@example.test', password: memberPassword }
  const body = { ...person, first_name: 'Any', last_name: 'One', permissions: [] }
  await strict.call('POST', '/v1/organization/users', { body })
  for (const path of ['/auth/session', '/auth/login']) {
    const answer = await openBrowser(strict).call('POST', path, { body: person })
    assert.equal(answer.status, 401)
    assert.match(answer.body.message, /single sign-on/)
  }
  const wrong = await openBrowser(strict).logIn(person.email, 'not the password')
  assert.equal(wrong.body.message, 'These credentials do not match our records.')
})

test('a service without single sign-on says so', async (t) => {
  const plain = await startTestService(t)
  const browser = openBrowser(plain)
  const { body } = await browser.call('GET', '/auth/sign-on')
  assert.deepEqual(body.data, { name: null, is_password_for_owners_only: false })
  assert.equal((await browser.call('POST', '/auth/sign-on')).status, 404)
})

test('owners stay owners, whatever their groups', async () => {
  await provider.setPeople({ boss: verified(ownerEmail, { groups: [] }) })
  const { body } = await signOn('boss')
  assert.equal(body.data.organizations[0].is_owner, true)
  const { status } = await openBrowser(service).logIn()
  assert.equal(status, 200, 'the operator keeps the password')
})

test('the security log has a line for each sign-on and refusal', () => {
  const events = lines.map((line) => JSON.parse(line).event)
  assert.ok(events.includes('signed_on'))
  assert.ok(events.includes('login_failed'))
  assert.ok(!lines.join('').includes('id_token'))
})
