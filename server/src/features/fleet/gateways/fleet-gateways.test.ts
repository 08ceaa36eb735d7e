import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addGateway, addLocalDevice, euiOf, gatewayEuiOf } from '../../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../../test/members.ts'
import { startTestService } from '../../../../test/service.ts'
import { noteGatewayHours } from './gateway-hours.ts'

const service = await startTestService({ after })
const start = new Date('2026-03-01T12:10:00.000Z')
service.setClock(start)
const other = await foundOrganization(service, 'other@example.test')
const reader = await joinMember(service, 'reader@example.test')
const url = '/v1/fleet/gateways'
for (const number of [1, 2, 3, 4]) {
  const isLast = number === 4
  const changes = { gateway_name: isLast ? 'gateway 3' : `Gateway ${number}`, region: 'EU868' }
  await addGateway(service, number, isLast ? { ...changes, gateway_bridge: 'other' } : changes)
}
await addGateway(service, 9, {}, other)
await addLocalDevice(service, 1)
await addLocalDevice(service, 2)
const callback = await connectChirpStack(service)
// The network is away, which the first try to register a gateway finds.
await service.services.provisioner.idle()

async function list(query = '') {
  const answer = await service.call('GET', `${url}${query}`, { as: reader })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const euis = (body: { data: { gateway_eui: string }[] }) =>
  body.data.map(({ gateway_eui }) => Number(`0x${gateway_eui.slice(-4)}`))

let sent = 0
async function hear(number: number, time: string, receptions: object[]) {
  sent += 1
  const deduplicationId = `00000000-0000-4000-8000-${String(sent).padStart(12, '0')}`
  const up = makeUp({ eui: euiOf(number), time, deduplicationId, rxInfo: receptions })
  assert.equal((await post(service, callback, up)).status, 200)
}

const at = (number: number, rssi: number, location?: object) => ({
  gatewayId: gatewayEuiOf(number).toLowerCase(),
  rssi,
  snr: 5,
  ...(location && { location }),
})

test('shows a gateway that was never heard', async () => {
  const { data, total, after: next } = await list('?limit=1')
  assert.equal(total, 4)
  assert.equal(next, String(data[0].id))
  const { id, error, created_at, verdict, ...rest } = data[0]
  assert.deepEqual([verdict.state, verdict.since], ['new', created_at])
  assert.deepEqual(
    verdict.reasons.map(({ code }: { code: string }) => code),
    ['register_pending', 'never_heard'],
  )
  assert.match(error, /could not be reached/)
  assert.match(created_at, /^\d{4}-.*Z$/)
  assert.deepEqual(rest, {
    gateway_eui: gatewayEuiOf(1),
    name: 'Gateway 1',
    network: { key: 'chirpstack', name: 'ChirpStack v4' },
    register_method: 'user_account',
    status: 'pending',
    first_seen: null,
    last_seen: null,
    uplink_count: 0,
    downlink_count: 0,
    uptime_7_days: null,
    uptime_30_days: null,
    position: null,
    description: null,
    ip: '192.168.2.1',
    region: 'EU868',
    tags: {},
    ...{ latitude: null, longitude: null, altitude: null, place_source: null },
  })
  assert.equal((await service.call('GET', `${url}/${id}`, { as: other })).status, 404)
})

test('filters, sorts and pages without losing equal names', async () => {
  assert.deepEqual(euis(await list('?network=other')), [4])
  assert.deepEqual(euis(await list('?search=00bb000000000002')), [2])
  assert.deepEqual(euis(await list('?search=00-BB-00-00-00-00-00-02')), [2])
  assert.deepEqual(euis(await list('?status=register_error')), [])
  assert.deepEqual(euis(await list('?sort=created_at&order=desc')), [4, 3, 2, 1])
  const pages: number[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page: { data: { gateway_eui: string }[]; after: string | null } = await list(
      `?limit=1${after && `&after=${after}`}`,
    )
    pages.push(...euis(page))
    after = page.after
  }
  assert.deepEqual(pages, [1, 2, 3, 4])
  assert.deepEqual(euis(await list('?offset=2&order=desc')), [2, 1])
})

test('refuses unknown parameters and values', async () => {
  for (const query of ['?page=2', '?sort=color', '?silent=0', '?limit=1001', '?after=x']) {
    assert.equal((await service.call('GET', `${url}${query}`)).status, 422, query)
  }
})

test('finds silent gateways', async () => {
  await hear(1, '2026-03-01T12:00:00Z', [at(1, -80), at(2, -100)])
  await hear(1, '2026-03-01T09:00:00Z', [at(3, -100)])
  assert.deepEqual(euis(await list('?silent=2')), [3, 4])
  assert.deepEqual(euis(await list('?silent=2&network=chirpstack')), [3])
})

test('a gateway is silent by its own traffic, in the list, on its page and in the summary', async (t) => {
  t.after(() => service.setClock(start))
  const verdicts = async () => {
    const { data } = await list()
    const { data: summary } = (await service.call('GET', '/v1/fleet/summary', { as: reader })).body
    for (const state of ['ok', 'new', 'silent', 'attention']) {
      const found = await list(`?verdict=${state}`)
      assert.equal(found.total, summary.gateways[state], state)
      for (const gateway of found.data) assert.equal(gateway.verdict.state, state)
    }
    const first = await service.call('GET', `${url}/${gatewayEuiOf(1)}`)
    assert.deepEqual(first.body.data.verdict, data[0].verdict)
    return data.map(({ verdict }: { verdict: { state: string } }) => verdict.state)
  }
  // Without notes of their hours, an hour is their limit.
  assert.deepEqual(await verdicts(), ['ok', 'ok', 'silent', 'new'])
  service.setClock(new Date('2026-03-01T13:00:00.001Z'))
  assert.deepEqual(await verdicts(), ['silent', 'silent', 'silent', 'new'])
  const [{ verdict }] = (await list()).data
  assert.equal(verdict.since, '2026-03-01T12:00:00.000000Z')
  assert.equal(verdict.reasons[0].message, 'No uplink has come through it for 1 hour.')
  service.setClock(new Date('2026-03-04T12:00:00.000Z'))
  assert.deepEqual(await verdicts(), ['silent', 'silent', 'silent', 'silent'])
})

test('takes its place from the network, and from its owner first', async () => {
  const place = async () => (await service.call('GET', `${url}/${gatewayEuiOf(2)}`)).body.data
  const location = { latitude: 48.5, longitude: 11.25 }
  await hear(2, '2026-03-01T12:01:00Z', [at(1, -80), at(2, -90, location)])
  await hear(2, '2026-03-01T12:02:00Z', [at(1, -80), at(2, -90)])
  assert.deepEqual((await place()).position, { lat: 48.5, lng: 11.25, source: 'network' })
  const { id } = await place()
  const set = (position: object | null, as = service.owner) =>
    service.call('PATCH', `${url}/${id}`, { body: { position }, as })
  assert.deepEqual((await set({ lat: -1, lng: 179.5 })).body.data.position, {
    lat: -1,
    lng: 179.5,
    source: 'own',
  })
  assert.deepEqual((await set(null)).body.data.position.source, 'network')
  assert.equal((await set({ lat: 1, lng: 2 }, reader)).status, 403)
  assert.equal((await set({ lat: 1, lng: 2 }, other)).status, 404)
  const wrong = await set({ lat: 91, lng: 'x' })
  assert.deepEqual(wrong.body.errors, {
    'position.lat': ['The latitude must be a number of degrees from -90 to 90.'],
    'position.lng': ['The longitude must be a number of degrees from -180 to 180.'],
  })
})

test('lists the devices and the uplinks that it hears, and how far back it read', async () => {
  const { data, total, read } = (
    await service.call('GET', `${url}/${gatewayEuiOf(1)}/devices`, { as: reader })
  ).body
  assert.equal(total, 2)
  assert.deepEqual(read, { uplinks: 4, since: '2026-03-01T09:00:00.000000Z' })
  const [{ id: _, ...first }, second] = data
  assert.deepEqual(first, {
    device_eui: euiOf(2),
    name: 'Device 2',
    last_heard: '2026-03-01T12:02:00.000000Z',
    uplinks: 2,
    rssi: -80,
    snr: 5,
  })
  assert.deepEqual([second.device_eui, second.uplinks], [euiOf(1), 1])
  const heard = (await service.call('GET', `${url}/${gatewayEuiOf(2)}/uplinks?limit=2`)).body
  assert.equal(heard.total, 3)
  assert.deepEqual(
    heard.data.map((uplink: { rssi: number; event_time: string }) => [
      uplink.event_time.slice(11, 16),
      uplink.rssi,
    ]),
    [
      ['12:02', -90],
      ['12:01', -90],
    ],
  )
  const none = (await service.call('GET', `${url}/${gatewayEuiOf(4)}/devices`)).body
  assert.deepEqual([none.data, none.total, none.read.uplinks], [[], 0, 4])
})

test('tells its traffic by the hour, and nothing of hours that it does not know', async () => {
  const hours = async () => (await service.call('GET', `${url}/${gatewayEuiOf(1)}`)).body.data.hours
  const [{ uplink_count: before }] = (await list('?search=Gateway 1')).data
  assert.deepEqual(await hours(), [
    { hour: '2026-03-01T12:00:00.000000Z', uplinks: before, downlinks: 0 },
  ])
  service.setClock(new Date('2026-03-01T13:00:20Z'))
  await noteGatewayHours(service.services.db, new Date('2026-03-01T13:00:20Z'))
  await hear(1, '2026-03-01T13:00:10Z', [at(1, -80)])
  await noteGatewayHours(service.services.db, new Date('2026-03-01T13:00:50Z'))
  assert.deepEqual(
    (await hours()).map(({ uplinks }: { uplinks: number }) => uplinks),
    [before, 1],
  )
  // Nothing is noted at 14:00.
  service.setClock(new Date('2026-03-01T15:30:00Z'))
  await noteGatewayHours(service.services.db, new Date('2026-03-01T15:00:01Z'))
  assert.deepEqual(
    (await hours()).map(({ uplinks }: { uplinks: number | null }) => uplinks),
    [before, null, null, 0],
  )
})

test('names stand as people order them', async () => {
  const given = ['Mast 10', 'Mast 2', 'mast 1']
  for (const [index, gateway_name] of given.entries()) {
    const body = { gateway_bridge: 'other', gateway_name, gateway_eui: gatewayEuiOf(60 + index) }
    assert.equal((await service.call('POST', '/v1/gateways', { body })).status, 200)
  }
  const { data } = await list('?search=mast')
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ['mast 1', 'Mast 2', 'Mast 10'],
  )
})
