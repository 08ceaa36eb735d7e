import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, euiOf, registrationOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')

function remove(device: string | number, as = service.owner) {
  return service.call('DELETE', `/v1/devices/${device}`, { as })
}

async function total(as = service.owner): Promise<number> {
  return (await service.call('GET', '/v1/devices', { as })).body.meta.total
}

// shows 3.1.5, 4.6.1, 7.1.8
test('answers 204 without a body, and the device is gone from everywhere', async () => {
  const { id } = await addDevice(service, 1)
  const answer = await remove(id)
  assert.deepEqual([answer.status, answer.text], [204, ''])
  for (const path of [id, euiOf(1)]) {
    assert.equal((await service.call('GET', `/v1/devices/${path}`)).status, 404)
    const body = { device_name: 'x' }
    assert.equal((await service.call('PATCH', `/v1/devices/${path}`, { body })).status, 404)
    assert.equal((await service.call('GET', `/v1/devices/${path}/uplink`)).status, 404)
    assert.deepEqual((await remove(path)).body, { message: 'device not found' })
  }
  assert.equal((await service.call('GET', `/v1/devices?search=${euiOf(1)}`)).body.meta.total, 0)
  assert.equal(await total(), 0)
})

// shows 10.1.3
test('finds the device by id and by EUI in any case, with or without a slash at the end', async () => {
  const { id } = await addDevice(service, 2)
  assert.equal((await remove(`${id}/`)).status, 204)
  for (const path of [euiOf(2), euiOf(2).toLowerCase(), `${euiOf(2)}/`]) {
    await addDevice(service, 2)
    assert.equal((await remove(path)).status, 204)
  }
  assert.equal(await total(), 0)
})

test('an empty body with a content type is no body', async () => {
  const { id } = await addDevice(service, 3)
  const headers = { 'content-type': 'application/json' }
  const answer = await service.call('DELETE', `/v1/devices/${id}`, { headers })
  assert.equal(answer.status, 204)
})

// shows 10.1.11
test('a deleted EUI can be registered again, by anybody, as another device', async () => {
  const first = await addDevice(service, 4)
  await remove(first.id)
  const second = await addDevice(service, 4, { deviceName: 'Again' }, other)
  assert.notEqual(second.id, first.id)
  assert.equal((await remove(euiOf(4))).status, 404)
  assert.equal((await remove(euiOf(4), other)).status, 204)
})

test('deleting twice at once succeeds once, and gives the quota back once', async () => {
  await addDevice(service, 5)
  await addDevice(service, 6)
  const answers = await Promise.all(Array.from({ length: 8 }, () => remove(euiOf(5))))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [204, 404, 404, 404, 404, 404, 404, 404])
  assert.equal(await total(), 1)
})

test('deleting and registering one EUI at once never gets stuck', async () => {
  await addDevice(service, 7)
  for (let round = 0; round < 10; round += 1) {
    const register = () => service.call('POST', '/v1/devices', { body: registrationOf(7) })
    const answers = await Promise.all([register(), remove(euiOf(7)), register(), remove(euiOf(7))])
    for (const { status } of answers) assert.ok([200, 204, 404, 422].includes(status), `${status}`)
    const exists = (await service.call('GET', `/v1/devices/${euiOf(7)}`)).status === 200
    assert.equal(await total(), exists ? 2 : 1)
    if (!exists) await addDevice(service, 7)
  }
})

test('answers 404 for devices that are not there and for those of others', async () => {
  const foreign = await addDevice(service, 8, {}, other)
  for (const path of [999_999, euiOf(99), foreign.id, euiOf(8), '%00', 'all']) {
    const answer = await remove(path)
    assert.deepEqual([answer.status, answer.body], [404, { message: 'device not found' }])
  }
  assert.equal((await service.call('GET', `/v1/devices/${euiOf(8)}`, { as: other })).status, 200)
})

// shows 10.3.8
test('takes the permission manage_devices', async () => {
  const { id } = await addDevice(service, 9)
  const reader = await joinMember(service, 'reader@example.test', ['manage_gateways'])
  const writer = await joinMember(service, 'writer@example.test', ['manage_devices'])
  assert.equal((await remove(id, reader)).status, 403)
  assert.equal((await service.call('GET', `/v1/devices/${id}`)).status, 200)
  assert.equal((await remove(id, writer)).status, 204)
})
