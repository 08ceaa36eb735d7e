import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { confirmPassword, enrol, passSeconds } from '../../../../test/authenticator.ts'
import { assertInvalid as assertErrors } from '../../../../test/invalid.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import {
  beginPasskey,
  createPasskey,
  type PublicKey,
  passkeyUrl,
  register,
} from '../../../../test/passkey-authenticator.ts'
import {
  ownerPassword,
  publicUrl,
  startTestService,
  type TestAnswer,
} from '../../../../test/service.ts'

/** Passkeys in the settings of a user (docs/security.md). */

const service = await startTestService({ after }, { loginRateLimit: 1000, publicUrl: passkeyUrl })
const { call } = service

function assertInvalid(answer: TestAnswer, errors: Record<string, string[]>) {
  assert.equal(answer.status, 422, answer.text)
  assertErrors(answer.body, { message: Object.values(errors)[0]?.[0], errors })
}

let members = 0
async function newMember() {
  members += 1
  return joinMember(service, `passkeys-${members}@example.test`)
}

type Member = Awaited<ReturnType<typeof newMember>>

const list = async (as: Member) => (await call('GET', '/v1/user/passkeys', { as })).body
const stateOf = async (as: Member) => {
  const { body } = await call('GET', '/v1/auth/session', { as })
  const { two_factor, authenticator, passkeys, recovery_codes_left } = body.data.user
  return [two_factor, authenticator, passkeys, recovery_codes_left]
}

const refused = { credential: ['The passkey was not accepted. Please try again.'] }

test('the first passkey turns two-factor on, with recovery codes', async () => {
  const member = await newMember()
  assert.deepEqual(await list(member), { data: [], origin: passkeyUrl, most: 10 })
  const { token, publicKey } = await beginPasskey(service, member, memberPassword)
  assert.deepEqual(publicKey.rp, { name: 'LoRa fleet console', id: 'fleet.example.test' })
  assert.equal((publicKey.user as { name: string }).name, member.email)
  assert.equal(publicKey.attestation, 'none')
  const credential = createPasskey().create(publicKey)
  const body = { token, name: 'Phone', credential }
  const added = await call('POST', '/v1/user/passkeys', { as: member, body })
  assert.equal(added.status, 201, added.text)
  assert.equal(added.body.recovery_codes.length, 10)
  assert.deepEqual(await list(member), { data: [added.body.data], origin: passkeyUrl, most: 10 })
  assert.deepEqual(await stateOf(member), [true, false, 1, 10])
  // The second one leaves the codes as they are.
  const second = await register(service, member, memberPassword, { name: 'Key ring' })
  assert.equal(second.recoveryCodes, null)
  assert.deepEqual(await stateOf(member), [true, false, 2, 10])
})

test('a passkey beside an authenticator app leaves its recovery codes', async () => {
  const member = await newMember()
  await enrol(service, member, memberPassword)
  const { id, recoveryCodes } = await register(service, member, memberPassword)
  assert.equal(recoveryCodes, null)
  assert.deepEqual(await stateOf(member), [true, true, 1, 10])
  const token = await confirmPassword(service, member, memberPassword)
  const path = `/v1/user/passkeys/${id}`
  assert.equal((await call('DELETE', path, { as: member, body: { token } })).status, 204)
  assert.deepEqual(await stateOf(member), [true, true, 0, 10])
})

test('a passkey gets another name', async () => {
  const member = await newMember()
  const { id } = await register(service, member, memberPassword)
  const path = `/v1/user/passkeys/${id}`
  const changed = await call('PATCH', path, { as: member, body: { name: 'Old phone' } })
  assert.equal(changed.body.data.name, 'Old phone')
  assert.deepEqual((await list(member)).data, [changed.body.data])
  assertInvalid(await call('PATCH', path, { as: member, body: { name: ' ' } }), {
    name: ['The name field is required.'],
  })
  const other = await newMember()
  const foreign = await call('PATCH', path, { as: other, body: { name: 'Mine' } })
  assert.deepEqual([foreign.status, foreign.body], [404, { message: 'Passkey not found' }])
})

test('adding and removing takes the password, once for each', async () => {
  const member = await newMember()
  const { id } = await register(service, member, memberPassword)
  const path = `/v1/user/passkeys/${id}`
  const wrongToken = {
    token: ['The token is wrong or too old. Please confirm your password again.'],
  }
  for (const token of [
    'made up',
    await confirmPassword(service, service.owner, 'x').catch(() => 'y'),
  ]) {
    assertInvalid(await call('DELETE', path, { as: member, body: { token } }), wrongToken)
    const options = { as: member, body: { token } }
    assertInvalid(await call('POST', '/v1/user/passkeys/options', options), wrongToken)
  }
  // A token that has begun to add one removes none.
  const { token } = await beginPasskey(service, member, memberPassword)
  assertInvalid(await call('DELETE', path, { as: member, body: { token } }), wrongToken)
  const old = await confirmPassword(service, member, memberPassword)
  passSeconds(service, 601)
  assertInvalid(await call('DELETE', path, { as: member, body: { token: old } }), wrongToken)
  assert.equal((await list(member)).data.length, 1)
})

test('without the last one two-factor is off, and other sessions end', async () => {
  const member = await newMember()
  const { id } = await register(service, member, memberPassword)
  const token = await confirmPassword(service, member, memberPassword)
  const path = `/v1/user/passkeys/${id}`
  assert.equal((await call('DELETE', path, { as: member, body: { token } })).status, 204)
  assert.deepEqual(await stateOf(member), [false, false, 0, 0])
  const again = await service.logIn(member.email, memberPassword, 1)
  assert.equal((await call('GET', '/v1/devices', { as: again })).status, 200)
  // Adding one ends the others too.
  await register(service, member, memberPassword)
  assert.equal((await call('GET', '/v1/devices', { as: again })).status, 401)
  assert.equal((await call('GET', '/v1/devices', { as: member })).status, 200)
})

test('turning two-factor off removes the passkeys as well', async () => {
  const member = await newMember()
  await register(service, member, memberPassword)
  const token = await confirmPassword(service, member, memberPassword)
  const body = { token, auth_type: 'authenticator' }
  const off = await call('POST', '/v1/disable-authentication', { as: member, body })
  assert.equal(off.status, 200, off.text)
  assert.deepEqual(await stateOf(member), [false, false, 0, 0])
  assert.ok((await service.logIn(member.email, memberPassword, 1)).token)
})

test('refuses what does not answer the challenge, or comes from another site', async () => {
  const member = await newMember()
  const wrong = [
    { origin: 'https://fleet.example.test.evil.test' },
    { origin: 'http://fleet.example.test' },
    { host: 'evil.test' },
    { challenge: Buffer.alloc(32, 1).toString('base64url') },
  ]
  for (const ways of wrong) {
    const { token, publicKey } = await beginPasskey(service, member, memberPassword)
    const passkey = createPasskey()
    const send = (credential: object) =>
      call('POST', '/v1/user/passkeys', { as: member, body: { token, name: 'A', credential } })
    assertInvalid(await send(passkey.create(publicKey, ways)), refused)
    // The challenge was good for that try only.
    assertInvalid(await send(passkey.create(publicKey)), {
      token: ['Please ask for the options of the passkey first.'],
    })
  }
  assert.deepEqual((await list(member)).data, [])
})

test('refuses what is no passkey', async () => {
  const member = await newMember()
  const { token, publicKey } = await beginPasskey(service, member, memberPassword)
  const { response, ...rest } = createPasskey().create(publicKey)
  const send = (credential: unknown) =>
    call('POST', '/v1/user/passkeys', { as: member, body: { token, name: 'A', credential } })
  for (const credential of [undefined, null, 7, 'x', [], {}, rest, { ...rest, response: {} }]) {
    assert.equal((await send(credential)).status, 422)
  }
  const broken = { ...response, attestationObject: 'AAAA' }
  assertInvalid(await send({ ...rest, response: broken }), refused)
})

test('refuses the word of a maker, an id that is too long, and one that is not signed', async () => {
  const member = await newMember()
  const made = [
    (options: PublicKey) => createPasskey().create(options, { format: 'apple' }),
    (options: PublicKey) => createPasskey().create(options, { format: 'android-key' }),
    (options: PublicKey) => ({
      ...createPasskey({ idLength: 3000 }).create(options),
      id: 'AA',
      rawId: 'AA',
    }),
    (options: PublicKey) => createPasskey({ idLength: 1024 }).create(options),
    (options: PublicKey) => ({ ...createPasskey().create(options), id: 'AA', rawId: 'AA' }),
  ]
  for (const create of made) {
    const { token, publicKey } = await beginPasskey(service, member, memberPassword)
    const body = { token, name: 'A', credential: create(publicKey) }
    assertInvalid(await call('POST', '/v1/user/passkeys', { as: member, body }), refused)
  }
})

test('a passkey belongs to one user, once', async () => {
  const [member, other] = [await newMember(), await newMember()]
  const { passkey } = await register(service, member, memberPassword)
  for (const as of [member, other]) {
    const { token, publicKey } = await beginPasskey(service, as, memberPassword)
    const body = { token, name: 'A', credential: passkey.create(publicKey) }
    assertInvalid(await call('POST', '/v1/user/passkeys', { as, body }), {
      credential: ['This passkey is registered already.'],
    })
  }
  const { publicKey } = await beginPasskey(service, member, memberPassword)
  const known = (publicKey.excludeCredentials as { id: string }[]).map(({ id }) => id)
  assert.deepEqual(known, [passkey.id])
})

test('a user has ten at most', async () => {
  const member = await newMember()
  for (let number = 1; number < 10; number += 1) {
    await register(service, member, memberPassword, { name: `Key ${number}` })
  }
  // Two at the same time: one is the tenth.
  const begun = [
    await beginPasskey(service, member, memberPassword),
    await beginPasskey(service, member, memberPassword),
  ]
  const answers = await Promise.all(
    begun.map(({ token, publicKey }) => {
      const body = { token, name: 'Last', credential: createPasskey().create(publicKey) }
      return call('POST', '/v1/user/passkeys', { as: member, body })
    }),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  const token = await confirmPassword(service, member, memberPassword)
  const options = { as: member, body: { token } }
  const full = await call('POST', '/v1/user/passkeys/options', options)
  const message = 'The limit of 10 passkeys has been reached. Remove one first.'
  assert.deepEqual([full.status, full.body], [409, { message }])
})

test('a member of an organization that requires two-factor can set a passkey up', async () => {
  const member = await newMember()
  const path = '/v1/organization/security'
  const setRequired = (isRequired: boolean) =>
    call('PATCH', path, { body: { require_two_factor: isRequired } })
  // Who requires it has it.
  assert.equal((await setRequired(true)).status, 422)
  await register(service, service.owner, ownerPassword)
  assert.equal((await setRequired(true)).status, 200)
  try {
    assert.equal((await call('GET', '/v1/devices', { as: member })).status, 403)
    assert.equal((await call('GET', '/v1/user/passkeys', { as: member })).status, 200)
    await register(service, member, memberPassword)
    assert.equal((await call('GET', '/v1/devices', { as: member })).status, 200)
    assert.equal((await call('GET', path, { as: member })).status, 200)
  } finally {
    await setRequired(false)
  }
})

test('says where browsers have no passkeys', async (t) => {
  const plain = await startTestService(t, { publicUrl })
  const listed = await plain.call('GET', '/v1/user/passkeys')
  assert.equal(listed.body.origin, null)
  const body = { token: 'any' }
  const answer = await plain.call('POST', '/v1/user/passkeys/options', { body })
  const message =
    'Browsers have passkeys only over HTTPS, at a name. Ask the operator to set PUBLIC_URL to such an address.'
  assert.deepEqual([answer.status, answer.body], [409, { message }])
})
