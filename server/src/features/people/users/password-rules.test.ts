import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { memberPassword } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const email = 'bo.summer@example.test'

/** The complaint about the password of a new member; undefined when it is accepted. */
async function complaintOf(password: string): Promise<string | undefined> {
  // The last name is missing, so no user is created.
  const body = { email, password, first_name: 'Bo' }
  const answer = await service.call('POST', '/v1/organization/users', { body })
  assert.equal(answer.status, 422)
  return answer.body.errors.password?.[0]
}

const tooCommon = 'The password is too common.'
const repeated = 'The password may not be one piece repeated.'
const sequence = 'The password may not be a sequence.'

const refused: Record<string, readonly string[]> = {
  [tooCommon]: [
    'baseball',
    'TrustNo1',
    'fireblade',
    'marishka',
    'Chirpstack1',
    'lora-console!',
  ].concat(['ADMIN1234', '!gateway!', 'lorawan2026', 'P@ssw0rd1', 'Passwort123', 'changeme!']),
  [repeated]: [
    'qqqqqqqq',
    '00000000000000000000',
    'ÄäÄäÄäÄä',
    '12121212',
    'passpass',
    '🙂🙂🙂🙂🙂🙂🙂🙂',
  ],
  [sequence]: [
    '12345678901234',
    '87654321',
    '90123456',
    'abcdefghij',
    'ZYXWVUTS',
    'yxwvutsrq',
  ].concat(['asdfghjklasdf', 'poiuztrewq', 'mnbvcxzm']),
}
for (const [complaint, passwords] of Object.entries(refused)) {
  for (const password of passwords) {
    test(`refuses ${password}`, async () => assert.equal(await complaintOf(password), complaint))
  }
}

test('refuses each of the 3,000 most common passwords', async () => {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  assert.equal(new Set(lines).size, 3000)
  for (let index = 0; index < lines.length; index += 199) {
    const password = lines[index] ?? ''
    assert.equal(await complaintOf(password), tooCommon, password)
  }
})

const taken = [
  'a lorawan gateway on the roof',
  'sdf7!Kqw',
  'abcdefgh1',
  '1111111112',
  'baseballs5',
  'bo.summer and two more',
]
for (const password of taken) {
  test(`takes ${password}`, async () => assert.equal(await complaintOf(password), undefined))
}

function personOf(password: string, address = email) {
  return { email: address, password, first_name: 'Bo', last_name: 'Summer' }
}

const ownEmails = [email, 'BO.SUMMER@example.test', 'bo.summer', 'bo.summer1!', '#BO.ſummer26']
for (const password of ownEmails) {
  test(`refuses ${password} to ${email}, as a member and as an owner`, async () => {
    const complaint = ['The password may not be the e-mail address or its first part.']
    const body = personOf(password)
    const member = await service.call('POST', '/v1/organization/users', { body })
    assert.equal(member.status, 422)
    assert.deepEqual(member.body.errors, { password: complaint })
    const child = { name: 'Child', owner: body }
    const owner = await service.call('POST', '/v1/organizations', { body: child })
    assert.equal(owner.status, 422)
    assert.deepEqual(owner.body.errors, { 'owner.password': complaint })
  })
}

test("takes somebody else's e-mail, and a phrase", async () => {
  for (const [password, address] of [
    ['someone@example.test', 'else@example.test'],
    [memberPassword, 'four@example.test'],
  ] as const) {
    const body = personOf(password, address)
    const answer = await service.call('POST', '/v1/organization/users', { body })
    assert.equal(answer.status, 201, answer.text)
  }
})
