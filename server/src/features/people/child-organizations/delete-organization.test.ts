import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { makeUp, post, toTestCallback } from '../../../../test/chirpstack-uplinks.ts'
import { addDevice, addGateway, addGroup, addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember, memberPassword } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { type Login, startListening, type TestService } from '../../../../test/service.ts'
import { workDeletions } from './work-deletions.ts'

const nameOf = (email: string) => `Organization of ${email}`

/** A tenant with devices at a network, uplinks and settings, and an organization below it. */
async function start(t: TestContext) {
  const simulator = await startChirpStack(t)
  const service = await startListening(t)
  const { call } = service
  const tenant = await foundOrganization(service, 'tenant@example.test')
  const below = await foundOrganization(service, 'below@example.test', tenant)
  const account = await connect(service, simulator, {}, tenant)
  const callback = toTestCallback(account.callback)
  for (const number of [1, 2, 3]) await addDevice(service, number, {}, tenant)
  await addLocalDevice(service, 4, {}, below)
  for (const fCnt of [1, 2, 3]) await post(service, callback, makeUp({ eui: euiOf(1), fCnt }))
  await post(service, callback, makeUp({ eui: euiOf(99), fCnt: 1 }))
  await fill(service, tenant)
  const key = await makeKey(service, {}, tenant)
  await call('POST', '/v1/organization/users', { as: tenant, body: { email: 'new@example.test' } })
  return { simulator, service, tenant, below, callback, key }
}

/** Makes something of most kinds. */
async function fill(service: TestService, as: Login) {
  const group = await addGroup(service, 'Above', {}, as)
  const [first] = await service.services.db.query<{ id: number }>(
    'select id from devices where organization_id = $1 order by id limit 1',
    [as.organizationId],
  )
  const inGroup = { selectedGroup: group, selectedDevices: [first?.id ?? 0] }
  await addGroup(service, 'Below', inGroup, as)
  await addGateway(service, 1, {}, as)
  const config_field = { islorawan: 1, config_type: 'general', supervisory_period: 129 }
  const requests: [string, object][] = [
    ['/v1/webhooks', { name: 'Mine', url: 'https://receiver.example.test/', events: ['uplink'] }],
    ['/v1/alert-rules', { name: 'Refused', kind: 'registration_error' }],
    ['/v1/jobs', { kind: 'rename', rows: [{ device_id: euiOf(0xdead), device_name: 'Nobody' }] }],
    [`/v1/devices/${euiOf(1)}/configure`, { config_field }],
  ]
  for (const [url, body] of requests) {
    const { status, text } = await service.call('POST', url, { as, body })
    assert.ok(status < 300, text)
  }
  await service.call('PUT', '/v1/user/preferences', { as, body: { data: { pinned: [1] } } })
}

function remove(service: TestService, { organizationId }: Login, name: string, as?: Login) {
  const url = `/v1/organizations/${organizationId}`
  return service.call('DELETE', url, { body: { name }, ...(as ? { as } : {}) })
}

async function readDeletion(service: TestService) {
  const { status, body } = await service.call('GET', '/v1/organization/deletions')
  assert.equal(status, 200)
  return body.data[0]
}

/** Runs the background work until the state is reached. */
async function workUntil(service: TestService, state: string) {
  for (let run = 0; run < 100; run += 1) {
    await workDeletions(service.services, { time: 200 })
    await service.services.provisioner.idle()
    const deletion = await readDeletion(service)
    if (deletion.state === state) return deletion
  }
  assert.fail(`not ${state}: ${JSON.stringify(await readDeletion(service))}`)
}

/** The tables in which these organizations still have rows. */
async function findRows({ services: { db } }: TestService, ids: number[]): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where column_name = 'organization_id' and table_schema = current_schema()
       and table_name <> 'organization_deletions'`,
  )
  assert.ok(tables.length > 40)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await db.query(`select 1 from ${name} where organization_id = any($1) limit 1`, [
      ids,
    ])
    if (rows.length > 0) found.push(name)
  }
  return found
}

// shows 11.3.19
test('an owner of the organization above deletes it, with all that is in it and below it', async (t) => {
  const { simulator, service, tenant, below } = await start(t)
  const neighbour = await foundOrganization(service, 'neighbour@example.test')
  await addLocalDevice(service, 50, {}, neighbour)
  const ids = [tenant.organizationId, below.organizationId]
  const before = await findRows(service, ids)
  assert.ok(before.length > 18, before.join())

  const answer = await remove(service, tenant, nameOf('tenant@example.test'))
  assert.equal(answer.status, 202, answer.text)
  const { data } = answer.body
  assert.deepEqual(data.organization, {
    id: tenant.organizationId,
    name: nameOf('tenant@example.test'),
  })
  assert.deepEqual(
    [data.state, data.organizations, data.devices, data.uplinks],
    ['removing', { total: 2, left: 2 }, { total: 4, left: 4 }, { total: 3, left: 3 }],
  )
  const again = await remove(service, tenant, nameOf('tenant@example.test'))
  assert.deepEqual([again.status, again.body.data.id], [202, data.id])

  const done = await workUntil(service, 'done')
  assert.deepEqual(
    [done.organizations.left, done.devices.left, done.uplinks.left, done.left_at_networks],
    [0, 0, 0, 0],
  )
  assert.ok(done.finished_at)
  assert.equal(simulator.devices.size, 0)
  assert.equal(simulator.store.integrations.size, 0)
  assert.deepEqual(await findRows(service, ids), [])
  const list = await service.call('GET', '/v1/organizations')
  assert.deepEqual(
    list.body.data.map(({ id, usage }: { id: number; usage: object }) => ({ id, usage })),
    [{ id: neighbour.organizationId, usage: { devices: 1, organizations: 0 } }],
  )
  assert.equal((await service.call('GET', '/v1/devices', { as: neighbour })).body.data.length, 1)
})

test('it accepts nothing from the answer on', async (t) => {
  const { service, tenant, below, callback, key } = await start(t)
  const up = (fCnt: number) => post(service, callback, makeUp({ eui: euiOf(1), fCnt }))
  assert.equal((await up(4)).status, 200)
  assert.equal((await remove(service, tenant, nameOf('tenant@example.test'))).status, 202)
  for (const as of [tenant, below]) {
    const answer = await service.call('GET', '/v1/devices', { as })
    assert.deepEqual(
      [answer.status, answer.body],
      [403, { message: 'You are not a member of this organization.' }],
    )
  }
  assert.equal((await key.call('GET', '/v1/devices')).status, 401)
  assert.equal((await up(5)).status, 401)
  const body = { email: 'tenant@example.test', password: memberPassword }
  const login = await service.call('POST', '/v1/auth/login', { as: null, body })
  assert.deepEqual([login.status, login.body.organizations], [200, []])
  const [row] = await service.services.db.query<{ count: number }>(
    'select count(*) from uplinks where organization_id = $1',
    [tenant.organizationId],
  )
  assert.equal(row?.count, 4)
})

test('nobody else deletes it, and not without its name', async (t) => {
  const service = await startListening(t)
  const tenant = await foundOrganization(service, 'tenant@example.test')
  const below = await foundOrganization(service, 'below@example.test', tenant)
  const other = await foundOrganization(service, 'other@example.test')
  const manager = await joinMember(service, 'manager@example.test', ['manage_account'])
  const name = nameOf('tenant@example.test')
  const none = { message: 'Organization not found' }
  for (const as of [tenant, other]) {
    const answer = await remove(service, tenant, name, as)
    assert.deepEqual([answer.status, answer.body], [404, none])
  }
  const grandchild = await remove(service, below, nameOf('below@example.test'))
  assert.deepEqual([grandchild.status, grandchild.body], [404, none])
  const own = await remove(service, service.owner, 'Organization 1')
  assert.equal(own.status, 404)
  const refused = await remove(service, tenant, name, manager)
  assert.deepEqual(
    [refused.status, refused.body],
    [403, { message: 'Only an owner of your organization can do this.' }],
  )
  const wrong = await remove(service, tenant, 'Organization')
  assert.deepEqual(wrong.body.errors, { name: ['The name is not that of the organization.'] })
  assert.equal((await service.call('GET', '/v1/devices', { as: tenant })).status, 200)
  assert.equal((await remove(service, below, nameOf('below@example.test'), tenant)).status, 202)
})

test('a network that is away is told for an hour, and keeps what it has then', async (t) => {
  const { simulator, service, tenant } = await start(t)
  simulator.faults.isAway = true
  assert.equal((await remove(service, tenant, nameOf('tenant@example.test'))).status, 202)
  await workUntil(service, 'telling')
  await workDeletions(service.services)
  assert.deepEqual((await readDeletion(service)).devices, { total: 4, left: 0 })
  service.setClock(new Date(service.services.now().getTime() + 3600_000))
  const done = await workUntil(service, 'done')
  // Three devices, a gateway and the callback.
  assert.equal(done.left_at_networks, 5)
  assert.deepEqual(await findRows(service, [tenant.organizationId]), [])
})

test('several processes and a crash leave nothing behind, and count nothing twice', async (t) => {
  const { service, tenant } = await start(t)
  const below = await Promise.all(
    [1, 2, 3].map((number) => foundOrganization(service, `below${number}@example.test`, tenant)),
  )
  for (const [index, as] of below.entries()) await addLocalDevice(service, 0x100 + index, {}, as)
  assert.equal((await remove(service, tenant, nameOf('tenant@example.test'))).status, 202)
  const { db } = service.services
  let portions = 0
  /** Every third transaction is lost with its process. */
  const dying = new Proxy(db, {
    get: (target, name) =>
      name === 'transaction'
        ? (work: Parameters<typeof db.transaction>[0]) =>
            target.transaction(async (tx) => {
              const result = await work(tx)
              portions += 1
              if (portions % 3 === 0) throw new Error('killed')
              return result
            })
        : Reflect.get(target, name),
  })
  for (let run = 0; (await readDeletion(service)).state !== 'done'; run += 1) {
    assert.ok(run < 100)
    const half = { ...service.services, db: dying }
    await Promise.all([half, service.services].map((one) => workDeletions(one, { time: 50 })))
    await service.services.provisioner.idle()
  }
  assert.ok(portions > 6)
  const ids = [tenant, ...below].map(({ organizationId }) => organizationId)
  assert.deepEqual(await findRows(service, ids), [])
  const [left] = await db.query(
    'select count(*), sum(device_count)::int as devices from organization_totals',
  )
  assert.deepEqual(left, { count: 1, devices: 0 })
})
