import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { queue } from '../../../../test/downlinks.ts'
import {
  addDevice,
  addGateway,
  addGroup,
  addLocalDevice,
  euiOf,
  gatewayCreation,
  gatewayEuiOf,
  readDevice,
} from '../../../../test/fleet.ts'
import { readResults, rowOf, runJob } from '../../../../test/jobs.ts'
import { openStream } from '../../../../test/live-stream.ts'
import { joinMember } from '../../../../test/members.ts'
import { startListening } from '../../../../test/service.ts'
import { until } from '../../../../test/until.ts'

/** Tags of devices and gateways: how they are given, shown and looked for. */

const service = await startListening({ after })
const { call } = service
const callback = await connectChirpStack(service)
for (const number of [1, 2, 3]) await addLocalDevice(service, number)
const roof = await addGateway(service, 1, { gateway_bridge: 'other', tags: { owner: 'city' } })

const patch = (body: object, number = 1) => call('PATCH', `/v1/devices/${euiOf(number)}`, { body })

async function tagsOf(number: number) {
  const { body } = await call('GET', `/v1/fleet/devices/${euiOf(number)}`)
  return body.data.tags
}

async function tagsOfGateway(reference: string | number) {
  const { body } = await call('GET', `/v1/fleet/gateways/${reference}`)
  return body.data.tags
}

/** The numbers of the devices that a filter finds. */
async function find(query: string): Promise<number[]> {
  const { body, status, text } = await call('GET', `/v1/fleet/devices?sort=device_id&${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.total, body.data.length)
  return body.data.map((one: { device_id: string }) => Number.parseInt(one.device_id.slice(4), 16))
}

test('a change of tags alone replaces all tags, and the record of the contract stays', async () => {
  const before = await readDevice(service, 1)
  const answer = await patch({ tags: { floor: '1', customer: 'Hotel Süd' } })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await tagsOf(1), { floor: '1', customer: 'Hotel Süd' })
  assert.deepEqual(await readDevice(service, 1), before)
  assert.ok(!('tags' in answer.body.data))
  await patch({ tags: { floor: '2' }, device_name: 'Named too' })
  assert.deepEqual(await tagsOf(1), { floor: '2' })
  await patch({ device_name: 'Device 1' })
  assert.deepEqual(await tagsOf(1), { floor: '2' })
  await patch({ tags: {} })
  assert.deepEqual(await tagsOf(1), {})
})

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, 'x']))
const badKey =
  'Each key of the tags must be one line of 1 to 64 characters, without a colon and without blanks around it.'
const faults: [string, unknown, string, string][] = [
  ['no object', ['floor'], 'tags', 'The tags must be an object of texts.'],
  ['null', null, 'tags', 'The tags must be an object of texts.'],
  ['a number', { floor: 2 }, 'tags.floor', 'The tag floor must be a string.'],
  [
    'a long value',
    { floor: 'x'.repeat(257) },
    'tags.floor',
    'The tag floor may not be greater than 256 characters.',
  ],
  [
    'two lines',
    { floor: 'a\nb' },
    'tags.floor',
    'The tag floor must be one line, without control characters and marks of text direction.',
  ],
  [
    'a value that cannot be stored',
    { floor: '\u0000' },
    'tags.floor',
    'The tag floor contains a character that is not allowed.',
  ],
  ['a key with a colon', { 'a:b': 'x' }, 'tags.a:b', badKey],
  ['a blank key', { ' ': 'x' }, 'tags. ', badKey],
  ['a long key', { ['k'.repeat(65)]: 'x' }, `tags.${'k'.repeat(65)}`, badKey],
  ['33 tags', many(33), 'tags', 'The tags may not have more than 32 entries.'],
]

for (const [what, tags, member, message] of faults) {
  test(`tags with ${what} are refused by the name of the member`, async () => {
    const expected = { [member]: [message] }
    assert.deepEqual((await patch({ tags })).body.errors, expected)
    const gateway = await call('PATCH', `/v1/gateways/${roof.id}`, { body: { tags } })
    assert.deepEqual([gateway.status, gateway.body.errors], [422, expected])
  })
}

test('the longest tags are taken', async () => {
  const tags = { ...many(31), ['k'.repeat(64)]: 'v'.repeat(256), 'key 0': '' }
  assert.equal((await patch({ tags }, 3)).status, 200)
  assert.deepEqual(await tagsOf(3), tags)
  await patch({ tags: {} }, 3)
})

test('gateways have tags from their registration on', async () => {
  assert.deepEqual(await tagsOfGateway(roof.id), { owner: 'city' })
  const path = `/v1/gateways/${roof.id}`
  const body = { tags: { owner: 'city', mast: '4' } }
  assert.deepEqual((await call('PATCH', path, { body })).body, {
    status: true,
    message: 'Gateway updated successfully.',
  })
  assert.deepEqual(await tagsOfGateway(roof.id), body.tags)
  assert.equal((await call('GET', path)).body.gateway.gateway_name, 'Gateway 1')
  const list = async (query: string) => {
    const { body: found } = await call('GET', `/v1/fleet/gateways?${query}`)
    return [found.total, found.data.map((one: { tags: object }) => one.tags)]
  }
  assert.deepEqual(await list('tag=mast:4'), [1, [body.tags]])
  assert.deepEqual(await list('tag=mast:5'), [0, []])
  const wrong = { gateway_bridge: 'other', gateway_name: 'G', tags: { floor: 1 } }
  const refused = await call('POST', '/v1/gateways', { body: wrong })
  assert.deepEqual(refused.body.errors['tags.floor'], ['The tag floor must be a string.'])
  const unnamed = await call('PATCH', path, { body: { gateway_ip: 'x' } })
  assert.deepEqual(Object.keys(unnamed.body.errors), ['gateway_ip', 'gateway_name'])
})

test('batches give tags alone or with other members', async () => {
  const create = { action: 'create', ...rowOf(11), tags: { floor: '11' } }
  const devices = [
    { action: 'update', deviceId: euiOf(2), tags: { floor: '2', room: '204' } },
    create,
    { action: 'update', deviceId: euiOf(11), deviceName: 'Eleven', tags: { floor: 'roof' } },
    { action: 'update', deviceId: euiOf(1) },
    { action: 'update', deviceId: euiOf(1), tags: { floor: 1 } },
  ]
  const { body } = await call('POST', '/v1/batch-device-requests', { body: { devices } })
  assert.deepEqual(
    body.data.map((entry: { status: boolean; errors?: string[] }) => entry.errors ?? entry.status),
    [true, true, true, ['The device name field is required.'], ['The tag floor must be a string.']],
  )
  assert.deepEqual(await tagsOf(2), { floor: '2', room: '204' })
  assert.equal((await readDevice(service, 2)).device_name, 'Device 2')
  assert.deepEqual(await tagsOf(11), { floor: 'roof' })
  await call('DELETE', `/v1/devices/${euiOf(11)}`)

  const gateways = [
    { action: 'update', gatewayId: roof.id, tags: { owner: 'city' } },
    gatewayCreation(2, { tags: { owner: 'farm' } }),
    gatewayCreation(3, { tags: 'none' }),
    { action: 'update', gatewayId: roof.id },
  ]
  const answer = await call('POST', '/v1/batch-gateway-requests', { body: { gateways } })
  assert.deepEqual(
    answer.body.data.map(
      (entry: { status: boolean; errors?: string[] }) => entry.errors ?? entry.status,
    ),
    [true, true, ['The tags must be an object of texts.'], ['The gateway name field is required.']],
  )
  assert.deepEqual(await tagsOfGateway(roof.id), { owner: 'city' })
  assert.deepEqual(await tagsOfGateway(gatewayEuiOf(2)), { owner: 'farm' })
})

test('devices are registered with tags, and selected by them', async () => {
  await addDevice(service, 4, { consoleOnly: true, tags: { floor: '2', critical: '' } })
  assert.deepEqual(await tagsOf(4), { floor: '2', critical: '' })
  assert.deepEqual(await find('tag=floor'), [2, 4])
  assert.deepEqual(await find('tag=floor:2&search=device%204'), [4])
  assert.deepEqual(await find('tag=floor:3'), [])
  assert.deepEqual(await find('tag=critical:'), [4])
  assert.deepEqual(await find('tag=room:204'), [2])
  assert.deepEqual(await find('tag=Floor'), [])
  assert.deepEqual(await find('tag='), [1, 2, 3, 4])
  const { body } = await call('GET', '/v1/fleet/devices/ids?tag=floor:2')
  assert.equal(body.total, 2)
  const wrong = await call('GET', '/v1/fleet/devices?tag=:2')
  assert.deepEqual(wrong.body.errors, {
    tag: ['The tag must be keys, or keys and values, such as floor:2, separated by commas.'],
  })
  const { body: used } = await call('GET', '/v1/fleet/tags')
  assert.deepEqual(used.data, [
    { key: 'floor', value: '2', devices: 2, gateways: 0 },
    { key: 'critical', value: '', devices: 1, gateways: 0 },
    { key: 'owner', value: 'city', devices: 0, gateways: 1 },
    { key: 'owner', value: 'farm', devices: 0, gateways: 1 },
    { key: 'room', value: '204', devices: 1, gateways: 0 },
  ])
})

test('a filter by several tags selects what has all of them', async () => {
  const tags = { place: 'Hall A, north', path: 'C:\\x', 'it"s': 'o"k', floor: '2' }
  await patch({ tags }, 3)
  const filter = (...texts: string[]) => `tag=${encodeURIComponent(texts.join(','))}`
  assert.deepEqual(await find(filter('floor:2', 'critical')), [4])
  assert.deepEqual(await find(filter('floor:2', ' floor')), [2, 3, 4])
  assert.deepEqual(await find(filter('floor:2', 'floor:1')), [])
  const all = ['place:Hall A\\, north', 'path:C:\\\\x', 'it"s:o"k']
  assert.deepEqual(await find(filter(...all)), [3])
  for (const wrong of [',', 'floor,', 'floor,,x', 'floor\\', many(33)]) {
    const text = typeof wrong === 'string' ? wrong : Object.keys(wrong).join()
    const { status } = await call('GET', `/v1/fleet/gateways?${filter(text)}`)
    assert.equal(status, 422, text)
  }
  await patch({ tags: {} }, 3)
})

test('the export has all tags as JSON, or single ones', async () => {
  const path = '/v1/fleet/devices/export?sort=device_id&tag=floor'
  const { text } = await call('GET', `${path}&columns=device_id,tag:room,tags`)
  assert.equal(
    text,
    `device_id,tag:room,tags\r\n${euiOf(2)},204,"{""room"":""204"",""floor"":""2""}"\r\n` +
      `${euiOf(4)},,"{""floor"":""2"",""critical"":""""}"\r\n`,
  )
})

test('a job adds tags to many devices, and removes some', async () => {
  const change = (changes: object, devices: number[], dry_run = false) =>
    runJob(service, { kind: 'change', changes, devices: devices.map(euiOf), dry_run })
  await change({ add_tags: { floor: '9' } }, [1, 2], true)
  assert.deepEqual(await tagsOf(1), {})
  await change({ add_tags: { floor: '9', new: 'yes' }, remove_tags: ['room'] }, [1, 2])
  assert.deepEqual(await tagsOf(1), { floor: '9', new: 'yes' })
  assert.deepEqual(await tagsOf(2), { floor: '9', new: 'yes' })
  await patch({ tags: many(32) }, 3)
  const job = await change({ add_tags: { one: 'more' } }, [3])
  assert.deepEqual(await readResults(service, job.id), [
    [1, 'failed', 'A device may not have more than 32 tags.'],
  ])
  await change({ remove_tags: Object.keys(many(32)) }, [3])
  assert.deepEqual(await tagsOf(3), {})
  const body = { kind: 'change', changes: { add_tags: { 'a:b': 'x' } }, devices: [euiOf(1)] }
  const refused = await call('POST', '/v1/jobs', { body })
  assert.deepEqual(refused.body.errors, { 'changes.add_tags.a:b': [badKey] })
})

test('a job registers devices with tags, and tells what is wrong with those of a row', async () => {
  const rows = [
    rowOf(21, { tags: { floor: '5' } }),
    rowOf(22, { tags: { floor: 5 } }),
    rowOf(23, { tags: 'floor' }),
  ]
  const job = await runJob(service, { kind: 'register', rows })
  const results = await readResults(service, job.id)
  assert.deepEqual(
    results.map(([, status]) => status),
    ['done', 'failed', 'failed'],
  )
  assert.equal(results[1]?.[2], 'The tag floor must be a string.')
  assert.equal(results[2]?.[2], 'The tags must be an object of texts.')
  assert.deepEqual(await tagsOf(21), { floor: '5' })
  const { text } = await call('GET', `/v1/jobs/${job.id}/rows/csv`)
  assert.match(text, /"\{""floor"":""5""\}"/)
  await call('DELETE', `/v1/devices/${euiOf(21)}`)
})

test('uplinks, downlinks, coverage and the live stream tell tags and are selected by them', async (t) => {
  await patch({ tags: { floor: '1' } }, 1)
  await patch({ tags: { floor: '2' } }, 2)
  const stream = await openStream(service, { query: '?tag=floor:2&kinds=uplink' })
  t.after(stream.close)
  for (const number of [1, 2]) {
    const { status } = await post(service, callback, makeUp({ eui: euiOf(number) }))
    assert.equal(status, 200)
  }
  await until(() => stream.of('uplink').length > 0)
  assert.deepEqual(
    stream.of('uplink').map(({ device_id, tags }) => [device_id, tags]),
    [[euiOf(2), { floor: '2' }]],
  )
  const { text } = await call('GET', '/v1/fleet/uplinks/export?tag=floor:2,floor')
  assert.match(text, /,tags\r\n.*,"\{""floor"":""2""\}"\r\n$/)
  const { body } = await call('GET', '/v1/fleet/uplinks?tag=floor:2')
  assert.deepEqual(
    body.data.map((one: { device_id: string; tags: object }) => [one.device_id, one.tags]),
    [[euiOf(2), { floor: '2' }]],
  )
  await addDevice(service, 5, { tags: { floor: '2' } })
  await queue({ service }, euiOf(5), 2)
  const waiting = async (tag: string) =>
    (await call('GET', `/v1/fleet/downlinks?tag=${tag}`)).body.total
  assert.deepEqual([await waiting('floor:2'), await waiting('floor:1')], [1, 0])
  const covered = async (tag: string) =>
    (await call('GET', `/v1/fleet/coverage/devices?tag=${tag}`)).body.total
  assert.deepEqual([await covered('floor:1'), await covered('floor')], [1, 2])
  const { body: coverage } = await call('GET', '/v1/fleet/coverage?tag=nothing')
  assert.equal(coverage.data.received, 0)
})

test('whoever may not change devices or gateways may not change tags', async () => {
  const as = await joinMember(service, 'reader@example.test', ['manage_groups'])
  for (const path of [`devices/${euiOf(1)}`, `gateways/${roof.id}`]) {
    const body = { tags: { floor: '7' } }
    assert.equal((await call('PATCH', `/v1/${path}`, { as, body })).status, 403)
  }
})

test('the activity names the tags as what was changed', async () => {
  await patch({ tags: { floor: '1' } })
  const { body } = await call('GET', '/v1/fleet/activity?kind=device&limit=1')
  assert.deepEqual(body.data[0].fields, ['tags'])
})

test('a key with a tag reaches only the devices that have it', async () => {
  const key = await makeKey(service, { permissions: ['manage_devices'], tag: 'floor:1' })
  assert.equal(key.record.tag, 'floor:1')
  const euis = ({ body }: { body: { data: { device_id: string }[] } }) =>
    body.data.map(({ device_id }) => device_id)
  for (const path of [
    '/fleet/devices',
    '/fleet/uplinks',
    '/devices',
    '/fleet/devices?tag=floor:1',
  ]) {
    assert.deepEqual(euis(await key.call('GET', `/v1${path}`)), [euiOf(1)], path)
  }
  assert.equal((await key.call('GET', '/v1/devices')).body.meta.total, 1)
  assert.equal((await key.call('GET', `/v1/devices/${euiOf(1)}`)).status, 200)
  for (const method of ['GET', 'DELETE']) {
    const answer = await key.call(method, `/v1/devices/${euiOf(2)}`)
    assert.deepEqual([answer.status, answer.body], [404, { message: 'device not found' }])
  }
  // Another tag of the filter must be there too.
  for (const [tag, found] of Object.entries({ floor: [euiOf(1)], 'floor:2': [], none: [] })) {
    assert.deepEqual(euis(await key.call('GET', `/v1/fleet/devices?tag=${tag}`)), found)
  }
  const beyond = { message: 'This API key is limited to a tag, and cannot do this.' }
  const group = await addGroup(service, 'All')
  for (const path of [
    'fleet/groups',
    `fleet/groups/${group}`,
    'fleet/summary',
    'fleet/tags',
    'jobs',
  ]) {
    const answer = await key.call('GET', `/v1/${path}`)
    assert.deepEqual([answer.status, answer.body], [403, beyond], path)
  }
  const change = (body: object) => key.call('PATCH', `/v1/devices/${euiOf(1)}`, { body })
  assert.equal((await change({ device_name: 'Device 1' })).status, 200)
  assert.equal((await change({ tags: {} })).status, 403)
  assert.equal((await change({ groups: [] })).status, 403)
  const query = {
    ...{ from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z', step: '1d' },
    series: [{ devices: [euiOf(2)], measurement: 'battery' }],
  }
  const foreign = await key.call('POST', '/v1/measurements/query', { body: query })
  assert.equal(foreign.status, 422)

  const wide = await makeKey(service, { tag: 'floor' })
  assert.deepEqual(euis(await wide.call('GET', '/v1/fleet/devices?tag=floor:2&sort=device_id')), [
    euiOf(2),
    euiOf(4),
    euiOf(5),
  ])
  // All of several tags.
  await call('PATCH', `/v1/api-keys/${wide.id}`, { body: { tag: 'floor,floor:2' } })
  const both = await wide.call('GET', '/v1/fleet/devices?sort=device_id')
  assert.deepEqual(euis(both), [euiOf(2), euiOf(4), euiOf(5)])
  assert.equal((await wide.call('GET', `/v1/devices/${euiOf(2)}`)).status, 200)
  assert.equal((await wide.call('GET', `/v1/devices/${euiOf(1)}`)).status, 404)
  const changed = await call('PATCH', `/v1/api-keys/${wide.id}`, { body: { tag: null } })
  assert.equal(changed.body.data.tag, null)
  assert.equal((await wide.call('GET', '/v1/fleet/summary')).status, 200)
  const wrong = await call('POST', '/v1/api-keys', {
    body: { name: 'Wrong', permissions: [], tag: 'floor:\n' },
  })
  assert.deepEqual(Object.keys(wrong.body.errors), ['tag'])
})

test('a key with a group and a tag reaches what is in both', async () => {
  const ids = []
  for (const number of [1, 3]) ids.push((await readDevice(service, number)).id)
  const group = await addGroup(service, 'Both', { selectedDevices: ids })
  const key = await makeKey(service, { group, tag: 'floor' })
  const { body } = await key.call('GET', '/v1/devices')
  assert.deepEqual(
    body.data.map((one: { device_id: string }) => one.device_id),
    [euiOf(1)],
  )
  assert.equal((await key.call('GET', `/v1/devices/${euiOf(2)}`)).status, 404)
  assert.equal((await key.call('GET', `/v1/devices/${euiOf(3)}`)).status, 404)
})
