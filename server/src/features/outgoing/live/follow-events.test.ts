import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addDevice, euiOf } from '../../../../test/fleet.ts'
import { openStream } from '../../../../test/live-stream.ts'
import { joinMember, memberPassword } from '../../../../test/members.ts'
import { startListening } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'
import { createSignals } from '../../../db/signals.ts'
import { announce } from '../events/announce.ts'

const service = await startListening({ after }, { streamCheckInterval: 50 })
const { services, call } = service
const callback = await connectChirpStack(service)
const door = await addDevice(service, 1)
const window = await addDevice(service, 2)

const send = async (number: number, hex = '100301') => {
  const answer = await post(service, callback, makeUp({ eui: euiOf(number), hex }))
  assert.ok(answer.status < 300, answer.text)
}
const ordinalsOf = (uplinks: { ordinal: number }[]) => uplinks.map(({ ordinal }) => ordinal)

beforeEach(async () => {
  // So that no test hears of the uplinks before it.
  await send(1)
})

test('begins at once, is kept by no proxy, and has no length', async () => {
  const stream = await openStream(service)
  const { status, headers } = stream.answer
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'no-store, no-transform')
  assert.equal(headers.get('x-accel-buffering'), 'no')
  assert.equal(headers.get('content-length'), null)
  assert.equal(headers.get('content-encoding'), null)
  assert.deepEqual(
    stream.events.map(({ kind }) => kind),
    ['ping'],
  )
  await stream.close()
})

test('tells of an uplink as the list has it', async () => {
  const stream = await openStream(service)
  await send(1, '1a0301')
  await until(() => stream.of('uplink').length === 1)
  const [uplink] = stream.of('uplink')
  assert.equal(uplink.device_id, euiOf(1))
  assert.equal(uplink.did, door.id)
  assert.equal(uplink.data, '1a0301')
  assert.match(stream.lastId() ?? '', new RegExp(`^1\\.${uplink.ordinal}\\.\\d+$`))
  await stream.close()
})

test('resumes after the last event: all that was missed, in order, none twice', async () => {
  const before = await openStream(service)
  const lastId = before.lastId()
  await before.close()
  for (let count = 0; count < 5; count += 1) await send(1 + (count % 2))
  const stream = await openStream(service, { lastId })
  await send(1)
  await until(() => stream.of('uplink').length >= 6)
  const ordinals = ordinalsOf(stream.of('uplink'))
  const first = Number(lastId?.split('.')[1]) + 1
  assert.deepEqual(
    ordinals,
    Array.from({ length: 6 }, (_, index) => first + index),
  )
  await stream.close()
})

test('loses none and repeats none while the connection is lost again and again', async () => {
  const total = 300
  let stream = await openStream(service)
  const first = Number(stream.lastId()?.split('.')[1]) + 1
  const heard: number[] = []
  const sending = (async () => {
    for (let count = 0; count < total; count += 10) {
      await Promise.all(Array.from({ length: 10 }, () => send(1 + (count % 2))))
    }
  })()
  while (heard.length < total) {
    const known = stream.events.length
    await until(() => stream.events.length > known || heard.length + known >= total)
    const lastId = stream.lastId()
    heard.push(...ordinalsOf(stream.of('uplink')))
    await stream.close()
    stream = await openStream(service, { lastId })
  }
  await sending
  await stream.close()
  assert.deepEqual(
    heard,
    Array.from({ length: total }, (_, index) => first + index),
  )
})

test('sends what was missed and ends, if asked to', async () => {
  const before = await openStream(service)
  await before.close()
  await send(2)
  const stream = await openStream(service, { query: '?follow=no', lastId: before.lastId() })
  await until(stream.isOver)
  assert.equal(stream.of('uplink').length, 1)
})

test('filters by device, group, network, type and kind', async () => {
  const group = await call('POST', '/v1/device-groups', { body: { groupName: 'Above' } })
  const above = group.body.data.id
  const child = await call('POST', '/v1/device-groups', {
    body: { groupName: 'Below', selectedGroup: above, selectedDevices: [window.id] },
  })
  assert.equal(child.status, 200, child.text)
  const queries = [
    ...[`?device=${euiOf(2).toLowerCase()}`, `?device=${window.id}`, `?group=${above}`],
    ...['?network=chirpstack', '?type=16', '?kinds=uplink', '?kinds=downlink,device'],
    ...['?network=loriot', '?type=1', '?group=999999'],
  ]
  const streams = await Promise.all(queries.map((query) => openStream(service, { query })))
  const resumed = await openStream(service, { query: `?group=${above}`, lastId: '1.0.0' })
  await send(1)
  await send(2)
  const all = await openStream(service, { lastId: streams[0]?.lastId() })
  await until(() => all.of('uplink').length === 2 && resumed.of('uplink').at(-1)?.did === window.id)
  await until(() => streams.slice(0, 6).every((stream) => stream.of('uplink').length > 0))
  const heard = streams.map((stream) => stream.of('uplink').map(({ did }) => did))
  const both = [door.id, window.id]
  assert.deepEqual(heard, [
    ...[[window.id], [window.id], [window.id]],
    ...[both, both, both, []],
    ...[[], [], []],
  ])
  assert.ok(resumed.of('uplink').every(({ did }) => did === window.id))
  await Promise.all([...streams, resumed, all].map((stream) => stream.close()))
})

test('tells the first reader of what changes from then on, and not that all did', async () => {
  const stream = await openStream(service)
  await call('PATCH', `/v1/devices/${door.id}`, { body: { device_name: 'Side door' } })
  await until(() => stream.of('device').length > 0)
  assert.ok(stream.of('device').every(({ id }) => id !== null))
  assert.equal(stream.of('job').length, 0)
  await stream.close()
})

test('tells to read the lists again where it cannot resume', async () => {
  const stream = await openStream(service)
  const [, ordinal = ''] = stream.lastId()?.split('.') ?? []
  await stream.close()
  for (const [lastId, reason] of [
    [`1.${Number(ordinal) + 1000}.0`, 'unknown'],
    [`2.${ordinal}.0`, 'unknown'],
    ['nonsense', 'unknown'],
  ] as const) {
    const answered = await openStream(service, { lastId })
    assert.deepEqual(answered.of('reset'), [{ reason }])
    await answered.close()
  }
  const [{ uplink_count } = { uplink_count: 0 }] = await services.db.query<{
    uplink_count: number
  }>(
    'update organization_counters set uplink_count = uplink_count + 20000 where organization_id = 1 returning uplink_count',
  )
  const answered = await openStream(service, { lastId: `1.${ordinal}.0` })
  assert.deepEqual(answered.of('reset'), [{ reason: 'gap' }])
  assert.equal(answered.lastId()?.split('.')[1], String(uplink_count))
  await send(1)
  await until(() => answered.of('uplink').length === 1)
  await answered.close()
})

test('tells of downlinks, devices, accounts and jobs', async () => {
  const stream = await openStream(service)
  const body = { config_field: { islorawan: 1, config_type: 'general', supervisory_period: 129 } }
  const sent = await call('POST', `/v1/devices/${door.id}/configure`, { body })
  assert.equal(sent.status, 200, sent.text)
  await until(() => stream.of('downlink').some(({ event_name }) => event_name === 'event_created'))
  const created = stream.of('downlink').find(({ event_name }) => event_name === 'event_created')
  assert.equal(created.did, door.id)
  const resumed = await openStream(service, { lastId: stream.lastId() })
  await until(() => resumed.of('downlink').some(({ id }) => id === created.id))
  await resumed.close()

  await call('PATCH', `/v1/devices/${window.id}`, { body: { device_name: 'Back window' } })
  await until(() => stream.of('device').some(({ id }) => id === String(window.id)))
  announce(services, 1, { kind: 'job', id: 'one' })
  await until(() => stream.of('job').some(({ id }) => id === 'one'))
  await services.db.query("update network_accounts set status_message = 'Changed.'")
  await until(() => stream.of('account').some(({ id }) => id === 'chirpstack'))
  await stream.close()
})

test('tells nothing of other organizations', async () => {
  const made = await call('POST', '/v1/organizations', {
    body: {
      name: 'Child',
      owner: {
        ...{ email: 'child@example.test', password: 'an invented pass phrase' },
        ...{ first_name: 'Olga', last_name: 'Owner' },
      },
    },
  })
  assert.equal(made.status, 201, made.text)
  const as = await service.logIn('child@example.test', 'an invented pass phrase', made.body.data.id)
  const [own, other] = [await openStream(service), await openStream(service, { as })]
  await send(1)
  announce(services, 1, { kind: 'device', id: door.id })
  const isTold = ({ id }: { id: unknown }) => id !== null
  await until(() => own.of('uplink').length === 1 && own.of('device').some(isTold))
  await other.close()
  await own.close()
  assert.deepEqual([other.of('uplink'), other.of('device').filter(isTold)], [[], []])
})

test('refuses more streams than a user may have', async () => {
  const as = await joinMember(service, 'tabs@example.test', [])
  const streams = await Promise.all(Array.from({ length: 16 }, () => openStream(service, { as })))
  const { answer } = await openStream(service, { as })
  assert.equal(answer.status, 429)
  assert.ok(answer.headers.get('retry-after'))
  await streams[0]?.close()
  await until(async () => {
    const again = await openStream(service, { as })
    await again.close()
    return again.answer.status === 200
  })
  await Promise.all(streams.map((stream) => stream.close()))
})

test('ends with the login, and with the membership', async () => {
  const member = await joinMember(service, 'leaves@example.test', [])
  const ofSession = await openStream(service, { as: member })
  await call('GET', '/v1/logout', { as: member })
  await until(ofSession.isOver)
  const again = await service.logIn('leaves@example.test', memberPassword, 1)
  const ofMember = await openStream(service, { as: again })
  assert.equal(ofMember.answer.status, 200)
  await call('DELETE', '/v1/organization/users/me', { as: again })
  await until(ofMember.isOver)
})

test('refuses unknown kinds and parameters', async () => {
  for (const query of ['kinds=uplink,x', 'kinds=', 'since=1', 'follow=maybe', 'group=x']) {
    const { status } = await call('GET', `/v1/events?${query}`)
    assert.equal(status, 422, query)
  }
})

test('whoever is limited to a group hears only of its devices, until the limit changes', async () => {
  const group = await call('POST', '/v1/device-groups', { body: { groupName: 'Own' } })
  const { id } = group.body.data
  await call('PATCH', `/v1/devices/${window.id}`, { body: { groups: [id] } })
  const member = await joinMember(service, 'limited@example.test')
  const free = await openStream(service, { as: member })
  const path = `/v1/organization/users/${member.userId}`
  await call('PATCH', path, { body: { group: id } })
  await until(free.isOver, 'the stream of before is over')
  const stream = await openStream(service, { as: member })
  announce(services, 1, { kind: 'device', id: door.id })
  await send(1)
  await send(2)
  await until(() => stream.of('uplink').length === 1)
  const heard = stream.events.filter(({ kind }) => kind !== 'ping')
  assert.deepEqual(
    heard.map(({ kind }) => kind),
    ['uplink'],
  )
  assert.equal(stream.of('uplink')[0].did, window.id)
  await call('PATCH', path, { body: { group: null } })
  await until(stream.isOver, 'the stream is over')
})

test('tells to read the lists again where an announcement was lost', async () => {
  const { db } = services
  let losses = 1
  const query: typeof db.query = (text, values) => {
    losses -= 1
    return losses < 0 ? db.query(text, values) : Promise.reject(new Error('lost'))
  }
  const signals = createSignals({ ...db, query })
  const stream = await openStream(service)
  await until(async () => {
    announce({ signals }, 1, { kind: 'job', id: 'x' })
    return stream.of('job').length > 0
  })
  assert.ok(stream.of('device').some(({ id }) => id === null))
  await stream.close()
})

test('stops at once when the service does', async () => {
  const stream = await openStream(service)
  const began = performance.now()
  await service.app.close()
  assert.ok(performance.now() - began < 2000)
  await until(stream.isOver)
})
