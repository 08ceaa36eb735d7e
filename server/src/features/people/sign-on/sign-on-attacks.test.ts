import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowser } from '../../../../test/browser.ts'
import { startForgedProvider } from '../../../../test/forged-provider.ts'
import { joinMember } from '../../../../test/members.ts'
import { signInAtProvider, startProvider } from '../../../../test/oidc-provider.ts'
import { publicUrl, startTestService } from '../../../../test/service.ts'

const provider = await startProvider({ after }, { redirectUris: [`${publicUrl}/sign-on`] })
const forged = await startForgedProvider({ after })
const everyone = {
  makesUsers: true,
  grants: [{ group: 'all', organization: 1, role: 'viewer' }],
} as const
const usual = { loginRateLimit: 1000 }
const service = await startTestService(
  { after },
  { ...usual, signOn: { ...provider.settings, ...everyone } },
)
const deceived = await startTestService(
  { after },
  { ...usual, signOn: { ...provider.settings, ...everyone, issuer: forged.issuer } },
)

const notConfirmed = 'Harbour Login has not confirmed the sign-in. Please begin again.'
const tooLate = 'The sign-in has taken too long, or began elsewhere. Please begin again.'
const stranger = /^There is no login here for your account at Harbour Login\./

async function begin(browser = openBrowser(service)) {
  const { body, text } = await browser.call('POST', '/auth/sign-on')
  assert.ok(body.data, text)
  return { browser, url: body.data.url as string }
}

async function refused(answer: Promise<{ status: number; body: { message: string } }>) {
  const { status, body } = await answer
  assert.equal(status, 401)
  return body.message
}

test('an e-mail that the provider has not verified opens nothing, known or not', async () => {
  await joinMember(service, 'known@example.test')
  await provider.setPeople({
    known: { email: 'known@example.test', email_verified: false, groups: ['all'] },
    silent: { email: 'known@example.test', groups: ['all'] },
    unknown: { email: 'unknown@example.test', email_verified: false, groups: ['all'] },
    outsider: { email: 'outsider@example.test', email_verified: true, groups: [] },
    nobody: { groups: ['all'] },
  })
  const messages = new Set<string>()
  for (const login of ['known', 'silent', 'unknown', 'outsider', 'nobody']) {
    const { browser, url } = await begin()
    const query = await signInAtProvider(url, login)
    messages.add(await refused(browser.call('POST', '/auth/sign-on/finish', { body: { query } })))
    assert.equal(browser.cookie, undefined)
  }
  assert.equal(messages.size, 1)
  assert.match([...messages][0] ?? '', stranger)
})

test('a code works only in the browser that has begun, and only once', async () => {
  await provider.setPeople({
    sue: { email: 'sue@example.test', email_verified: true, groups: ['all'] },
  })
  const { browser, url } = await begin()
  const query = await signInAtProvider(url, 'sue')
  const stranger = openBrowser(service)
  const finish = (as = browser) => as.call('POST', '/auth/sign-on/finish', { body: { query } })
  assert.equal(await refused(finish(stranger)), tooLate)
  const victim = (await begin()).browser
  assert.equal(await refused(finish(victim)), notConfirmed)
  const { signOnCookie } = browser
  assert.equal((await finish()).status, 200)
  assert.equal(await refused(finish()), tooLate)
  browser.signOnCookie = signOnCookie
  assert.equal(await refused(finish()), notConfirmed)
})

test('other sites cannot begin or end a sign-on', async () => {
  const browser = openBrowser(service)
  const foreign = { headers: { 'x-requested-with': undefined } }
  assert.equal((await browser.call('POST', '/auth/sign-on', foreign)).status, 401)
  const { browser: begun } = await begin()
  const call = { ...foreign, body: { query: 'code=a&state=b' } }
  assert.equal(await refused(begun.call('POST', '/auth/sign-on/finish', call)), tooLate)
})

test('the answer of another provider is refused, and so is one with an error', async () => {
  const { browser, url } = await begin()
  const query = await signInAtProvider(url, 'sue')
  const mixed = query.replace(/iss=[^&]*/, `iss=${encodeURIComponent(forged.issuer)}`)
  assert.notEqual(mixed, query)
  const send = (query: string, as = browser) =>
    refused(as.call('POST', '/auth/sign-on/finish', { body: { query } }))
  assert.equal(await send(mixed), notConfirmed)
  const other = await begin()
  const state = new URL(other.url).searchParams.get('state')
  assert.equal(await send(`error=access_denied&state=${state}`, other.browser), notConfirmed)
})

test('a login begins another session, and the one before has ended', async () => {
  const { browser, url } = await begin()
  browser.cookie = 'session=fixed-by-somebody-else'
  const query = await signInAtProvider(url, 'sue')
  const finish = () => browser.call('POST', '/auth/sign-on/finish', { body: { query } })
  assert.equal((await finish()).status, 200)
  assert.match(browser.cookie ?? '', /^session=[\w-]{43}$/)
  const former = browser.cookie
  const second = await begin(browser)
  const again = await signInAtProvider(second.url, 'sue')
  await browser.call('POST', '/auth/sign-on/finish', { body: { query: again } })
  const old = openBrowser(service)
  old.cookie = former
  assert.equal((await old.call('GET', '/auth/session')).status, 401)
})

test('ID tokens of a wrong issuer, audience, nonce, time or signature are refused', async () => {
  const forgeries = {
    issuer: { claims: { iss: 'https://login.example.test' } },
    audience: { claims: { aud: 'another-client' } },
    party: { claims: { aud: ['fleet', 'another'], azp: 'another' } },
    nonce: { claims: { nonce: 'of another sign-in' } },
    'no nonce': { claims: { nonce: undefined } },
    time: { claims: { exp: 1_000_000 } },
    signature: { signature: 'foreign' },
    'no signature': { header: { alg: 'none' }, signature: 'none' },
    'signature with the secret': { header: { alg: 'HS256' }, signature: 'foreign' },
    key: { header: { kid: 'two' } },
  } as const
  const signOn = async () => {
    const { browser, url } = await begin(openBrowser(deceived))
    const query = forged.signIn(url)
    return browser.call('POST', '/auth/sign-on/finish', { body: { query } })
  }
  for (const [what, forgery] of Object.entries(forgeries)) {
    forged.forge(forgery)
    const { status, body } = await signOn()
    assert.deepEqual(
      { what, status, message: body.message },
      { what, status: 401, message: notConfirmed },
    )
  }
  forged.forge({})
  assert.equal((await signOn()).status, 200)
})

test('groups that are left out because they are many take no role away', async () => {
  forged.forge({ claims: { groups: undefined, _claim_names: { groups: 'src1' } } })
  const { browser, url } = await begin(openBrowser(deceived))
  const query = forged.signIn(url)
  const answer = await browser.call('POST', '/auth/sign-on/finish', { body: { query } })
  assert.equal(answer.status, 401)
  assert.match(answer.body.message, /^Harbour Login does not name your groups/)
})

test('a provider that is slow or away is named, and only then', async (t) => {
  const away = await startProvider(t, { redirectUris: [`${publicUrl}/sign-on`] })
  const lonely = await startTestService(t, { ...usual, signOn: away.settings })
  away.pause()
  const browser = openBrowser(lonely)
  const slow = await browser.call('POST', '/auth/sign-on')
  assert.equal(slow.status, 503)
  const message = 'Harbour Login does not answer properly. Please try again later.'
  assert.equal(slow.body.message, message)
  await away.stop()
  assert.equal((await browser.call('POST', '/auth/sign-on')).body.message, message)
  assert.equal((await browser.logIn()).status, 200)
})

test('a client that begins again and again has to wait', async (t) => {
  const strict = await startTestService(t, { loginRateLimit: 1, signOn: provider.settings })
  const browser = openBrowser(strict)
  const statuses = new Set<number>()
  for (let time = 0; time < 25; time += 1) {
    statuses.add((await browser.call('POST', '/auth/sign-on')).status)
  }
  assert.deepEqual([...statuses], [200, 429])
})
