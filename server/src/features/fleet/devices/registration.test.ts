import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, euiOf, registrationOf } from '../../../../test/fleet.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')
const spent = 'The device limit of your account has been reached.'

function post(number: number, changes: Record<string, unknown> = {}, as: Login = service.owner) {
  return service.call('POST', '/v1/devices', { as, body: registrationOf(number, changes) })
}

async function setLimit(limit: number, as: Login) {
  await service.services.db.query('update organizations set device_limit = $2 where id = $1', [
    as.organizationId,
    limit,
  ])
}

/** The counter of the quota, and the devices that are really there. */
async function counts(as: Login): Promise<[number, number]> {
  const rows = await service.services.db.query<{ counted: number; present: number }>(
    `select device_count as counted,
       (select count(*) from devices where organization_id = $1 and deleted_at is null) as present
     from organizations where id = $1`,
    [as.organizationId],
  )
  return [rows[0]?.counted ?? -1, rows[0]?.present ?? -1]
}

// shows 10.1.7
test('of many registrations of one EUI at once exactly one wins, by whomever at the operator', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const deviceId = index % 2 ? euiOf(0xabc) : euiOf(0xabc).toLowerCase()
      const changes = { deviceId, registerMethod: 'vendor' }
      return post(0xabc, changes, index % 3 ? service.owner : other)
    }),
  )
  const winners = answers.filter(({ status }) => status === 200)
  assert.equal(winners.length, 1)
  for (const { status, body } of answers.filter((answer) => !winners.includes(answer))) {
    assert.equal(status, 422)
    assert.deepEqual(body.errors, { deviceId: ['The device id has already been taken.'] })
  }
  const [mine, theirs] = [await counts(service.owner), await counts(other)]
  assert.equal(mine[0] + theirs[0], 1)
  assert.deepEqual([mine[0], theirs[0]], [mine[1], theirs[1]])
})

// shows 10.6.20
test('refuses a device beyond the quota, in either step', async () => {
  const [, present] = await counts(other)
  await setLimit(present, other)
  for (const action of ['validate', 'confirm']) {
    const answer = await post(1, { action }, other)
    assert.equal(answer.status, 422)
    assertInvalid(answer.body, { message: spent, errors: { deviceId: [spent] } })
  }
  assert.equal((await post(1)).status, 200, 'the quota of others is not touched')
  await setLimit(100, other)
  await addDevice(service, 3, {}, other)
})

test('a quota below what is there keeps the devices, and takes none until enough are gone', async () => {
  const third = await foundOrganization(service, 'cy@example.test')
  for (const number of [10, 11, 12]) await addDevice(service, number, {}, third)
  await setLimit(2, third)
  for (const number of [10, 11]) {
    assert.equal((await post(13, {}, third)).status, 422)
    await service.call('DELETE', `/v1/devices/${euiOf(number)}`, { as: third })
  }
  assert.equal((await post(13, {}, third)).status, 200)
  assert.deepEqual(await counts(third), [2, 2])
})

// shows 10.6.21
test('never sells more of the quota than there is, however many ask at once', async () => {
  const [, present] = await counts(other)
  await setLimit(present + 3, other)
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, index) => post(100 + index, {}, other)),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  assert.equal(refused.length, 12)
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.errors], [422, { deviceId: [spent] }])
  }
  assert.deepEqual(await counts(other), [present + 3, present + 3])
})

test('a deleted device gives its place in the quota back', async () => {
  const [, present] = await counts(other)
  await setLimit(present, other)
  const [device] = (await service.call('GET', '/v1/devices', { as: other })).body.data
  assert.equal((await post(200, {}, other)).status, 422)
  await service.call('DELETE', `/v1/devices/${device.id}`, { as: other })
  assert.equal((await post(200, {}, other)).status, 200)
  assert.deepEqual(await counts(other), [present, present])
})

test('a refused registration takes nothing from the quota', async () => {
  await addDevice(service, 2)
  const before = await counts(service.owner)
  await post(2)
  await post(300, { deviceKey: 'short' })
  await post(300, { action: 'validate' })
  assert.deepEqual(await counts(service.owner), before)
})
