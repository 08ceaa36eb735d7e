import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addType } from '../../../../test/device-types.ts'
import { addDevice, addGateway, doorType, euiOf, readDevice } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { atNetwork, recordCalls, startConnected, untilQuiet } from '../../../../test/network.ts'
import { startTestService } from '../../../../test/service.ts'

/** What PATCH changes besides the name, and what it sends to the network. */

const service = await startTestService({ after })
const { id } = await addDevice(service, 1)
const newKey = 'C0FFEE00C0FFEE00C0FFEE00C0FFEE00'

function patch(body: object, as = service.owner, device: number | string = id) {
  return service.call('PATCH', `/v1/devices/${device}`, { body, as })
}

async function createGroup(groupName: string): Promise<number> {
  const answer = await service.call('POST', '/v1/device-groups', { body: { groupName } })
  return answer.body.data.id
}

async function groupsOf(device: number) {
  const answer = await service.call('GET', `/v1/devices/${device}?version=lite`)
  return answer.body.data.groups.map((group: { id: number }) => group.id)
}

// shows 10.6.25
test('changes type, notes, gateway and groups, without the name', async () => {
  const type = await addType(service, { payload_format: 'cayenne_lpp', codec: null })
  const gateway = await addGateway(service, 1, { gateway_bridge: 'other' })
  const [one, two] = [await createGroup('One'), await createGroup('Two')]
  const before = await readDevice(service, 1)
  const body = { deviceType: type.id, extra_notes: 'Über der Tür', groups: [two, one] }
  const answer = await patch(body)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body.warnings, ['The type is stored here only, not at ChirpStack v4.'])
  const { data } = answer.body
  assert.deepEqual(await readDevice(service, 1), data)
  assert.equal(data.device_name, before.device_name)
  assert.deepEqual([data.deviceTypeId, data.extra_notes], [type.id, 'Über der Tür'])
  assert.deepEqual(await groupsOf(id), [one, two])

  assert.deepEqual((await patch({ groups: [two] })).status, 200)
  assert.deepEqual(await groupsOf(id), [two])
  assert.equal((await patch({ groups: [], extra_notes: null })).body.data.extra_notes, null)
  assert.deepEqual(await groupsOf(id), [])
  assert.equal((await readDevice(service, 1)).deviceTypeId, type.id)

  const placed = await patch({ gatewayId: gateway.id })
  assert.equal(placed.body.data.gateway.id, gateway.id)
  assert.equal((await patch({ device_name: 'Stays' })).body.data.gateway.id, gateway.id)
  assert.equal((await patch({ gatewayId: null })).body.data.gateway, null)
  const senet = await addDevice(service, 2, { network: 4 })
  const without = await patch({ gatewayId: gateway.id }, service.owner, senet.id)
  assert.deepEqual(without.body.errors, { gatewayId: ['A device at Senet takes no gateway.'] })
})

const faults: [string, object, string][] = [
  ['nothing', {}, 'device_name'],
  ['only what is unknown', { colour: 'red' }, 'device_name'],
  ['an empty name', { device_name: '', deviceType: doorType.id }, 'device_name'],
  ['a type that is none', { deviceType: 9999 }, 'deviceType'],
  ['a type of nobody', { deviceType: 2_000_000_000 }, 'deviceType'],
  ['a short key', { deviceKey: 'AA' }, 'deviceKey'],
  ['a key that is not hexadecimal', { deviceKey: 'x'.repeat(32) }, 'deviceKey'],
  ['a gateway that is none', { gatewayId: 987_654 }, 'gatewayId'],
  ['a group that is none', { groups: [987_654] }, 'groups'],
  ['groups that are no list', { groups: 7 }, 'groups'],
  ['notes that are no text', { extra_notes: 7 }, 'extra_notes'],
]
for (const [about, body, field] of faults) {
  // shows 10.6.25
  test(`refuses ${about}, and changes nothing`, async () => {
    const before = await readDevice(service, 1)
    const answer = await patch(body)
    assert.equal(answer.status, 422, answer.text)
    assert.deepEqual(Object.keys(answer.body.errors), [field])
    assert.deepEqual(await readDevice(service, 1), before)
  })
}

test('names everything that is wrong at once', async () => {
  const body = { deviceType: 9999, deviceKey: 'x'.repeat(32), groups: [987_654] }
  const answer = await patch({ device_name: 'Not taken', ...body })
  assert.deepEqual(Object.keys(answer.body.errors).sort(), ['deviceKey', 'deviceType', 'groups'])
  assert.notEqual((await readDevice(service, 1)).device_name, 'Not taken')
})

test('groups take the permission manage_groups, and only what is of the organization', async () => {
  const writer = await joinMember(service, 'writer@example.test', ['manage_devices'])
  assert.equal((await patch({ groups: [] }, writer)).status, 403)
  assert.equal((await patch({ extra_notes: 'allowed' }, writer)).status, 200)
  const other = await foundOrganization(service, 'bo@example.test')
  const theirType = await addType(service, { payload_format: 'cayenne_lpp', codec: null }, other)
  assert.deepEqual(Object.keys((await patch({ deviceType: theirType.id })).body.errors), [
    'deviceType',
  ])
  const theirGateway = await addGateway(service, 7, {}, other)
  const answer = await patch({ gatewayId: theirGateway.id })
  assert.deepEqual(Object.keys(answer.body.errors), ['gatewayId'])
})

// shows 10.6.26
test('a new key and a new name go to the network, the rest does not', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  const send = (body: object) => service.call('PATCH', `/v1/devices/${euiOf(1)}`, { body })
  const calls = recordCalls(simulator)
  assert.equal((await send({ extra_notes: 'x', deviceType: 60 })).status, 200)
  await untilQuiet(service)
  assert.deepEqual(calls, [])
  simulator.faults.refusals = {}
  const answer = await send({ deviceKey: newKey, device_name: 'Cellar' })
  assert.deepEqual(answer.body.warnings, [
    'The new key goes to ChirpStack v4: the device must have it too for its next join.',
  ])
  await untilQuiet(service)
  assert.deepEqual(atNetwork(simulator, 1), { name: 'Cellar', key: newKey.toLowerCase() })
  assert.equal((await readDevice(service, 1)).device_register_status, 'active')
})

test('a change that waits for the network says so, and is made when it is back', async (t) => {
  const { service, simulator } = await startConnected(t)
  await addDevice(service, 1)
  const account = '/v1/network-accounts/chirpstack'
  const { account: fields } = (await service.call('GET', account)).body.data
  await service.call('DELETE', account)
  const url = `/v1/devices/${euiOf(1)}`
  const answer = await service.call('PATCH', url, { body: { deviceKey: newKey } })
  assert.match(answer.body.warnings[1], /^The organization has no account.*change waits until then/)
  const body = { ...fields, api_key: simulator.apiKey }
  assert.equal((await service.call('PUT', account, { body })).body.data.status, 'connected')
  await untilQuiet(service)
  assert.equal(atNetwork(simulator, 1)?.key, newKey.toLowerCase())
})

test('a device that is recorded here only changes here', async () => {
  const { id } = await addDevice(service, 50, { consoleOnly: true })
  const answer = await patch({ deviceKey: newKey, deviceType: 60 }, service.owner, id)
  assert.deepEqual([answer.status, answer.body.warnings], [200, undefined])
})
