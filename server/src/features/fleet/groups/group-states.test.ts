import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addDevice, addGroup, addLocalDevice, doorType, euiOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const url = '/v1/fleet/groups'
const start = new Date('2026-03-01T12:00:00.000Z')
service.setClock(start)
const other = await foundOrganization(service, 'other@example.test')
const reader = await joinMember(service, 'reader@example.test')
const foreign = await addGroup(service, 'Foreign', {}, other)

async function read(id: number) {
  const answer = await service.call('GET', `${url}/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const none = {
  ...{ devices: 0, ok: 0, new: 0, silent: 0, attention: 0, inactive: 0, heard: 0 },
  ...{ low_battery: 0, tamper: 0, register_error: 0 },
}

test('lists groups without devices, each with its own counts and those of its branch', async () => {
  const [one, two, three] = [
    await addLocalDevice(service, 1),
    await addLocalDevice(service, 2),
    await addLocalDevice(service, 3),
  ]
  const farm = await addGroup(service, 'Farm', { selectedDevices: [one] })
  const barn = await addGroup(service, 'Barn', { selectedGroup: farm, selectedDevices: [one, two] })
  const loft = await addGroup(service, 'Loft', { selectedGroup: barn, selectedDevices: [three] })
  const answer = await service.call('GET', url, { as: reader })
  assert.equal(answer.status, 200, answer.text)
  const fresh = (devices: number) => ({ ...none, devices, new: devices })
  assert.deepEqual(answer.body, {
    data: [
      // Device 1 is in two groups of the branch, and counts once in it.
      { id: farm, name: 'Farm', parent_id: null, address: null, own: fresh(1), subtree: fresh(3) },
      { id: barn, name: 'Barn', parent_id: farm, address: null, own: fresh(2), subtree: fresh(3) },
      { id: loft, name: 'Loft', parent_id: barn, address: null, own: fresh(1), subtree: fresh(1) },
    ],
    total: 3,
  })
  const shown = await read(barn)
  assert.deepEqual(shown.path, [{ id: farm, name: 'Farm' }])
  assert.deepEqual(
    shown.subgroups.map(({ id }: { id: number }) => id),
    [loft],
  )
  assert.deepEqual(shown.types, [{ id: doorType.id, name: doorType.name, devices: 3 }])
})

test('counts devices that are heard, report a low battery, a tamper or a refusal', async () => {
  const eui = euiOf(10)
  const heard = await addLocalDevice(service, 10)
  const { id: refused } = await addDevice(service, 11, { network: 2 })
  const refuse = `update devices set register_status = 'register_error' where id = $1`
  await service.services.db.query(refuse, [refused])
  const group = await addGroup(service, 'Watched', { selectedDevices: [heard, refused] })
  const callback = await connectChirpStack(service)
  const time = start.toISOString()
  // A supervisory message: low battery and a tamper.
  await post(service, callback, makeUp({ eui, time, hex: '10010a0027' }))
  assert.deepEqual((await read(group)).own, {
    ...none,
    ...{ devices: 2, attention: 2, heard: 2 },
    low_battery: 1,
    tamper: 1,
    register_error: 1,
  })
  service.setClock(new Date(start.getTime() + 48 * 3_600_000 + 1))
  assert.equal((await read(group)).own.silent, 2)
  service.setClock(start)
  await service.call('DELETE', `/v1/devices/${refused}`)
  assert.equal((await read(group)).own.devices, 1)
})

test('renames a group or moves it, and leaves the rest', async () => {
  const top = await addGroup(service, 'Top')
  const low = await addGroup(service, 'Low')
  const patch = (body: object) => service.call('PATCH', `${url}/${low}`, { body })
  assert.deepEqual((await patch({ parent_id: top })).body, {
    data: { id: low, name: 'Low', parent_id: top, address: null },
  })
  assert.deepEqual((await patch({ name: 'Lower' })).body.data, {
    id: low,
    name: 'Lower',
    parent_id: top,
    address: null,
  })
  assert.equal((await patch({ parent_id: null })).body.data.parent_id, null)
  assert.equal((await service.call('GET', `/v1/device-groups/${low}`)).body.data[0].opened, true)
})

test('refuses cycles, foreign parents and blank names, and changes nothing', async () => {
  const top = await addGroup(service, 'Above')
  const low = await addGroup(service, 'Below', { selectedGroup: top })
  const refusals: [number, object, Record<string, string[]>][] = [
    [
      top,
      { parent_id: low },
      { parent_id: ['A group cannot be moved into itself or into one of its subgroups.'] },
    ],
    [low, { parent_id: foreign }, { parent_id: ['The selected group does not exist.'] }],
    [low, { parent_id: 'x' }, { parent_id: ['The parent id must be an integer.'] }],
    [low, { name: ' ' }, { name: ['The name field is required.'] }],
  ]
  for (const [id, body, errors] of refusals) {
    const answer = await service.call('PATCH', `${url}/${id}`, { body })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, errors)
  }
  assert.equal((await read(low)).parent_id, top)
  const answer = await service.call('PATCH', `${url}/${foreign}`, { body: { name: 'Mine' } })
  assert.equal(answer.status, 404)
})

test('adds devices and takes others out', async () => {
  const [one, two, three] = [
    await addLocalDevice(service, 20),
    await addLocalDevice(service, 21),
    await addLocalDevice(service, 22),
  ]
  const theirs = await addLocalDevice(service, 23, {}, other)
  const group = await addGroup(service, 'Changing', { selectedDevices: [one] })
  const change = (body: object) => service.call('POST', `${url}/${group}/devices`, { body })
  assert.deepEqual((await change({ add: [one, two, three] })).body, {
    data: { added: 2, removed: 0 },
  })
  assert.deepEqual((await change({ remove: [one, three, theirs] })).body, {
    data: { added: 0, removed: 2 },
  })
  const refused = await change({ add: [theirs, one] })
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.body.errors, { add: [`The devices to add do not exist: ${theirs}.`] })
  assert.equal((await read(group)).own.devices, 1)
})
