import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  acceptLatest,
  foundOrganization,
  joinMember,
  memberPassword,
} from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const { db } = service.services
const users = '/v1/organization/users'
const received = '/v1/user/invitations'
const sent = '/v1/organization/invitations'
const day = 24 * 3600_000
const start = service.services.now()

const victim = await foundOrganization(service, 'victim@example.test')
const stranger = await foundOrganization(service, 'stranger@example.test')

function person(email: string, more: object = {}) {
  return { email, password: memberPassword, first_name: 'Cy', last_name: 'New', ...more }
}

function invite(email: string, as: Login = victim, more: object = {}) {
  return service.call('POST', users, { as, body: { email, ...more } })
}

async function listOf(as: Login) {
  return (await service.call('GET', received, { as })).body.data
}

// shows 11.3.4, 11.3.10, 11.3.11
test("a stranger's password for an e-mail opens nothing that others invite it to", async () => {
  const body = person('cfo@victim.test', { password: 'set by the stranger' })
  assert.equal((await service.call('POST', users, { as: stranger, body })).status, 201)
  const added = await service.call('POST', users, {
    as: victim,
    body: person('cfo@victim.test', { permissions: ['manage_devices'] }),
  })
  assert.equal(added.status, 202)
  const answer = { email: 'cfo@victim.test', permissions: ['manage_devices'], status: 'invited' }
  assert.deepEqual(added.body, { data: answer })

  const credentials = { email: 'cfo@victim.test', password: 'set by the stranger' }
  const login = await service.call('POST', '/v1/auth/login', { as: null, body: credentials })
  assert.deepEqual(
    login.body.organizations.map(({ id }: { id: number }) => id),
    [stranger.organizationId],
  )
  assert.equal(login.body.must_change_password, true)
  const inVictim = { token: login.body.token, organizationId: victim.organizationId }
  assert.equal((await service.call('GET', '/v1/devices', { as: inVictim })).status, 403)
  const members = await service.call('GET', users, { as: victim })
  assert.ok(!members.text.includes('cfo@victim.test'))

  const [invitation, ...others] = await listOf(inVictim)
  assert.deepEqual(others, [])
  assert.deepEqual(invitation, {
    id: invitation.id,
    organization: { id: victim.organizationId, name: 'Organization of victim@example.test' },
    permissions: ['manage_devices'],
    is_owner: false,
    role: 'installer',
    group: null,
    new_organization: null,
    invited_by: 'victim@example.test',
    created_at: '2026-03-01T12:00:00.000000Z',
    expires_at: '2026-03-15T12:00:00.000000Z',
  })
})

// shows 11.3.4
test('answers the same of an e-mail that a user has and of one that nobody has', async () => {
  const answers = await Promise.all(
    ['stranger@example.test', 'nobody@example.test'].map((email) =>
      invite(email, victim, { permissions: ['manage_groups'] }),
    ),
  )
  const [known, unknown] = answers.map(({ status, text }) => [status, text])
  assert.equal(known?.[0], 202)
  assert.deepEqual(
    [known?.[0], String(known?.[1]).replace('stranger', 'nobody')],
    [unknown?.[0], unknown?.[1]],
  )
  const listed = await service.call('GET', sent, { as: victim })
  const [first, second] = listed.body.data.slice(-2)
  assert.deepEqual(Object.keys(first), Object.keys(second))
})

// shows 11.3.11
test('accepting makes a member with what was granted, once', async () => {
  await invite('stranger@example.test', victim, { permissions: ['manage_groups'] })
  const [{ id }] = await listOf(stranger)
  const url = `${received}/${id}/accept`
  const answers = await Promise.all([1, 2].map(() => service.call('POST', url, { as: stranger })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  const [{ body }] = answers.filter(({ status }) => status === 200) as [(typeof answers)[0]]
  assert.equal(body.data.id, victim.organizationId)
  const as = { ...stranger, organizationId: victim.organizationId }
  const me = await service.call('GET', '/v1/user/get-org-user/me', { as })
  assert.deepEqual(me.body.data.permissions, ['manage_groups'])
  assert.deepEqual(await listOf(stranger), [])
  assert.equal((await invite('stranger@example.test')).status, 422)
})

test('an invitation to somebody new waits until there is such a user', async () => {
  await invite('later@example.test', victim, { permissions: ['manage_devices'] })
  const later = await joinMember(service, 'Later@Example.test')
  const organization = await acceptLatest(service, later)
  assert.equal(organization.id, victim.organizationId)
})

test('whoever is made a user by the organization itself needs no invitation any more', async () => {
  await invite('direct@example.test')
  const direct = await joinMember(service, 'direct@example.test', [], victim)
  assert.deepEqual(await listOf(direct), [])
})

// shows 11.3.11
test('nobody answers an invitation to somebody else', async () => {
  const other = await joinMember(service, 'other@example.test')
  await invite('other@example.test')
  const [{ id }] = await listOf(other)
  const none = { message: 'Invitation not found' }
  for (const [method, path] of [
    ['POST', `${id}/accept`],
    ['DELETE', id],
    ['POST', 'x/accept'],
    ['DELETE', '99999999999'],
  ]) {
    const answer = await service.call(`${method}`, `${received}/${path}`, { as: stranger })
    assert.deepEqual([answer.status, answer.body], [404, none])
  }
  assert.equal((await service.call('DELETE', `${received}/${id}`, { as: other })).status, 204)
  assert.equal((await service.call('DELETE', `${received}/${id}`, { as: other })).status, 404)
  assert.deepEqual(await listOf(other), [])
})

// shows 11.3.16
test('expires after 14 days', async () => {
  const late = await joinMember(service, 'late@example.test')
  await invite('late@example.test')
  const [{ id }] = await listOf(late)
  service.setClock(new Date(start.getTime() + 14 * day))
  assert.deepEqual(await listOf(late), [])
  const answer = await service.call('POST', `${received}/${id}/accept`, { as: late })
  assert.equal(answer.status, 404)
  service.setClock(start)
})

// shows 11.3.16
test('ends with the right of who has sent it', async () => {
  const manager = await joinMember(
    service,
    'manager@example.test',
    ['manage_account', 'manage_devices'],
    victim,
  )
  const second = await joinMember(service, 'second@example.test')
  const accept = async () => {
    const [{ id } = { id: 0 }] = await listOf(second)
    return (await service.call('POST', `${received}/${id}/accept`, { as: second })).status
  }
  const url = `${users}/${manager.userId}`
  await invite('second@example.test', manager, { permissions: ['manage_devices'] })
  assert.equal((await listOf(second)).length, 1)
  const fewer = { permissions: ['manage_account'] }
  await service.call('PATCH', url, { as: victim, body: fewer })
  assert.equal(await accept(), 404)
  await invite('second@example.test', manager, { permissions: ['manage_account'] })
  assert.equal((await listOf(second)).length, 1)
  await service.call('DELETE', url, { as: victim })
  assert.equal(await accept(), 404)
  assert.deepEqual(await listOf(second), [])
  const listed = await service.call('GET', sent, { as: victim })
  assert.ok(!listed.text.includes('second@example.test'))
})

test('lets nobody grant by an invitation what they lack', async () => {
  const manager = await joinMember(service, 'clerk@example.test', ['manage_account'], victim)
  const answer = await invite('x@example.test', manager, { permissions: ['manage_devices'] })
  assert.equal(answer.status, 403)
})

// shows 11.3.16
test('can be withdrawn only by the organization that has sent it', async () => {
  const guest = await joinMember(service, 'guest@example.test')
  await invite('guest@example.test')
  const [{ id }] = await listOf(guest)
  assert.equal((await service.call('DELETE', `${sent}/${id}`, { as: stranger })).status, 404)
  assert.equal((await service.call('DELETE', `${sent}/${id}`, { as: victim })).status, 204)
  assert.deepEqual(await listOf(guest), [])
})

test('inviting again replaces the invitation', async () => {
  const twice = await joinMember(service, 'twice@example.test')
  await invite('twice@example.test', victim, { permissions: ['manage_groups'] })
  await invite('TWICE@example.test', victim, { permissions: ['manage_devices'] })
  const waiting = await listOf(twice)
  assert.deepEqual(
    waiting.map(({ permissions }: { permissions: string[] }) => permissions),
    [['manage_devices']],
  )
})

// shows 11.3.17
test('bounds what waits of an organization, and for an e-mail', async () => {
  const flood = await foundOrganization(service, 'flood@example.test')
  const target = await joinMember(service, 'target@example.test')
  const found = (name: string) =>
    service.call('POST', '/v1/organizations', {
      as: flood,
      body: { name, owner: { email: 'target@example.test' } },
    })
  const owners = await Promise.all(Array.from({ length: 25 }, (_, index) => found(`N${index}`)))
  const statuses = owners.map(({ status }) => status).sort()
  assert.deepEqual([statuses.filter((status) => status === 202).length, statuses.at(-1)], [20, 422])
  assert.equal((await listOf(target)).length, 20)
  const others = await Promise.all(
    Array.from({ length: 85 }, (_, index) => invite(`flood${index}@example.test`, flood)),
  )
  assert.equal(others.filter(({ status }) => status === 202).length, 80)
  const [refused] = others.filter(({ status }) => status === 422)
  assert.match(
    refused?.body.errors.email[0],
    /^There are too many pending invitations of this organization/,
  )
  const below = await foundOrganization(service, 'below@example.test', flood)
  assert.equal((await invite('target@example.test', below)).status, 422)
  assert.equal((await invite('target@example.test', stranger)).status, 202, 'another tenant')
})

// shows 11.3.15
test('a tenant has at most 1,000 organizations below it, and organization 1 any number', async () => {
  const owner = await joinMember(service, 'thousandth@example.test')
  const tenant = await foundOrganization(service, 'tenant@example.test')
  const child = await foundOrganization(service, 'parent@example.test', tenant)
  const body = { name: 'One more', owner: { email: 'thousandth@example.test' } }
  assert.equal((await service.call('POST', '/v1/organizations', { as: child, body })).status, 202)
  await db.query(
    `insert into organizations (name, parent_org_id, owner_user_id)
     select 'Filler', $1, 1 from generate_series(1, 999)
     union all select 'Tenant', 1, 1 from generate_series(1, 1001)`,
    [tenant.organizationId],
  )
  const more = { name: 'More', owner: person('more@example.test') }
  const full = { name: ['The limit of 1000 organizations has been reached.'] }
  for (const as of [tenant, child]) {
    const answer = await service.call('POST', '/v1/organizations', { as, body: more })
    assert.deepEqual([answer.status, answer.body.errors], [422, full])
  }
  assert.equal((await service.call('POST', '/v1/organizations', { body: more })).status, 201)
  const [{ id }] = (await listOf(owner)).slice(-1)
  const answer = await service.call('POST', `${received}/${id}/accept`, { as: owner })
  assert.equal(answer.status, 422)
  await db.query(
    `delete from organization_totals where organization_id in (select id from organizations where name = 'Filler')`,
  )
  await db.query("delete from organizations where name = 'Filler'")
  assert.equal((await service.call('POST', `${received}/${id}/accept`, { as: owner })).status, 200)
})

// shows 11.3.13
test('anybody leaves an organization, but for its last owner', async () => {
  const leave = (as: Login) => service.call('DELETE', `${users}/me`, { as })
  const member = await joinMember(service, 'leaver@example.test', [], victim)
  assert.equal((await leave(member)).status, 204)
  assert.equal((await leave(member)).status, 403)
  const refused = await leave(victim)
  const message = 'The last owner of an organization cannot leave it.'
  assert.deepEqual([refused.status, refused.body], [403, { message }])

  const second = await joinMember(service, 'coowner@example.test', [], victim)
  const { organizationId } = victim
  await db.query('update members set is_owner = true where organization_id = $1 and user_id = $2', [
    organizationId,
    second.userId,
  ])
  const elsewhere = await db.query<{ id: number; owner_user_id: number }>(
    `insert into organizations (name, parent_org_id, owner_user_id)
     select 'Elsewhere', 1, user_id from members where organization_id = $1 and is_owner
     returning id, owner_user_id`,
    [organizationId],
  )
  await db.query(
    `insert into members (organization_id, user_id, is_owner, permissions, created_at)
     select id, owner_user_id, true, '{}', now() from organizations where name = 'Elsewhere'`,
  )
  const answers = await Promise.all([leave(victim), leave(second)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 403])
  const [row] = await db.query(
    `select count(*) as owners, max(members.user_id) = max(organizations.owner_user_id) as is_same
     from members join organizations on organizations.id = members.organization_id
     where members.organization_id = $1 and members.is_owner`,
    [organizationId],
  )
  assert.deepEqual(row, { owners: 1, is_same: true })
  const still = await db.query(
    `select organizations.id, organizations.owner_user_id
     from organizations join members on members.organization_id = organizations.id
       and members.user_id = organizations.owner_user_id and members.is_owner
     where organizations.name = 'Elsewhere' order by id`,
  )
  assert.equal(elsewhere.length, 2)
  assert.deepEqual(
    still,
    elsewhere.toSorted((one, other) => one.id - other.id),
  )
})
