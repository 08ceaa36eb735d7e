import assert from 'node:assert/strict'
import { test } from 'node:test'
import { euiOf, registrationOf } from '../../../test/fleet.ts'
import { foundOrganization } from '../../../test/members.ts'
import { type Login, startTestService, type TestService } from '../../../test/service.ts'

/** Organization 1 with two children, and a limit of so many devices for all three. */
async function startTree(t: { after(end: () => Promise<void>): unknown }, limit: number) {
  const service = await startTestService(t)
  const { db } = service.services
  const one = await foundOrganization(service, 'one@example.test')
  const two = await foundOrganization(service, 'two@example.test')
  await db.query('update organizations set device_limit = $1 where id = 1', [limit])
  return { service, one, two }
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

async function countDevices(service: TestService) {
  const [row] = await service.services.db.query<{ there: number; counted: number }>(
    `select (select count(*) from devices where deleted_at is null) as there,
       (select device_count from organization_trees) as counted`,
  )
  return row
}

const spent = 'The device limit of your account has been reached.'

// shows 11.3.9
test('child organizations share the device limit of their root', async (t) => {
  const { service, one, two } = await startTree(t, 3)
  assert.equal((await register(service, 1, one)).status, 200)
  assert.equal((await register(service, 2, two)).status, 200)
  assert.equal((await register(service, 3, service.owner)).status, 200)
  for (const as of [one, two, service.owner]) {
    const refused = await register(service, 4, as)
    assert.deepEqual([refused.status, refused.body.errors], [422, { deviceId: [spent] }])
    const url = '/v1/configurations?network=chirpstack&type=device'
    const form = await service.call('GET', url, { as })
    assert.equal(form.body.payment.remainingDevices, 0)
  }
  assert.equal((await service.call('DELETE', `/v1/devices/${euiOf(2)}`, { as: two })).status, 204)
  assert.equal((await register(service, 4, one)).status, 200)
})

// shows 10.6.21, 11.3.9
test('several of a tree that register at once never have more than its limit', async (t) => {
  const { service, one, two } = await startTree(t, 10)
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
  assert.deepEqual(await countDevices(service), { there: 10, counted: 10 })
})
