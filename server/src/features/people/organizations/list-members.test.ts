import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember, memberPassword } from '../../../../test/members.ts'
import { ownerEmail, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = '/v1/organization/users'
const member = await joinMember(service, 'ada@example.test', ['manage_gateways'])
await service.call('POST', url, {
  body: {
    email: 'zoe%x@example.test',
    password: memberPassword,
    first_name: 'Zoe',
    last_name: 'Z',
  },
})
const child = await foundOrganization(service, 'child@example.test')

function emails(answer: { body: { data: { email: string }[] } }): string[] {
  return answer.body.data.map(({ email }) => email)
}

// shows 11.3.5
test('lists only the members of the own organization, for every member', async () => {
  const answer = await service.call('GET', url, { as: member })
  assert.equal(answer.status, 200)
  assert.deepEqual(emails(answer), [ownerEmail, 'ada@example.test', 'zoe%x@example.test'])
  assert.equal(answer.body.meta.total, 3)
  assert.deepEqual(emails(await service.call('GET', url, { as: child })), ['child@example.test'])
})

test('shows who a member is and what they may do', async () => {
  const { body } = await service.call('GET', url)
  assert.deepEqual(body.data[1], {
    id: member.userId,
    timezone_format: 'UTC',
    timezone_id: 1,
    name: 'Ada Member',
    email: 'ada@example.test',
    permissions: ['manage_gateways'],
    first_name: 'Ada',
    last_name: 'Member',
    is_owner: false,
    role: null,
    group: null,
    last_login: '2026-03-01T12:00:00.000000Z',
    joined_on: '2026-03-01T12:00:00.000000Z',
  })
  assert.equal(body.data[0].is_owner, true)
  assert.deepEqual([body.data[0].permissions.length, body.data[0].role], [5, 'administrator'])
  assert.deepEqual([body.data[2].last_login, body.data[2].role], [null, 'viewer'])
})

test('gives no more than one page, in the order asked for', async () => {
  const answer = await service.call('GET', `${url}?itemsPerPage=2&page=2&sortOrder=desc`)
  assert.deepEqual(emails(answer), [ownerEmail])
  assert.equal(answer.body.meta.last_page, 2)
  const { page, itemsPerPage, search, sortOrder } = answer.body.payload
  assert.deepEqual([page, itemsPerPage, search, sortOrder], ['2', '2', '', 'desc'])
})

const searches: [string, string[]][] = [
  ['ADA', ['ada@example.test']],
  ['a member', ['ada@example.test']],
  ['example', [ownerEmail, 'ada@example.test', 'zoe%x@example.test']],
  ['%', ['zoe%x@example.test']],
  ['_', []],
]
for (const [search, found] of searches) {
  test(`finds "${search}" in names and e-mails, in any case`, async () => {
    const answer = await service.call('GET', `${url}?search=${encodeURIComponent(search)}`)
    assert.deepEqual(emails(answer), found)
    assert.equal(answer.body.meta.total, found.length)
  })
}

test('complains about wrong parameters', async () => {
  const answer = await service.call('GET', `${url}?page=0&itemsPerPage=1001&sortOrder=up`)
  assert.equal(answer.status, 422)
  assert.deepEqual(Object.keys(answer.body.errors), ['page', 'itemsPerPage', 'sortOrder'])
})

test('is only for members', async () => {
  assert.equal((await service.call('GET', url, { as: null })).status, 401)
  const stranger = { ...child, organizationId: 1 }
  assert.equal((await service.call('GET', url, { as: stranger })).status, 403)
})
