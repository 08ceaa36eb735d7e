import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember, memberPassword } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { workDeletions } from './work-deletions.ts'

const service = await startTestService({ after })
const { call } = service

function limit({ organizationId }: Login, body: object, as?: Login) {
  return call('PATCH', `/v1/organizations/${organizationId}/limits`, {
    body,
    ...(as ? { as } : {}),
  })
}

let numbers = 0
function register(as: Login) {
  numbers += 1
  const body = registrationOf(numbers, { consoleOnly: true })
  return call('POST', '/v1/devices', { as, body })
}

function found(as: Login, name: string) {
  const owner = {
    email: `${name}@example.test`,
    password: memberPassword,
    first_name: 'A',
    last_name: 'B',
  }
  return call('POST', '/v1/organizations', { as, body: { name, owner } })
}

const spent = { deviceId: ['The device limit of your account has been reached.'] }

test('lists the organizations below, with limits and what they use', async () => {
  const tenant = await foundOrganization(service, 'listed@example.test')
  const one = await foundOrganization(service, 'listed1@example.test', tenant)
  const two = await foundOrganization(service, 'listed2@example.test', one)
  for (const as of [tenant, one, two]) assert.equal((await register(as)).status, 200)
  const { status, body } = await call('GET', '/v1/organizations?search=LISTED@')
  assert.equal(status, 200)
  const [listed] = body.data
  assert.deepEqual(body.data, [
    {
      id: tenant.organizationId,
      name: 'Organization of listed@example.test',
      created_at: listed.created_at,
      owner: { id: tenant.userId, email: 'listed@example.test' },
      limits: { devices: 100_000, organizations: 1000, requests_per_minute: null },
      usage: { devices: 3, organizations: 2 },
      is_being_deleted: false,
    },
  ])
  const below = await call('GET', '/v1/organizations', { as: tenant })
  assert.deepEqual(
    below.body.data.map(({ id, usage }: { id: number; usage: object }) => [id, usage]),
    [[one.organizationId, { devices: 2, organizations: 1 }]],
  )
  const path = `/v1/organizations/${one.organizationId}`
  assert.deepEqual((await call('GET', path, { as: tenant })).body.data, below.body.data[0])
  for (const as of [service.owner, one]) assert.equal((await call('GET', path, { as })).status, 404)
})

// shows 11.3.18
test('a limit below what is used refuses more, and deletes nothing', async () => {
  const tenant = await foundOrganization(service, 'lowered@example.test')
  const below = await foundOrganization(service, 'lowered1@example.test', tenant)
  for (const as of [tenant, below]) assert.equal((await register(as)).status, 200)
  const lowered = await limit(tenant, { devices: 1, organizations: 0 })
  assert.deepEqual(lowered.body.data.limits, {
    devices: 1,
    organizations: 0,
    requests_per_minute: null,
  })
  assert.deepEqual(lowered.body.data.usage, { devices: 2, organizations: 1 })
  for (const as of [tenant, below]) {
    const refused = await register(as)
    assert.deepEqual([refused.status, refused.body.errors], [422, spent])
    const none = await found(as, 'none')
    assert.deepEqual(none.body.errors, { name: ['The limit of 0 organizations has been reached.'] })
    assert.equal((await call('GET', '/v1/devices', { as })).body.data.length, 1)
  }
  assert.equal((await limit(tenant, { devices: 3 })).status, 200)
  assert.equal((await register(below)).status, 200)
})

test('a tenant limits those below it, and nobody limits their own organization', async () => {
  const tenant = await foundOrganization(service, 'above@example.test')
  const below = await foundOrganization(service, 'above1@example.test', tenant)
  const set = await limit(below, { devices: 1 }, tenant)
  assert.equal(set.body.data.limits.devices, 1)
  assert.equal((await register(below)).status, 200)
  assert.equal((await register(below)).status, 422)
  assert.equal((await register(tenant)).status, 200)
  const none = { message: 'Organization not found' }
  for (const [target, as] of [
    [below, below],
    [tenant, tenant],
    [below, service.owner],
  ] as const) {
    const answer = await limit(target, { devices: 5 }, as)
    assert.deepEqual([answer.status, answer.body], [404, none])
  }
  const clerk = await joinMember(service, 'clerk@example.test', ['manage_devices'])
  assert.equal((await limit(tenant, { devices: 5 }, clerk)).status, 403)
})

test('refuses what is no limit', async () => {
  const tenant = await foundOrganization(service, 'wrong@example.test')
  const below = await foundOrganization(service, 'wrong1@example.test', tenant)
  for (const body of [
    { devices: -1 },
    { devices: 1.5 },
    { organizations: 1001 },
    { devices: null },
  ]) {
    const answer = await limit(tenant, body)
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, Object.keys(body)])
  }
  const requests = await limit(below, { requests_per_minute: 100 }, tenant)
  assert.deepEqual(requests.body.errors, {
    requests_per_minute: ['Only organization 1 sets the requests a minute, for its tenants.'],
  })
})

test('a tenant that takes all it can leaves the others theirs, and is undone', async () => {
  const victim = await foundOrganization(service, 'victim@example.test')
  const hostile = await foundOrganization(service, 'hostile@example.test')
  await limit(hostile, { devices: 3, organizations: 5 })
  const made = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7].map((number) => found(hostile, `h${number}`)),
  )
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 422, 422])
  const statuses = await Promise.all(
    [1, 2, 3, 4, 5].map(async () => (await register(hostile)).status),
  )
  assert.deepEqual(statuses.sort(), [200, 200, 200, 422, 422])

  assert.equal((await found(victim, 'mine')).status, 201)
  assert.equal((await register(victim)).status, 200)

  await limit(hostile, { devices: 0, organizations: 0 })
  assert.equal((await register(hostile)).status, 422)
  const body = { name: 'Organization of hostile@example.test' }
  const url = `/v1/organizations/${hostile.organizationId}`
  assert.equal((await call('DELETE', url, { body })).status, 202)
  const read = async () => (await call('GET', '/v1/organization/deletions')).body.data[0]
  while ((await read()).state !== 'done') {
    await workDeletions(service.services)
    await service.services.provisioner.idle()
  }
  assert.deepEqual((await read()).organizations, { total: 6, left: 0 })
  assert.equal((await call('GET', url)).status, 404)
  assert.equal((await register(victim)).status, 200)
})

test('the audit of the organization above tells of limits and deletions', async () => {
  const tenant = await foundOrganization(service, 'audited@example.test')
  await limit(tenant, { devices: 7 })
  const id = String(tenant.organizationId)
  const name = 'Organization of audited@example.test'
  await call('DELETE', `/v1/organizations/${id}`, { body: { name } })
  const { body } = await call('GET', '/v1/fleet/activity?limit=2')
  assert.deepEqual(
    body.data.map(({ kind, action, subject, name, fields }: Record<string, unknown>) => [
      ...[kind, action, subject, name, fields],
    ]),
    [
      ['organization', 'deleted', id, name, []],
      ['organization', 'limited', id, name, ['devices']],
    ],
  )
})
