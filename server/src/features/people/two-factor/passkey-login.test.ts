import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { codeNow, dumpDatabase, enrol, passSeconds } from '../../../../test/authenticator.ts'
import { assertInvalid as assertErrors } from '../../../../test/invalid.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import {
  askToSign,
  createPasskey,
  passkeyUrl,
  register,
} from '../../../../test/passkey-authenticator.ts'
import { challenge } from '../../../../test/second-factor.ts'
import { startTestService, type TestAnswer, type TestService } from '../../../../test/service.ts'

/** Logging in with a passkey as the second factor (docs/security.md). */

const lines: string[] = []
const service = await startTestService(
  { after },
  { loginRateLimit: 1000, publicUrl: passkeyUrl, takeLine: (line) => lines.push(line) },
)

function assertInvalid(answer: TestAnswer, errors: Record<string, string[]>) {
  assert.equal(answer.status, 422, answer.text)
  assertErrors(answer.body, { message: Object.values(errors)[0]?.[0], errors })
}

let members = 0
async function newMember(of: TestService = service) {
  members += 1
  const member = await joinMember(of, `signing-${members}@example.test`)
  const logIn = (more: object = {}) =>
    of.call('POST', '/v1/auth/login', {
      as: null,
      body: { email: member.email, password: memberPassword, ...more },
    })
  /** The token of a login that has passed the password, and what a passkey is to sign. */
  const begin = async () => {
    const { body } = await logIn()
    const token: string = body.passkeys.token
    return { token, publicKey: await askToSign(of, token) }
  }
  return { member, logIn, begin }
}

const refused = { passkey: ['The passkey was not accepted. Please try again.'] }

test('a login offers the passkeys of the user, and takes what one has signed', async () => {
  const { member, logIn, begin } = await newMember()
  const { passkey, id } = await register(service, member, memberPassword)
  const asked = await logIn()
  const { passkeys, ...rest } = asked.body
  assert.deepEqual(rest, challenge)
  assert.equal(passkeys.is_only, true)
  const { token, publicKey } = await begin()
  assert.equal(publicKey.rpId, 'fleet.example.test')
  assert.deepEqual(publicKey.allowCredentials, [
    { id: passkey.id, transports: ['hybrid', 'internal'], type: 'public-key' },
  ])
  passSeconds(service, 60)
  const answer = await logIn({ passkey: { token, credential: passkey.get(publicKey) } })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(Object.keys(answer.body), ['organizations', 'token', 'must_change_password'])
  const as = { token: answer.body.token, organizationId: 1 }
  const list = await service.call('GET', '/v1/user/passkeys', { as })
  const [{ id: used, last_used_at }] = list.body.data
  assert.deepEqual([used, new Date(last_used_at).getTime()], [id, service.services.now().getTime()])
})

test('a login without passkeys is asked as ever', async () => {
  const { member, logIn } = await newMember()
  await enrol(service, member, memberPassword)
  assert.deepEqual((await logIn()).body, challenge)
})

test('codes of the app and recovery codes go on beside passkeys', async () => {
  const { member, logIn } = await newMember()
  const { secret, recoveryCodes } = await enrol(service, member, memberPassword)
  await register(service, member, memberPassword)
  assert.equal((await logIn()).body.passkeys.is_only, false)
  passSeconds(service, 30)
  const code = codeNow(service, secret)
  assert.equal((await logIn({ verify_2fa: 'yes', authentication_code: code })).status, 200)
  const recovery_code = recoveryCodes[0]
  assert.equal((await logIn({ verify_2fa: 'no', recovery_code })).status, 200)
})

test('recovery codes of a user with passkeys only work once each', async () => {
  const { member, logIn } = await newMember()
  const { recoveryCodes } = await register(service, member, memberPassword)
  const recovery = { verify_2fa: 'no', recovery_code: recoveryCodes?.[0] }
  assert.equal((await logIn(recovery)).status, 200)
  assert.equal((await logIn(recovery)).status, 422)
  const code = { verify_2fa: 'yes', authentication_code: '123456' }
  assert.equal((await logIn(code)).status, 422)
})

test('refuses a signature for another site, or of another key', async () => {
  const { member, logIn, begin } = await newMember()
  const { passkey } = await register(service, member, memberPassword)
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const wrong = [
    { origin: 'https://fleet.example.test.evil.test' },
    { host: 'evil.test' },
    { challenge: Buffer.alloc(32, 1).toString('base64url') },
    { key },
  ]
  for (const ways of wrong) {
    const { token, publicKey } = await begin()
    const credential = passkey.get(publicKey, ways)
    assertInvalid(await logIn({ passkey: { token, credential } }), refused)
    // What was asked for is good for one try.
    const late = { token, credential: passkey.get(publicKey) }
    assertInvalid(await logIn({ passkey: late }), refused)
  }
})

test('refuses what was sent before, at this login and at another', async () => {
  const { member, logIn, begin } = await newMember()
  const { passkey } = await register(service, member, memberPassword)
  const first = await begin()
  const used = { token: first.token, credential: passkey.get(first.publicKey) }
  assert.equal((await logIn({ passkey: used })).status, 200)
  assertInvalid(await logIn({ passkey: used }), refused)
  const [one, other] = [await begin(), await begin()]
  const crossed = { token: one.token, credential: passkey.get(other.publicKey) }
  assertInvalid(await logIn({ passkey: crossed }), refused)
})

test('of several simultaneous logins with one signature, one succeeds', async () => {
  const { member, logIn, begin } = await newMember()
  const { passkey } = await register(service, member, memberPassword)
  const { token, publicKey } = await begin()
  const body = { passkey: { token, credential: passkey.get(publicKey) } }
  const answers = await Promise.all([logIn(body), logIn(body), logIn(body)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422])
})

test('refuses a counter that does not grow, as that of a copy', async () => {
  const { member, logIn, begin } = await newMember()
  const { passkey } = await register(service, member, memberPassword)
  const tryAt = async (counter: number) => {
    const { token, publicKey } = await begin()
    const credential = passkey.get(publicKey, { counter })
    return logIn({ passkey: { token, credential } })
  }
  assert.equal((await tryAt(50)).status, 200)
  lines.length = 0
  for (const counter of [50, 49, 0]) assertInvalid(await tryAt(counter), refused)
  assert.ok(lines.some((line) => line.includes('passkey refused') && line.includes('counter')))
  assert.equal((await tryAt(51)).status, 200)
})

test('a passkey that counts nothing is accepted', async () => {
  const { member, logIn, begin } = await newMember()
  const { body } = await service.call('POST', '/v1/confirm-password-access', {
    as: member,
    body: { password: memberPassword },
  })
  const token = body.token_2fa
  const options = await service.call('POST', '/v1/user/passkeys/options', {
    as: member,
    body: { token },
  })
  const passkey = createPasskey()
  const credential = passkey.create(options.body.data.publicKey, { counter: 0 })
  await service.call('POST', '/v1/user/passkeys', {
    as: member,
    body: { token, name: 'Synced', credential },
  })
  for (let login = 0; login < 2; login += 1) {
    const { token, publicKey } = await begin()
    const signed = passkey.get(publicKey, { counter: 0 })
    assert.equal((await logIn({ passkey: { token, credential: signed } })).status, 200)
  }
})

test("refuses another user's passkey and another user's login", async () => {
  const [mine, other] = [await newMember(), await newMember()]
  const { passkey } = await register(service, mine.member, memberPassword)
  const foreign = await register(service, other.member, memberPassword)
  const here = await mine.begin()
  const theirs = { token: here.token, credential: foreign.passkey.get(here.publicKey) }
  assertInvalid(await mine.logIn({ passkey: theirs }), refused)
  const there = await other.begin()
  const crossed = { token: there.token, credential: passkey.get(there.publicKey) }
  assertInvalid(await mine.logIn({ passkey: crossed }), refused)
  const unknown = await mine.begin()
  const stranger = { token: unknown.token, credential: createPasskey().get(unknown.publicKey) }
  assertInvalid(await mine.logIn({ passkey: stranger }), refused)
})

test('the password is asked again, and both end after five minutes', async () => {
  const { member, logIn, begin } = await newMember()
  const { passkey } = await register(service, member, memberPassword)
  const { token, publicKey } = await begin()
  const signed = { token, credential: passkey.get(publicKey) }
  const guess = await logIn({ password: 'a wrong guess', passkey: signed })
  assert.equal(guess.status, 401)
  passSeconds(service, 301)
  assertInvalid(await logIn({ passkey: signed }), refused)
  const late = await service.call('POST', '/v1/auth/passkey/options', {
    as: null,
    body: { token },
  })
  assertInvalid(late, { token: ['The login has taken too long. Please log in again.'] })
  const made = await service.call('POST', '/v1/auth/passkey/options', {
    as: null,
    body: { token: 'made-up' },
  })
  assertInvalid(made, { token: ['The login has taken too long. Please log in again.'] })
})

test('a user has ten logins at most that wait for a passkey', async () => {
  const { member, begin, logIn } = await newMember()
  const { passkey } = await register(service, member, memberPassword)
  const first = await begin()
  for (let login = 0; login < 11; login += 1) {
    passSeconds(service, 1)
    await begin()
  }
  const rows = await service.services.db.query(
    'select from passkey_challenges where user_id = $1',
    [member.userId],
  )
  assert.equal(rows.length, 10)
  const late = { token: first.token, credential: passkey.get(first.publicKey) }
  assertInvalid(await logIn({ passkey: late }), refused)
})

test('refusals of passkeys make the login wait as wrong codes do', async (t) => {
  const strict = await startTestService(t, { loginRateLimit: 3, publicUrl: passkeyUrl })
  const { member, logIn, begin } = await newMember(strict)
  const { passkey, recoveryCodes } = await register(strict, member, memberPassword)
  const statuses: number[] = []
  for (let login = 0; login < 3; login += 1) {
    const { token, publicKey } = await begin()
    const credential = passkey.get(publicKey, { origin: 'https://evil.test' })
    statuses.push((await logIn({ passkey: { token, credential } })).status)
  }
  assert.deepEqual(
    statuses,
    [422, 422, 429].map((status, at) => (at < 2 ? status : statuses[2])),
  )
  const blocked = await logIn()
  assert.equal(blocked.status, 429)
  assert.ok(Number(blocked.headers['retry-after']) > 0)
  passSeconds(strict, 3601)
  const recovery = { verify_2fa: 'no', recovery_code: recoveryCodes?.[0] }
  assert.equal((await logIn(recovery)).status, 200)
})

test('refuses malformed passkeys by their fields', async () => {
  const { member, logIn, begin } = await newMember()
  const { passkey } = await register(service, member, memberPassword)
  const { token, publicKey } = await begin()
  const { response, ...rest } = passkey.get(publicKey)
  const wrong = ['x', 7, [], {}, { token }, { token, credential: rest }, { credential: rest }]
  for (const given of wrong) assert.equal((await logIn({ passkey: given })).status, 422)
  const broken = { ...response, authenticatorData: 'AAAA' }
  const credential = { ...rest, response: broken }
  assertInvalid(await logIn({ passkey: { token, credential } }), refused)
})

test('neither the database nor the log keeps what opens a login', async () => {
  const { member, begin, logIn } = await newMember()
  const { passkey } = await register(service, member, memberPassword)
  const { token, publicKey } = await begin()
  const credential = passkey.get(publicKey)
  const dump = await dumpDatabase(service)
  assert.ok(!dump.includes(token))
  await logIn({ passkey: { token, credential } })
  const log = lines.join('\n')
  for (const secret of [token, publicKey.challenge, credential.response.signature]) {
    assert.ok(!log.includes(secret))
  }
})
