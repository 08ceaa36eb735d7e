import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import {
  addGateway,
  addGroup,
  addLocalDevice,
  euiOf,
  gatewayEuiOf,
} from '../../../../test/fleet.ts'
import { joinMember } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { toSharedData } from '../../insight/links/shared-data.ts'

const service = await startTestService({ after })
const { call } = service
const { db } = service.services

const inside = await addLocalDevice(service, 1, { tags: { floor: '2' } })
const outside = await addLocalDevice(service, 2)
const house = await addGroup(service, 'House')
const cellar = await addGroup(service, 'Cellar', {
  selectedDevices: [inside],
  selectedGroup: house,
})
const gateway = await addGateway(service, 1)
const reader = await joinMember(service, 'reader@example.test')
const limited = await joinMember(service, 'cellar@example.test', [
  'manage_devices',
  'manage_groups',
])
await call('PATCH', `/v1/organization/users/${limited.userId}`, { body: { group: cellar } })

async function write(thing: string, body: object) {
  const answer = await call('POST', `/v1/${thing}/notes`, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data
}

async function textsOf(query: string, as?: Login): Promise<string[]> {
  const { status, body, text } = await call('GET', `/v1/notes${query}`, as ? { as } : {})
  assert.equal(status, 200, text)
  assert.equal(body.total, body.data.length)
  return body.data.map((note: { text: string }) => note.text)
}

const at = (day: number) => `2026-02-${String(day).padStart(2, '0')}T12:00:00Z`
const door = await write(`devices/${euiOf(1)}`, { text: 'Door repaired', at: at(3) })
const ofHouse = await write(`fleet/groups/${house}`, { text: 'Heating off', at: at(2) })
await write(`gateways/${gatewayEuiOf(1)}`, { text: 'New antenna', at: at(4) })
await write(`devices/${outside}`, { text: 'Moved\nto the yard', at: at(1) })
const path = `/v1/devices/${inside}/notes/${door.id}`

test('a note is found by what it is about, by time, and with the groups of a device', async () => {
  assert.deepEqual(await textsOf(''), [
    'New antenna',
    'Door repaired',
    'Heating off',
    'Moved\nto the yard',
  ])
  assert.deepEqual(await textsOf(`?device=${inside}`), ['Door repaired', 'Heating off'])
  assert.deepEqual(await textsOf(`?device=${euiOf(2)}`), ['Moved\nto the yard'])
  assert.deepEqual(await textsOf(`?gateway=${gateway.id}`), ['New antenna'])
  assert.deepEqual(await textsOf(`?group=${house}`), ['Door repaired', 'Heating off'])
  assert.deepEqual(await textsOf(`?from=${at(2)}&to=${at(3)}`), ['Heating off'])
  const { device, group, user_name, ...rest } = door
  assert.deepEqual(
    [device.device_id, group, rest.at],
    [euiOf(1), null, '2026-02-03T12:00:00.000000Z'],
  )
})

test('whoever may change a thing may note something about it, and a limit holds', async () => {
  const body = { text: 'Door replaced' }
  assert.equal((await call('PATCH', path, { as: reader, body })).status, 403)
  const added = await call('POST', `/v1/devices/${inside}/notes`, { as: reader, body })
  assert.equal(added.status, 403)
  assert.equal((await textsOf('', reader)).length, 4)
  assert.deepEqual(await textsOf('', limited), ['Door repaired'])
  assert.equal((await call('GET', `/v1/notes?device=${outside}`, { as: limited })).status, 422)
  for (const thing of [`devices/${outside}`, `fleet/groups/${house}`]) {
    const refused = await call('POST', `/v1/${thing}/notes`, { as: limited, body })
    assert.ok([403, 404].includes(refused.status), refused.text)
  }
  for (const wrong of [
    `devices/${outside}/notes/${door.id}`,
    `devices/${inside}/notes/${ofHouse.id}`,
  ]) {
    const { status, body: answer } = await call('DELETE', `/v1/${wrong}`)
    assert.deepEqual([status, answer.message], [404, 'Note not found'])
  }
  const changed = await call('PATCH', path, { as: limited, body })
  assert.deepEqual([changed.status, changed.body.data.at], [200, door.at], changed.text)
  const key = await makeKey(service, { permissions: ['manage_devices'], tag: 'floor:2' })
  const ofKey = await key.call('GET', '/v1/notes')
  assert.deepEqual(
    ofKey.body.data.map(({ text }: { text: string }) => text),
    ['Door replaced'],
  )
  const { body: log } = await call('GET', '/v1/fleet/activity')
  const last = log.data.find(({ action }: { action: string }) => action.startsWith('note'))
  assert.deepEqual([last.kind, last.action, last.subject], ['device', 'note changed', euiOf(1)])
})

test('charts show the notes on their devices and on the groups of these', async () => {
  const range = { from: '2026-02-01T00:00:00Z', to: '2026-02-28T00:00:00Z' }
  const widget = { type: 'chart', x: 0, y: 0, w: 6, h: 4 }
  const quantity = 'battery'
  const widgets = [
    { ...widget, source: { devices: [inside], quantity } },
    { ...widget, source: { quantity } },
  ]
  const read = async (as?: Login) => {
    const body = { ...range, widgets }
    const answer = await call('POST', '/v1/dashboards/data', { body, ...(as && { as }) })
    return answer.body.data.map(({ notes }: { notes: { text: string; about: string }[] }) =>
      notes.map(({ text, about }) => `${about}: ${text}`),
    )
  }
  const own = ['Device 1: Door replaced', 'House: Heating off']
  assert.deepEqual(await read(), [own, [...own, 'Device 2: Moved\nto the yard']])
  assert.deepEqual(await read(limited), [own.slice(0, 1), own.slice(0, 1)])
  const [data] = (await call('POST', '/v1/dashboards/data', { body: { ...range, widgets } })).body
    .data
  assert.equal(toSharedData('chart', data).notes, undefined)
})

test('refuses what is wrong, and what is too much', async () => {
  const faults: [object, string][] = [
    [{ text: ' ' }, 'text'],
    [{ text: 'x'.repeat(1001) }, 'text'],
    [{ text: 'A', at: 'yesterday' }, 'at'],
  ]
  for (const [body, field] of faults) {
    const { status, body: answer } = await call('POST', `/v1/devices/${inside}/notes`, { body })
    assert.deepEqual([status, Object.keys(answer.errors)], [422, [field]], JSON.stringify(body))
  }
  await db.query(
    `insert into notes (organization_id, device_id, at, text, user_id, created_at, updated_at)
     select 1, $1, now(), 'x', user_id, now(), now()
     from (select user_id from notes limit 1) as one, generate_series(1, 9996)`,
    [outside],
  )
  const full = await call('POST', `/v1/devices/${inside}/notes`, { body: { text: 'A' } })
  assert.deepEqual(
    [full.status, full.body.message],
    [409, 'The organization has 10,000 notes already. Delete some first.'],
  )
})

test('notes go with what they are about', async () => {
  await call('DELETE', `/v1/devices/${euiOf(2)}`)
  await call('DELETE', `/v1/gateways/${gateway.id}`)
  await call('DELETE', `/v1/device-groups/${house}`)
  assert.deepEqual(await textsOf(''), ['Door replaced'])
  assert.equal((await call('DELETE', path)).status, 204)
  assert.deepEqual(await textsOf(''), [])
})
