import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { foundOrganization, joinMember, memberPassword } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const owner = await foundOrganization(service, 'inviting@example.test')
const sent = '/v1/organization/invitations'
const person = { first_name: 'Cy', last_name: 'New', password: 'seven green lanterns' }

async function invite(email: string, as: Login = owner, more: object = {}): Promise<number> {
  const body = { email, permissions: ['manage_devices'], ...more }
  const answer = await service.call('POST', '/v1/organization/users', { as, body })
  assert.equal(answer.status, 202, answer.text)
  const list = await service.call('GET', `${sent}?itemsPerPage=100`, { as })
  return list.body.data.find((one: { email: string }) => one.email === email).id
}

async function makeLink(id: number, as: Login = owner): Promise<string> {
  const answer = await service.call('POST', `${sent}/${id}/link`, { as, body: {} })
  assert.equal(answer.status, 200, answer.text)
  const [, token = ''] = (answer.body.data.url as string).split('/invitation#')
  assert.ok(token.length > 40, answer.text)
  return token
}

const open = (token: string) =>
  service.call('POST', '/v1/auth/invitation', { as: null, body: { token } })
const accept = (token: string, more: object = {}) =>
  service.call('POST', '/v1/auth/invitation/accept', {
    as: null,
    body: { token, ...person, ...more },
  })

function logIn(email: string) {
  const body = { email, password: person.password }
  return service.call('POST', '/v1/auth/login', { as: null, body })
}

test('the invited person chooses the password and is a member then, once', async () => {
  const token = await makeLink(await invite('new@example.test'))
  const shown = await open(token)
  const { expires_at, ...rest } = shown.body.data
  assert.deepEqual(rest, {
    email: 'new@example.test',
    organization: 'Organization of inviting@example.test',
    is_owner: false,
    invited_by: 'inviting@example.test',
    has_login: false,
  })
  assert.ok(expires_at)
  const weak = await accept(token, { password: 'password' })
  assert.deepEqual(Object.keys(weak.body.errors), ['password'])
  assert.equal((await accept(token)).status, 204)
  const login = await logIn('new@example.test')
  assert.deepEqual([login.status, login.body.must_change_password], [200, false])
  assert.deepEqual(
    login.body.organizations.map(({ id }: { id: number }) => id),
    [owner.organizationId],
  )
  const again = await accept(token)
  assert.deepEqual([again.status, Object.keys(again.body.errors)], [422, ['token']])
  assert.equal((await open(token)).status, 422)
})

test('a link of a new organization makes its owner', async () => {
  const body = { name: 'Harbour', owner: { email: 'harbour@example.test' } }
  const asked = await service.call('POST', '/v1/organizations', { as: owner, body })
  assert.equal(asked.status, 202)
  const { body: list } = await service.call('GET', sent, { as: owner })
  const { id } = list.data.find((one: { email: string }) => one.email === 'harbour@example.test')
  const token = await makeLink(id)
  assert.deepEqual((await open(token)).body.data.organization, 'Harbour')
  assert.equal((await accept(token)).status, 204)
  const login = await logIn('harbour@example.test')
  const [organization] = login.body.organizations
  assert.equal(organization.name, 'Harbour')
})

test('whoever has a login keeps their password, and accepts after logging in', async () => {
  const known = await joinMember(service, 'known@example.test')
  const token = await makeLink(await invite('known@example.test'))
  assert.equal((await open(token)).body.data.has_login, true)
  const refused = await accept(token)
  assert.deepEqual(refused.body.errors, {
    token: ['You have a login already. Please log in, and accept there.'],
  })
  const body = { email: 'known@example.test', password: memberPassword }
  assert.equal((await service.call('POST', '/v1/auth/login', { as: null, body })).status, 200)
  const { body: received } = await service.call('GET', '/v1/user/invitations', { as: known })
  assert.equal(received.data.length, 1)
})

test('a link ends with another one, with the invitation, with its time and with the right to send it', async () => {
  const id = await invite('late@example.test')
  const first = await makeLink(id)
  const second = await makeLink(id)
  assert.deepEqual([(await open(first)).status, (await open(second)).status], [422, 200])
  await invite('late@example.test')
  assert.equal((await open(second)).status, 422, 'invited again')
  const third = await makeLink(id)
  const now = service.services.now()
  service.setClock(new Date(now.getTime() + 15 * 24 * 3600_000))
  assert.equal((await accept(third)).status, 422, 'too old')
  service.setClock(now)
  assert.equal((await service.call('DELETE', `${sent}/${id}`, { as: owner })).status, 204)
  assert.equal((await accept(third)).status, 422, 'withdrawn')

  const clerk = await joinMember(
    service,
    'clerk@example.test',
    ['manage_account', 'manage_devices'],
    owner,
  )
  const ofClerk = await makeLink(await invite('friend@example.test', clerk), clerk)
  const url = `/v1/organization/users/${clerk.userId}`
  assert.equal((await service.call('DELETE', url, { as: owner })).status, 204)
  assert.equal((await accept(ofClerk)).status, 422, 'the sender is gone')
})

test('only who could grant the same makes a link, and only of their own organization', async () => {
  const id = await invite('granted@example.test')
  const clerk = await joinMember(service, 'few@example.test', ['manage_account'], owner)
  const call = (as: Login) => service.call('POST', `${sent}/${id}/link`, { as, body: {} })
  assert.equal((await call(clerk)).status, 403)
  const stranger = await foundOrganization(service, 'other@example.test')
  assert.equal((await call(stranger)).status, 404)
})

test('of two who accept at once, one becomes the user', async () => {
  const token = await makeLink(await invite('twice@example.test'))
  const answers = await Promise.all([accept(token), accept(token)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 422])
})

test('neither lists nor the database have the code', async () => {
  const token = await makeLink(await invite('secret@example.test'))
  const list = await service.call('GET', `${sent}?itemsPerPage=100`, { as: owner })
  assert.ok(!list.text.includes(token))
  const rows = await service.services.db.query('select * from invitations')
  assert.ok(!JSON.stringify(rows).includes(token))
})
