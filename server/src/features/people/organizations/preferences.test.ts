import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const path = '/v1/user/preferences'

function send(method: string, body?: unknown, as: Login = service.owner) {
  return service.call(method, path, { as, body })
}

async function freshMember(name: string) {
  return joinMember(service, `${name}@example.test`)
}

test('a member has none at first, and keeps what is stored as it was sent', async () => {
  const as = await freshMember('fresh')
  assert.deepEqual((await send('GET', undefined, as)).body, { data: {} })
  const all = {
    density: 'dense',
    views: [{ name: '<b>"\u0000 \ud800 ⛵', search: { silent: 24, group: null } }],
    constructor: 1,
    '': [],
  }
  const stored = await send('PUT', all, as)
  assert.equal(stored.status, 200, stored.text)
  assert.deepEqual((await send('GET', undefined, as)).body, { data: all })
})

test('PUT replaces all, PATCH the named keys, and null removes one', async () => {
  const as = await freshMember('changes')
  await send('PUT', { a: 1, b: { deep: [1] } }, as)
  assert.deepEqual((await send('PATCH', { b: { new: 2 }, c: 3 }, as)).body.data, {
    a: 1,
    b: { new: 2 },
    c: 3,
  })
  assert.deepEqual((await send('PATCH', { a: null, none: null }, as)).body.data, {
    b: { new: 2 },
    c: 3,
  })
  assert.deepEqual((await send('PUT', { d: null }, as)).body.data, { d: null })
})

test('changes at the same time all last, from the first one on', async () => {
  const as = await freshMember('at-once')
  const keys = Array.from({ length: 12 }, (_, index) => `key${index}`)
  await Promise.all(keys.map((key) => send('PATCH', { [key]: 1 }, as)))
  const { body } = await send('GET', undefined, as)
  assert.deepEqual(Object.keys(body.data).sort(), keys.sort())
})

test('each user has their own in each organization', async () => {
  const as = await freshMember('own')
  const other = await foundOrganization(service, 'elsewhere@example.test')
  await send('PUT', { of: 'own' }, as)
  await send('PUT', { of: 'elsewhere' }, other)
  assert.deepEqual((await send('GET')).body.data, {})
  assert.deepEqual((await send('GET', undefined, as)).body.data, { of: 'own' })
})

test('takes an object of at most 64 kB, all together', async () => {
  const as = await freshMember('large')
  assert.equal((await send('PUT', [], as)).status, 422)
  const half = 'x'.repeat(33_000)
  assert.equal((await send('PATCH', { a: half }, as)).status, 200)
  const { status, body } = await send('PATCH', { b: half }, as)
  assert.deepEqual(
    [status, body.errors.body],
    [422, ['The preferences may not be greater than 64 kB.']],
  )
  assert.equal((await send('PUT', { a: 'x'.repeat(70_000) }, as)).status, 413)
  assert.deepEqual((await send('GET', undefined, as)).body.data, { a: half })
  let deep: unknown = 1
  for (let level = 0; level < 70; level += 1) deep = { deep }
  assert.equal((await send('PUT', { deep }, as)).status, 400)
})

test('go with the membership', async () => {
  const as = await freshMember('leaves')
  await send('PUT', { a: 1 }, as)
  const gone = await service.call('DELETE', `/v1/organization/users/${as.userId}`)
  assert.equal(gone.status, 204)
  const rows = await service.services.db.query(
    'select 1 from user_preferences where user_id = $1',
    [as.userId],
  )
  assert.equal(rows.length, 0)
})
