import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { memberPassword } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after }, { loginRateLimit: 2 })

function addMember(email: string) {
  const body = { email, password: memberPassword, first_name: 'Ada', last_name: 'Member' }
  return service.call('POST', '/v1/organization/users', { body })
}

/** From a new address each time, so that only the limit of the account applies. */
let addresses = 0
async function logIn(email: string, password = memberPassword, from?: string) {
  addresses += 1
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/auth/login',
    remoteAddress: from ?? `198.51.100.${addresses}`,
    payload: { email, password },
  })
  return answer.statusCode
}

const same: [string, string, string][] = [
  ['case', 'Case@Example.test', 'cASE@eXAMPLE.TEST'],
  ['blanks around it', 'blank@example.test', ' blank@example.test\t'],
  ['a ligature', 'oﬀice@example.test', 'OFFICE@example.test'],
  ['full-width letters', 'ｗｉｄｅ@example.test', 'wide@example.test'],
  ['a sharp s', 'strasse@example.test', 'STRAẞE@example.test'],
  ['a final sigma', 'οδος@example.test', 'ΟΔΟΣ@example.test'],
  ['a composed letter', 'jos\u00e9@example.test', 'JOSE\u0301@example.test'],
  ['the domain as DNS has it', 'dns@b\u00fccher.test', 'dns@XN--bcher-KVA.test'],
]
for (const [what, stored, typed] of same) {
  test(`takes an e-mail for the same whatever ${what} makes of it`, async () => {
    assert.equal((await addMember(stored)).status, 201)
    assert.equal(await logIn(typed), 200)
    assert.equal(await logIn(stored), 200)
    assert.notEqual((await addMember(typed)).status, 201)
  })
}

test('takes the dotted capital and the dotless small i for letters of their own', async () => {
  for (const email of [
    'victim@example.test',
    'v\u0130ctim@example.test',
    'v\u0131ctim@example.test',
  ]) {
    assert.equal((await addMember(email)).status, 201)
  }
  assert.equal(await logIn('V\u0130CTIM@example.test', memberPassword), 200)
  const rows = await service.services.db.query(
    "select email from users where email like 'v%ctim@example.test'",
  )
  assert.equal(rows.length, 3)
})

test('counts the failures of all ways to write an e-mail together', async () => {
  await addMember('oﬃcer@example.test')
  const from = '192.0.2.77'
  assert.equal(await logIn('oﬃcer@example.test', 'a wrong guess', from), 401)
  assert.equal(await logIn(' ＯＦＦＩＣＥＲ@example.test', 'a wrong guess', from), 401)
  assert.equal(await logIn('officer@example.test', memberPassword, from), 429)
})

const refused: [string, string][] = [
  ['an invisible character', 'a\u200bda@example.test'],
  ['a full-width at', 'ada@x＠example.test'],
  ['a letter that is a blank and a sign', '¨da@example.test'],
  ['two addresses', 'ada@example.test,bo@example.test bo'],
  ['what is too long in its normal form', `${'ﷺ'.repeat(20)}@example.test`],
]
for (const [what, email] of refused) {
  test(`refuses an e-mail with ${what}`, async () => {
    const answer = await addMember(email)
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, { email: ['The email must be a valid email address.'] })
  })
}
