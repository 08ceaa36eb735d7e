import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { joinMember } from '../../../../test/members.ts'
import { publicUrl, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const member = await joinMember(service, 'ada@example.test')
const url = '/v1/get-device-types'

interface DeviceType {
  id: number
  type_name: string
  part_number: string
  full_name: string
}

async function list(query: string) {
  const answer = await service.call('GET', `${url}${query}`, { as: member })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const all: DeviceType[] = (await list('?itemsPerPage=1000')).data

// shows 2.6.1-4
test('every type has an id of its own, a name, and a full name of part number and name', () => {
  assert.ok(all.length > 20)
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
  for (const { type_name, part_number, full_name } of all) {
    assert.ok(type_name !== '' && full_name.includes(type_name) && full_name.includes(part_number))
  }
  assert.deepEqual(
    all.find(({ id }) => id === 16),
    {
      id: 16,
      type_name: 'LoRa Door/Window',
      part_number: 'RBS301-DWS',
      full_name: 'RBS301-DWS - LoRa Door/Window',
    },
  )
})

// shows 4.7.1, 4.7.5
test('gives ten a page unless asked otherwise, with links to the others', async () => {
  const { data, links, meta } = await list('/')
  assert.deepEqual(data, all.slice(0, 10))
  assert.equal(links.next, `${publicUrl}${url}?page=2`)
  assert.deepEqual([meta.total, meta.per_page, meta.path], [all.length, 10, `${publicUrl}${url}`])
  assert.deepEqual((await list('?page=2&itemsPerPage=7')).data, all.slice(7, 14))
  assert.deepEqual((await list('?page=1000')).data, [])
})

// shows 2.1.7, 4.7.6, 8.1.6
test('the payload echoes the parameters as strings', async () => {
  assert.deepEqual((await list('')).payload, {
    page: '1',
    itemsPerPage: '10',
    network: '',
    sortBy: 'id',
    sortOrder: 'asc',
  })
  const query = '?itemsPerPage=1000&network=10&sortBy=type_name&sortOrder=desc'
  assert.deepEqual((await list(query)).payload, {
    page: '1',
    itemsPerPage: '1000',
    network: '10',
    sortBy: 'type_name',
    sortOrder: 'desc',
  })
})

// shows 4.7.2
test('every network takes every type', async () => {
  for (const network of [2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    assert.deepEqual((await list(`?itemsPerPage=1000&network=${network}`)).data, all)
  }
})

for (const column of ['id', 'type_name', 'part_number', 'full_name'] as const) {
  // shows 4.7.3, 4.7.4, 10.5.6, 10.5.7
  test(`sorts by ${column} both ways, and by id where that is the same`, async () => {
    const compare = (one: DeviceType, other: DeviceType) => {
      const [a, b] = [one[column], other[column]]
      const order = typeof a === 'number' ? a - Number(b) : a.localeCompare(String(b), 'en')
      return order || one.id - other.id
    }
    const sorted = all.toSorted(compare)
    const query = `?itemsPerPage=1000&sortBy=${column}`
    assert.deepEqual((await list(query)).data, sorted)
    assert.deepEqual((await list(`${query}&sortOrder=asc`)).data, sorted)
    assert.deepEqual((await list(`${query}&sortOrder=desc`)).data, sorted.toReversed())
  })
}

const refused: [string, string][] = [
  ['sortBy=password', 'sortBy'],
  ['sortBy=', 'sortBy'],
  ['sortOrder=down', 'sortOrder'],
  ['page=0', 'page'],
  ['itemsPerPage=0', 'itemsPerPage'],
  ['itemsPerPage=1001', 'itemsPerPage'],
  ['network=chirpstack', 'network'],
  ['network=0', 'network'],
  ['network=2&network=3', 'network'],
]

for (const [query, field] of refused) {
  // shows 10.1.22
  test(`refuses ${query}`, async () => {
    const { status, body } = await service.call('GET', `${url}?${query}`)
    assert.deepEqual([status, Object.keys(body.errors)], [422, [field]])
    assert.equal(body.message, body.errors[field][0])
  })
}
