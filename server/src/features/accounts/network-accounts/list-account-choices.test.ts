import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSimulator as startFarChirpStack } from '../../../../simulators/chirpstack/simulator.ts'
import { startSimulator as startStack } from '../../../../simulators/thethingsnetwork/simulator.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { connect, startChirpStack } from '../../../../test/network.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const simulator = await startChirpStack({ after })
const { server, api_key, tenant_id, application_id, device_profile_id } = simulator.account
const path = '/v1/network-accounts/chirpstack/choices'

interface Field {
  field: string
  choices: { value: string; label: string }[] | null
  message: string
}

async function ask(body: unknown, as: Login = service.owner, at = path) {
  const answer = await service.call('POST', at, { as, body })
  assert.equal(answer.status, 200, answer.text)
  const fields: Field[] = answer.body.data.fields
  return {
    checks: answer.body.data.checks as { name: string; ok: boolean | null; fields: string[] }[],
    names: fields.map(({ field }) => field),
    byName: Object.fromEntries(fields.map((field) => [field.field, field])),
  }
}

test("lists tenants by an administrator's key, and within one its applications and profiles", async (t) => {
  const far = await startFarChirpStack({ keyKind: 'admin' })
  t.after(() => far.close())
  const access = { server: far.account.server, api_key: far.account.api_key }
  const first = await ask(access)
  assert.deepEqual(first.names, ['tenant_id'])
  const tenant = { value: far.tenantId, label: 'Simulated tenant' }
  assert.deepEqual(first.byName.tenant_id?.choices, [tenant])
  const then = await ask({ ...access, tenant_id: far.tenantId })
  assert.deepEqual(then.byName.application_id?.choices, [
    { value: far.applicationId, label: 'Simulated application' },
  ])
  assert.deepEqual(then.byName.device_profile_id?.choices, [
    { value: far.deviceProfileId, label: 'Simulated device profile' },
  ])
})

test("tells with a tenant's key why there is no list, and lists within the tenant that is typed", async () => {
  const first = await ask({ server, api_key })
  assert.equal(first.byName.tenant_id?.choices, null)
  assert.match(first.byName.tenant_id?.message ?? '', /tenant's API key.*Copy the tenant ID/)
  const { names, byName } = await ask({ server, api_key, tenant_id })
  const inTenant = ['tenant_id', 'application_id', 'more_application_ids', 'device_profile_id']
  assert.deepEqual(names, inTenant)
  assert.equal(byName.application_id?.choices?.[0]?.value, application_id)
  assert.equal(byName.device_profile_id?.choices?.[0]?.value, device_profile_id)
})

test('lists more than a page, and reads no more of a list than can be chosen from', async () => {
  const { applications } = simulator.store
  const added = Array.from(
    { length: 1100 },
    (_, index) => `00000000-0000-4000-a000-${index + 1e11}`,
  )
  const tenantId = simulator.tenantId
  for (const id of added) applications.set(id, { id, tenantId, name: `Floor ${id}` })
  const { byName } = await ask({ server, api_key, tenant_id })
  assert.equal(byName.application_id?.choices?.length, 1000)
  for (const id of added) applications.delete(id)
})

test('tells a wrong key and a server that is away, and lists nothing', async () => {
  const wrong = await ask({ server, api_key: 'wrong' })
  assert.deepEqual(wrong.names, [])
  const credentials = wrong.checks.find(({ name }) => name === 'credentials')
  assert.deepEqual([credentials?.ok, credentials?.fields], [false, ['api_key']])
  const away = await ask({ server: 'http://127.0.0.1:1', api_key })
  assert.deepEqual(away.names, [])
  const reachable = away.checks.find(({ name }) => name === 'reachable')
  assert.deepEqual([reachable?.ok, reachable?.fields], [false, ['server']])
})

test("an application's key at The Things Stack lists its own application", async (t) => {
  const stack = await startStack()
  t.after(() => stack.close())
  const { cluster, api_key } = stack.account
  const at = '/v1/network-accounts/thethingsnetwork/choices'
  const ofUser = await ask({ cluster, api_key }, service.owner, at)
  const named = { value: stack.store.applicationId, label: 'Simulated application' }
  assert.deepEqual(ofUser.byName.application_id?.choices, [named])
  stack.store.keyOwner = 'application'
  const ofApplication = await ask({ cluster, api_key }, service.owner, at)
  const own = { value: stack.store.applicationId, label: stack.store.applicationId }
  assert.deepEqual(ofApplication.byName.application_id?.choices, [own])
})

test('keeps a stored secret that is left out, but sends it to no other server', async () => {
  const as = await foundOrganization(service, 'choices@example.test')
  await connect(service, simulator, {}, as)
  assert.notEqual((await ask({ server, tenant_id }, as)).byName.application_id?.choices, null)
  const body = { server: 'http://127.0.0.1:9', tenant_id }
  const moved = await service.call('POST', path, { as, body })
  assert.equal(moved.status, 422)
  assert.deepEqual(moved.body.errors, { api_key: ['The API key field is required.'] })
})

test('refuses what is missing or malformed, members without the permission, and vendor accounts of others', async () => {
  const missing = await service.call('POST', path, { body: { tenant_id: 'mine' } })
  assert.equal(missing.status, 422)
  assert.deepEqual(Object.keys(missing.body.errors), ['server', 'api_key'])
  const malformed = await service.call('POST', path, {
    body: { server, api_key, tenant_id: 'mine' },
  })
  assert.deepEqual(malformed.body.errors, { tenant_id: ['The tenant ID must be a UUID.'] })
  const as = await joinMember(service, 'reader@example.test', ['manage_devices'])
  const body = { server, api_key }
  assert.equal((await service.call('POST', path, { as, body })).status, 403)
  const stranger = await foundOrganization(service, 'vendor@example.test')
  const vendor = { ...body, register_method: 'vendor' }
  assert.equal((await service.call('POST', path, { as: stranger, body: vendor })).status, 403)
})
