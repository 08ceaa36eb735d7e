import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import jsqr from 'jsqr'
import {
  beginSetup,
  codeNow,
  confirmPassword,
  dumpDatabase,
  passSeconds,
  spellings,
} from '../../../../test/authenticator.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import { ownerPassword, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { loginRateLimit: 1000 })
/** The package's types describe a module, but Node imports its function. */
const readQr = jsqr as unknown as typeof jsqr.default

function generate(body: unknown, as = service.owner) {
  return service.call('POST', '/v1/generate-qr-image', { as, body })
}

/** Draws the SVG's squares as pixels and reads them like the camera of a phone. */
function readImage(svg: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const square = Number(/M\d+,\d+h(\d+)v/.exec(svg)?.[1])
  assert.ok(size > 0 && square > 0, svg.slice(0, 200))
  // Cameras need an edge of four modules around it (ISO/IEC 18004).
  const [, x, y] = /M(\d+),(\d+)h/.exec(svg) ?? []
  assert.deepEqual([Number(x), Number(y)], [4 * square, 4 * square])
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [, x, y] of svg.matchAll(/M(\d+),(\d+)h\d+v\d+h-\d+z/g)) {
    for (let row = Number(y); row < Number(y) + square; row += 1) {
      const start = (row * size + Number(x)) * 4
      for (let i = 0; i < square * 4; i += 1) if (i % 4 !== 3) pixels[start + i] = 0
    }
  }
  return readQr(pixels, size, size)?.data
}

// shows 5.6.4
test('answers a secret, and an image that a camera reads as its otpauth address', async () => {
  const token = await confirmPassword(service, service.owner, ownerPassword)
  const answer = await generate({ token })
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['qr_image', 'secret'])
  const { secret, qr_image: image } = answer.body
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.match(image, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^<>]*>.*<\/svg>$/)
  const address = new URL(readImage(image) ?? '')
  assert.equal(address.protocol, 'otpauth:')
  assert.equal(address.host, 'totp')
  assert.equal(decodeURIComponent(address.pathname), '/LoRa fleet console:owner@example.test')
  assert.equal(address.searchParams.get('secret'), secret)
  assert.equal(address.searchParams.get('issuer'), 'LoRa fleet console')
})

const strange: [string, string][] = [
  ['markup', '"><script>alert(1)</script>&amp;\'@example.test'],
  ['what has a meaning in an address', 'a?secret=A&issuer=B#/%41:+@example.test'],
  ['other alphabets', 'жанна-日本@пример.test'],
  ['255 characters', `${'漢'.repeat(242)}@example.test`],
]
for (const [name, email] of strange) {
  test(`encodes an e-mail with ${name}`, async () => {
    const member = await joinMember(service, email)
    const token = await confirmPassword(service, member, memberPassword)
    const { status, body } = await generate({ token }, member)
    assert.equal(status, 200)
    assert.doesNotMatch(body.qr_image, /script|amp|&/)
    const address = new URL(readImage(body.qr_image) ?? '')
    assert.equal(decodeURIComponent(address.pathname), `/LoRa fleet console:${email}`)
    assert.deepEqual([...address.searchParams.keys()], ['secret', 'issuer'])
    assert.equal(address.searchParams.get('secret'), body.secret)
  })
}

test('makes a new secret each time, and the one before is void', async () => {
  const { token, ...first } = await beginSetup(service, service.owner, ownerPassword)
  const { body } = await generate({ token })
  assert.notEqual(body.secret, first.totp2fa_secret)
  const verify = (secret: string) =>
    service.call('POST', '/v1/verify-two-factor-authentication', {
      body: {
        ...first,
        token,
        totp2fa_secret: secret,
        one_time_password: codeNow(service, secret),
      },
    })
  const stale = await verify(first.totp2fa_secret)
  assert.equal(stale.status, 422)
  assert.deepEqual(Object.keys(stale.body.errors), ['totp2fa_secret'])
  assert.equal((await verify(body.secret)).status, 200)
})

// shows 10.4.11, 10.4.15
test('refuses a token that is wrong, another session’s, another user’s or too old', async () => {
  const member = await joinMember(service, 'bound@example.test')
  const elsewhere = await service.logIn('bound@example.test', memberPassword, 1)
  const token = await confirmPassword(service, member, memberPassword)
  const tries: [string, typeof member | typeof elsewhere][] = [
    ['no token of ours', member],
    [member.token, member],
    [`${token}A`, member],
    [token, elsewhere],
    [token, service.owner],
  ]
  for (const [given, as] of tries) {
    const answer = await generate({ token: given }, as)
    const message = 'The token is wrong or too old. Please confirm your password again.'
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message, errors: { token: [message] } })
  }
  passSeconds(service, 599)
  assert.equal((await generate({ token }, member)).status, 200)
  passSeconds(service, 1)
  assert.equal((await generate({ token }, member)).status, 422)
})

test('does not take a token over to the session that replaces its own', async () => {
  const member = await joinMember(service, 'renewed@example.test')
  const token = await confirmPassword(service, member, memberPassword)
  const { body } = await service.call('GET', '/v1/auth/refresh-token', { as: member })
  const renewed = { token: body.token, organizationId: 1 }
  assert.equal((await generate({ token }, renewed)).status, 422)
  assert.equal((await generate({ token }, member)).status, 401)
})

// shows 5.6.3, 5.6.14
test('asks for the token', async () => {
  for (const body of [undefined, {}, { token: '' }, { token: null }]) {
    const answer = await generate(body)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, { token: ['The token field is required.'] })
  }
  const answer = await generate({ token: ['x'] })
  assert.deepEqual(answer.body.errors, { token: ['The token must be a string.'] })
})

test('keeps the secret in no plain form', async () => {
  const { totp2fa_secret: secret } = await beginSetup(service, service.owner, ownerPassword)
  const dump = await dumpDatabase(service)
  for (const text of spellings(secret)) assert.ok(!dump.includes(text))
})
