import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGateway, gatewayEuiOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { publicUrl, startTestService } from '../../../../test/service.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'bo@example.test')
const member = await joinMember(service, 'ada@example.test')
service.setClock(new Date('2026-03-01T15:04:05.678Z'))
for (let number = 1; number <= 12; number += 1) {
  await addGateway(service, number, number === 12 ? { gateway_ip: null, region: 'EU868' } : {})
}
await addGateway(service, 99, { gateway_name: 'Theirs' }, other)

async function list(query: string, as = member) {
  const answer = await service.call('GET', `/v1/gateways${query}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const numbersOf = (body: { data: { name: string }[] }) =>
  body.data.map(({ name }) => Number(name.replace('Gateway ', '')))

// shows 1.4.12-14, 2.1.1, 2.8.1-12, 4.19.1, 9.1.4
test('gives the lite list as the contract has it', async () => {
  const body = await list('?version=lite&page=2')
  const ids = body.data.map(({ id }: { id: number }) => id)
  assert.deepEqual(body, {
    data: [11, 12].map((number, index) => ({
      id: ids[index],
      name: `Gateway ${number}`,
      gateway_bridge: 'chirpstack',
      gateway_ip: number === 12 ? null : '192.168.2.1',
      gateway_eui: gatewayEuiOf(number),
      bridge: 'ChirpStack v4',
      created_at: 'Mar 01, 2026 03:04 PM',
      region: number === 12 ? 'EU868' : null,
      first_seen: '--',
      last_seen: '--',
      uplinks: 0,
      downlinks: 0,
    })),
    more: false,
  })
  assert.equal((await list('?version=lite')).more, true)
})

// shows 2.1.6, 2.9.1, 2.9.2, 4.20.1, 4.20.4, 4.20.5
test('gives the paginated list as the contract has it', async () => {
  const body = await list('/?page=2&itemsPerPage=11')
  const [{ id, uuid }] = body.data
  assert.deepEqual(body.data, [
    {
      id,
      name: 'Gateway 12',
      gateway_bridge: 'chirpstack',
      gateway_ip: null,
      gateway_eui: gatewayEuiOf(12),
      bridge: 'ChirpStack v4',
      created_at: 'Mar 01, 2026 03:04 PM',
      uuid,
    },
  ])
  assert.deepEqual(body.payload, {
    page: '2',
    search: '',
    gatewayEui: '',
    sortOrder: 'asc',
    itemsPerPage: '11',
  })
  const { total, per_page, current_page } = body.meta
  assert.deepEqual([total, per_page, current_page], [12, '11', 2])
  assert.equal(body.links.prev, `${publicUrl}/v1/gateways?itemsPerPage=11&page=1`)
})

// shows 4.20.2, 10.5.4
test('finds by part of the name or EUI in any case, and by the EUI', async () => {
  assert.deepEqual(numbersOf(await list('?search=gateway 1')), [1, 10, 11, 12])
  assert.deepEqual(numbersOf(await list('?search=00bb00000000000b')), [11])
  assert.deepEqual(numbersOf(await list('?gatewayEui=000c')), [12])
  for (const text of [
    '00-bb-00-00-00-00-00-0b',
    '00:BB:00:00:00:00:00:0B',
    '00 bb 0000 0000 000b',
  ]) {
    assert.deepEqual(numbersOf(await list(`?search=${text}`)), [11], text)
    assert.deepEqual(numbersOf(await list(`?gatewayEui=${text}`)), [11], text)
  }
  assert.deepEqual(numbersOf(await list('?gatewayEui=Gateway')), [])
  assert.deepEqual(numbersOf(await list('?search=%25')), [])
  assert.equal((await list('?gatewayEui=000c')).payload.gatewayEui, '000c')
})

// shows 4.20.3
test('sorts by id both ways, and past the end the page is empty', async () => {
  assert.deepEqual(numbersOf(await list('?sortOrder=desc&itemsPerPage=3')), [12, 11, 10])
  const beyond = await list('?page=9')
  assert.deepEqual([beyond.data, beyond.meta.total], [[], 12])
})

// shows 10.1.21
test('refuses a page, size or order that there is not', async () => {
  for (const query of ['page=0', 'itemsPerPage=1001', 'sortOrder=down', 'version=full']) {
    const answer = await service.call('GET', `/v1/gateways?${query}`)
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [query.split('=')[0]]])
  }
})

test('lists only the gateways of its own organization', async () => {
  const body = await list('?version=lite', other)
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['Theirs'],
  )
  assert.deepEqual((await list('?search=Theirs')).data, [])
})
