import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addDevice, chirpstackId, doorType, euiOf, noAccount } from '../../../../test/fleet.ts'
import { assertInvalid } from '../../../../test/invalid.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { publicUrl, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const address = `${publicUrl}/v1/devices`

/** Of organization 1, in the order of ids; number 13 has been deleted. */
const names = new Map(Array.from({ length: 25 }, (_, index) => [index + 1, `Device ${index + 1}`]))
names.set(3, 'Hall 50% open')
names.set(4, 'Hall 500 open')
names.set(5, 'north_gate')
names.set(6, 'northXgate')
names.set(7, 'back\\slash')
names.set(8, 'Küche Ä')
const ids = new Map<number, number>()
for (const [number, deviceName] of names) {
  ids.set(number, (await addDevice(service, number, { deviceName, appRegion: 'EU868' })).id)
}
await service.call('DELETE', `/v1/devices/${euiOf(13)}`)
names.delete(13)

async function list(query: string) {
  const answer = await service.call('GET', `/v1/devices${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

function namesOf(body: { data: { device_name: string }[] }): string[] {
  return body.data.map((device) => device.device_name)
}

// shows 2.1.1, 2.1.2, 2.2.1-8, 4.1.1-3, 8.1.5, 9.1.2, 10.5.1
test('the lite list holds the lite records, ten a page, and says whether there are more', async () => {
  const first = await list('?version=lite&page=1&organization=1')
  assert.deepEqual(Object.keys(first).sort(), ['data', 'more'])
  assert.equal(first.data.length, 10)
  assert.equal(first.more, true)
  assert.deepEqual(first.data[0], {
    id: ids.get(1),
    device_id: euiOf(1),
    device_type_id: doorType.id,
    device_type_name: doorType.name,
    device_name: 'Device 1',
    network_name: 'ChirpStack v4',
    last_seen: '--',
    region: 'EU868',
  })
  const last = await list('?version=lite&page=3')
  assert.equal(last.data.length, 4)
  assert.equal(last.more, false)
})

// shows 2.3.1-9, 4.2.1, 10.6.3
test('the paginated list adds the further fields to the lite record', async () => {
  const { data } = await list('/?page=1')
  const { user, ...record } = data[0]
  assert.deepEqual(record, {
    id: ids.get(1),
    device_id: euiOf(1),
    device_type_id: doorType.id,
    device_type_name: doorType.name,
    device_name: 'Device 1',
    network_name: 'ChirpStack v4',
    last_seen: '--',
    region: 'EU868',
    join_eui: '0000000000000000',
    is_active: 'active',
    subscription: null,
    gateway: null,
    extra_notes: null,
    created_at: '2026-03-01T12:00:00.000000Z',
    commissioned_at: '2026-03-01T12:00:00.000000Z',
    device_register_status: 'pending',
    api_error_json: noAccount,
  })
  assert.deepEqual(Object.keys(user).sort(), [
    'console_only',
    'id',
    'identity',
    'timezone_format',
    'timezone_id',
  ])
  assert.equal(user.identity.email, 'owner@example.test')
})

// shows 2.2.8
test('the region is null where none was given', async () => {
  const third = await foundOrganization(service, 'cy@example.test')
  await addDevice(service, 101, {}, third)
  for (const query of ['/', '?version=lite']) {
    const { body } = await service.call('GET', `/v1/devices${query}`, { as: third })
    assert.equal(body.data[0].region, null)
  }
})

// shows 2.1.3
test('the members of the paginated list are those of the contract', async () => {
  const body = await list('/')
  assert.deepEqual(Object.keys(body).sort(), ['data', 'links', 'meta', 'payload'])
  assert.deepEqual(Object.keys(body.links).sort(), ['first', 'last', 'next', 'prev'])
  const meta = ['current_page', 'from', 'last_page', 'links', 'path', 'per_page', 'to', 'total']
  assert.deepEqual(Object.keys(body.meta).sort(), meta)
})

// shows 10.1.1
test('a trailing slash makes no difference to either list', async () => {
  assert.deepEqual(await list('/?page=2'), await list('?page=2'))
  assert.deepEqual(await list('/?version=lite'), await list('?version=lite'))
})

// shows 2.1.4, 2.1.5, 4.2.5, 10.5.10
test('the payload echoes the values in force as strings', async () => {
  assert.deepEqual((await list('')).payload, {
    page: '1',
    search: '',
    sortOrder: 'asc',
    itemsPerPage: '10',
    scope: 'user',
  })
  const query = '/?page=2&search=device&sortOrder=desc&itemsPerPage=7&scope=all'
  assert.deepEqual((await list(query)).payload, {
    page: '2',
    search: 'device',
    sortOrder: 'desc',
    itemsPerPage: '7',
    scope: 'all',
  })
})

// shows 2.1.12, 2.1.13, 10.5.12
test('links are absolute from the public URL and keep the other parameters', async () => {
  const query = '/?page=2&search=device&itemsPerPage=5&organization=1&extra=a%26b'
  const { links, meta } = await list(query)
  const url = (page: number) =>
    `${address}?search=device&itemsPerPage=5&organization=1&extra=a%26b&page=${page}`
  assert.deepEqual(links, { first: url(1), last: url(4), prev: url(1), next: url(3) })
  assert.equal(meta.path, address)
  assert.equal(meta.per_page, '5')
  assert.deepEqual(
    meta.links.map(({ label }: { label: string }) => label),
    ['« Previous', '1', '2', '3', '4', 'Next »'],
  )
  assert.deepEqual(meta.links[2], { url: url(2), label: '2', active: true })
})

// shows 2.1.13
test('meta tells where the page stands', async () => {
  const { from, to, total, current_page, last_page, per_page } = (await list('?page=3')).meta
  assert.deepEqual([from, to, total, current_page, last_page, per_page], [21, 24, 24, 3, 3, 10])
})

// shows 2.1.11, 10.5.13
test('many pages are shown with a gap', async () => {
  const { links } = (await list('?itemsPerPage=1')).meta
  assert.deepEqual(
    links.map(({ label }: { label: string }) => label),
    ['« Previous', ...'1 2 3 4 5 6 7 8 9 10 ... 23 24'.split(' '), 'Next »'],
  )
  assert.deepEqual(links[11], { url: null, label: '...', active: false })
})

// shows 10.5.3
test('a page past the end is empty', async () => {
  const { data, meta } = await list('?page=99')
  assert.deepEqual([data, meta.from, meta.to, meta.total], [[], null, null, 24])
  assert.deepEqual(await list('?version=lite&page=2147483647'), { data: [], more: false })
})

// shows 4.2.3, 10.5.5
test('the order is by id, upwards unless asked otherwise', async () => {
  const up = [...names.keys()].map((number) => ids.get(number))
  const all = await list('?itemsPerPage=1000')
  const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id)
  assert.deepEqual(idsOf(all), up)
  assert.deepEqual(idsOf(await list('?itemsPerPage=1000&sortOrder=asc')), up)
  assert.deepEqual(idsOf(await list('?itemsPerPage=1000&sortOrder=desc')), up.toReversed())
})

const searches = [
  { search: 'HALL', found: ['Hall 50% open', 'Hall 500 open'] },
  { search: '50%', found: ['Hall 50% open'] },
  { search: '%', found: ['Hall 50% open'] },
  { search: 'north_gate', found: ['north_gate'] },
  { search: '_', found: ['north_gate'] },
  { search: '\\', found: ['back\\slash'] },
  { search: 'küche ä', found: ['Küche Ä'] },
  { search: 'KÜCHE', found: ['Küche Ä'] },
  { search: euiOf(9).toLowerCase(), found: ['Device 9'] },
  { search: 'a000000000011', found: ['Device 17'] },
  { search: '00Aa00000000000f', found: ['Device 15'] },
  { search: '00-AA-00-00-00-00-00-0f', found: ['Device 15'] },
  { search: '00:aa 0000.0000:000F', found: ['Device 15'] },
  { search: 'Device 13', found: [] },
  { search: "'; drop table devices; --", found: [] },
  { search: ' ', found: [...names.values()].filter((name) => name.includes(' ')).slice(0, 10) },
]

for (const { search, found } of searches) {
  // shows 4.2.2, 10.5.4
  test(`searching ${JSON.stringify(search)} finds that part of a name or EUI, in any case`, async () => {
    const query = `search=${encodeURIComponent(search)}`
    assert.deepEqual(namesOf(await list(`/?${query}`)), found)
    assert.deepEqual(namesOf(await list(`?version=lite&${query}`)), found)
  })
}

// shows 4.2.2
test('a search counts what it found', async () => {
  const { meta } = await list('?search=hall&itemsPerPage=1')
  assert.deepEqual([meta.total, meta.last_page], [2, 2])
  assert.equal((await list('?version=lite&search=hall&itemsPerPage=1&page=1')).more, true)
  assert.equal((await list('?version=lite&search=hall&itemsPerPage=1&page=2')).more, false)
})

const pageSentence = 'The page must be an integer of at least 1.'
const sizeSentence = 'The items per page must be an integer from 1 to 1000.'
const refused = [
  { query: 'page=0', field: 'page', message: pageSentence },
  { query: 'page=-1', field: 'page', message: pageSentence },
  { query: 'page=1.5', field: 'page', message: pageSentence },
  { query: 'page=', field: 'page', message: pageSentence },
  { query: 'page=one', field: 'page', message: pageSentence },
  { query: 'page=2147483648', field: 'page', message: 'The page is out of range.' },
  { query: `page=${'9'.repeat(400)}`, field: 'page', message: 'The page is out of range.' },
  { query: 'page=1&page=2', field: 'page', message: pageSentence },
  { query: 'itemsPerPage=0', field: 'itemsPerPage', message: sizeSentence },
  { query: 'itemsPerPage=1001', field: 'itemsPerPage', message: sizeSentence },
  { query: 'itemsPerPage=ten', field: 'itemsPerPage', message: sizeSentence },
  {
    query: 'sortOrder=up',
    field: 'sortOrder',
    message: 'The sort order must be one of: asc, desc.',
  },
  { query: 'version=full', field: 'version', message: 'The version must be one of: lite.' },
  {
    query: 'search=%00',
    field: 'search',
    message: 'The search contains a character that is not allowed.',
  },
  {
    query: 'scope=%00',
    field: 'scope',
    message: 'The scope contains a character that is not allowed.',
  },
  { query: 'search=a&search=b', field: 'search', message: 'The search must be a string.' },
]

for (const { query, field, message } of refused) {
  // shows 10.1.21, 10.1.22, 10.5.2
  test(`refuses ${query}`, async () => {
    for (const version of ['', '&version=lite']) {
      if (field === 'version' && version) continue
      const answer = await service.call('GET', `/v1/devices?${query}${version}`)
      assert.equal(answer.status, 422, answer.text)
      assertInvalid(answer.body, { message, errors: { [field]: [message] } })
    }
  })
}

test('tells all that is wrong with a query at once', async () => {
  const answer = await service.call('GET', '/v1/devices?page=0&itemsPerPage=0&sortOrder=x')
  assert.deepEqual(Object.keys(answer.body.errors), ['page', 'itemsPerPage', 'sortOrder'])
})

// shows 4.2.4, 10.5.2
test('takes 1 and 1000 items per page', async () => {
  assert.equal((await list('?itemsPerPage=1')).data.length, 1)
  assert.equal((await list('?itemsPerPage=1000')).data.length, 24)
})

test('any member reads the list, and sees the own organization only', async () => {
  const other = await foundOrganization(service, 'bo@example.test')
  const member = await joinMember(service, 'ada@example.test')
  await addDevice(service, 100, { network: chirpstackId, deviceName: 'Elsewhere' }, other)
  const mine = await service.call('GET', '/v1/devices?search=elsewhere', { as: member })
  assert.deepEqual([mine.status, mine.body.data, mine.body.meta.total], [200, [], 0])
  const theirs = await service.call('GET', '/v1/devices', { as: other })
  assert.deepEqual(namesOf(theirs.body), ['Elsewhere'])
  assert.equal(theirs.body.meta.total, 1)
})
