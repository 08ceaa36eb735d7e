import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLocalDevice, euiOf, registrationOf } from '../../../../test/fleet.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'

/** The groups that a new device is put into, as the registration form offers them. */

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')
const yard = await addGroup(service, 'Yard')
const house = await addGroup(service, 'House')
const foreign = await addGroup(service, 'Foreign', {}, other)

function post(number: number, changes: object, as: Login = service.owner) {
  return service.call('POST', '/v1/devices', { as, body: registrationOf(number, { ...changes }) })
}

async function groupsOf(number: number) {
  const { body } = await service.call('GET', `/v1/devices/${euiOf(number)}?version=lite`)
  return body.data?.groups
}

// shows 10.6.24
test('a device is in the groups that its registration names, each once', async () => {
  await addLocalDevice(service, 1, { groups: [house, yard, house] })
  assert.deepEqual(await groupsOf(1), [
    { id: yard, groupName: 'Yard' },
    { id: house, groupName: 'House' },
  ])
  const group = await service.call('GET', `/v1/device-groups/${house}`)
  const [entry] = group.body.data[0].devices
  assert.deepEqual([entry.deviceId, entry.pivot.groupId], [euiOf(1), house])
  for (const [index, groups] of [undefined, null, []].entries()) {
    await addLocalDevice(service, 2 + index, { groups })
    assert.deepEqual(await groupsOf(2 + index), [])
  }
})

const nonsense: [string, unknown, string, string][] = [
  ['no array', yard, 'groups', 'The groups must be an array.'],
  ['text for ids', [String(yard)], 'groups.0', 'The group id must be an integer.'],
  [
    'more than a device may have',
    Array.from({ length: 101 }, () => yard),
    'groups',
    'The groups may not have more than 100 entries.',
  ],
  [
    'groups that are not there, or of others',
    [yard, 999, foreign, -1],
    'groups',
    `The groups do not exist: 999, ${foreign}, -1.`,
  ],
]
for (const [name, groups, field, message] of nonsense) {
  // shows 10.6.24
  test(`refuses ${name}, in either step, with all else that is wrong`, async () => {
    for (const action of ['validate', 'confirm']) {
      const answer = await post(10, { action, groups })
      assert.equal(answer.status, 422, answer.text)
      assertInvalid(answer.body, { message, errors: { [field]: [message] } })
      const { body } = await post(10, { action, groups, deviceKey: 'short' })
      assert.deepEqual(Object.keys(body.errors).sort(), ['deviceKey', field])
    }
    assert.equal(await groupsOf(10), undefined)
  })
}

// shows 10.6.24
test('naming groups takes manage_groups beside manage_devices', async () => {
  const member = await joinMember(service, 'devices@example.test', ['manage_devices'])
  const grouper = await joinMember(service, 'both@example.test', [
    'manage_devices',
    'manage_groups',
  ])
  for (const action of ['validate', 'confirm']) {
    const answer = await post(20, { action, groups: [yard] }, member)
    const message = 'You do not have the permission manage_groups.'
    assert.deepEqual([answer.status, answer.body], [403, { message }])
  }
  assert.equal((await post(20, { groups: [] }, member)).status, 200)
  assert.equal((await post(21, { groups: [yard] }, grouper)).status, 200)
})

test('a device is in a group or the group is gone, however the two meet', async () => {
  for (let round = 0; round < 10; round += 1) {
    const doomed = await addGroup(service, 'Doomed')
    const number = 100 + round
    const [made, gone] = await Promise.all([
      post(number, { groups: [yard, doomed] }),
      service.call('DELETE', `/v1/device-groups/${doomed}`),
    ])
    assert.equal(gone.status, 204)
    assert.ok([200, 422].includes(made.status), made.text)
    const expected = made.status === 200 ? [{ id: yard, groupName: 'Yard' }] : undefined
    assert.deepEqual(await groupsOf(number), expected)
  }
})
