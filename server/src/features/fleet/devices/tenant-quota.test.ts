import assert from 'node:assert/strict'
import { test } from 'node:test'
import { euiOf, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { type Login, startTestService, type TestService } from '../../../../test/service.ts'

/** A tenant with an organization below it and one below that; so many devices for all three. */
async function startTenant(t: { after(end: () => Promise<void>): unknown }, limit: number) {
  const service = await startTestService(t)
  const { db } = service.services
  const tenant = await foundOrganization(service, 'tenant@example.test')
  const one = await foundOrganization(service, 'one@example.test', tenant)
  const two = await foundOrganization(service, 'two@example.test', one)
  const setLimit = (most: number, { organizationId }: Login = tenant) =>
    db.query('update organizations set device_limit = $1 where id = $2', [most, organizationId])
  await setLimit(limit)
  return { service, tenant, one, two, setLimit }
}

function register(service: TestService, number: number, as: Login) {
  return service.call('POST', '/v1/devices', { as, body: registrationOf(number) })
}

function creations(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const { deviceName, deviceId, deviceKey, deviceType } = registrationOf(first + index)
    const provisioningData = {
      network: 'chirpstack',
      registerMethod: 'vendor',
      deviceKey,
      deviceTypeId: deviceType,
      joinEui: '0000000000000000',
    }
    return { action: 'create', deviceName, deviceId, provisioningData }
  })
}

async function countDevices(service: TestService, { organizationId }: Login) {
  const [row] = await service.services.db.query<{ there: number; counted: number }>(
    `select (select count(*) from devices where deleted_at is null) as there,
       (select device_count from organization_totals where organization_id = $1) as counted`,
    [organizationId],
  )
  return row
}

const spent = 'The device limit of your account has been reached.'

// shows 11.3.9
test('organizations below a tenant share its device limit, and no other tenant does', async (t) => {
  const { service, tenant, one, two } = await startTenant(t, 3)
  assert.equal((await register(service, 1, one)).status, 200)
  assert.equal((await register(service, 2, two)).status, 200)
  assert.equal((await register(service, 3, tenant)).status, 200)
  for (const as of [one, two, tenant]) {
    const refused = await register(service, 4, as)
    assert.deepEqual([refused.status, refused.body.errors], [422, { deviceId: [spent] }])
    const url = '/v1/configurations?network=chirpstack&type=device'
    const form = await service.call('GET', url, { as })
    assert.equal(form.body.payment.remainingDevices, 0)
  }
  const other = await foundOrganization(service, 'other@example.test')
  for (const as of [other, service.owner]) {
    assert.equal((await register(service, 4, as)).status, 200)
    const { body } = await service.call('GET', '/v1/fleet/billing', { as })
    assert.deepEqual(body.data.quota, { devices: 1, device_limit: 100_000, remaining: 99_999 })
  }
  assert.equal((await service.call('DELETE', `/v1/devices/${euiOf(2)}`, { as: two })).status, 204)
  assert.equal((await register(service, 4, one)).status, 200)
})

test('the limit of an organization holds for those below it too', async (t) => {
  const { service, tenant, one, two, setLimit } = await startTenant(t, 100)
  await setLimit(1, one)
  assert.equal((await register(service, 1, two)).status, 200)
  for (const as of [one, two]) {
    const refused = await register(service, 2, as)
    assert.deepEqual([refused.status, refused.body.errors], [422, { deviceId: [spent] }])
  }
  assert.equal((await register(service, 2, tenant)).status, 200)
})

// shows 10.6.21, 11.3.9
test('several of a tenant that register at once never have more than its limit', async (t) => {
  const { service, tenant, one, two } = await startTenant(t, 10)
  const alone = Array.from({ length: 8 }, (_, index) =>
    register(service, 0x100 + index, index % 2 ? one : two),
  )
  const batches = [one, two].map((as, index) =>
    service.call('POST', '/v1/batch-device-requests', {
      as,
      body: { devices: creations(0x200 + 0x10 * index, 8) },
    }),
  )
  const statuses = (await Promise.all(alone)).map(({ status }) => status)
  const entries = (await Promise.all(batches)).flatMap(({ status, body }) => {
    assert.equal(status, 200)
    return body.data as { status: boolean }[]
  })
  const made = statuses.filter((status) => status === 200).length
  const added = entries.filter(({ status }) => status).length
  assert.equal(made + added, 10)
  assert.deepEqual(await countDevices(service, tenant), { there: 10, counted: 10 })
})
