import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addGateway, addLocalDevice, euiOf, readDevice } from '../../../../test/fleet.ts'
import { readResults, rowOf, runJob } from '../../../../test/jobs.ts'
import { startListening } from '../../../../test/service.ts'

/** Where devices and gateways are: how it is said, who wins, and where it shows. */

const service = await startListening({ after })
const { call } = service
const callback = await connectChirpStack(service)
for (const number of [1, 2, 3]) await addLocalDevice(service, number)
const roof = await addGateway(service, 1, {
  ...{ gateway_bridge: 'other', latitude: 52.5, longitude: 13.4, altitude: 61 },
})

const patch = (body: object, number = 1) => call('PATCH', `/v1/devices/${euiOf(number)}`, { body })

type Record = { [name: string]: unknown }

function placeIn({ latitude, longitude, altitude, place_source }: Record) {
  return [latitude, longitude, altitude, place_source]
}

async function placeOf(number: number) {
  const { body } = await call('GET', `/v1/fleet/devices/${euiOf(number)}`)
  return placeIn(body.data)
}

async function gatewayAt(id: number) {
  const { body } = await call('GET', `/v1/fleet/gateways/${id}`)
  return { place: placeIn(body.data), position: body.data.position }
}

const nowhere = [null, null, null, null]
const town = { latitude: 48.137, longitude: 11.575 }

test('a place alone is kept, and the record of the contract stays', async () => {
  const before = await readDevice(service, 1)
  assert.deepEqual(await placeOf(1), nowhere)
  const answer = await patch(town)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await placeOf(1), [48.137, 11.575, null, 'typed'])
  assert.deepEqual(await readDevice(service, 1), before)
  await patch({ ...town, altitude: 519.5, place_source: 'map', device_name: 'Named too' })
  assert.deepEqual(await placeOf(1), [48.137, 11.575, 519.5, 'map'])
  await patch({ device_name: 'Device 1' })
  assert.deepEqual(await placeOf(1), [48.137, 11.575, 519.5, 'map'])
  const list = await call('GET', '/v1/fleet/devices?sort=device_id&limit=1')
  assert.deepEqual(placeIn(list.body.data[0]), [48.137, 11.575, 519.5, 'map'])
  const csv = await call('GET', '/v1/fleet/devices/export?columns=device_id,latitude,place_source')
  assert.match(csv.text, /\r\n00AA000000000001,48\.137,map\r\n/i)
  await patch({ latitude: null, longitude: null })
  assert.deepEqual(await placeOf(1), nowhere)
})

const notBoth =
  'The latitude and longitude may not both be 0: that is what is sent where the place is unknown.'
const faults: [string, object, string, string][] = [
  [
    'too far north',
    { ...town, latitude: 90.1 },
    'latitude',
    'The latitude must be a number of degrees from -90 to 90.',
  ],
  [
    'too far east',
    { ...town, longitude: 181 },
    'longitude',
    'The longitude must be a number of degrees from -180 to 180.',
  ],
  [
    'a text',
    { ...town, latitude: '48' },
    'latitude',
    'The latitude must be a number of degrees from -90 to 90.',
  ],
  ['no longitude', { latitude: 48 }, 'longitude', 'The longitude is required with a latitude.'],
  [
    'half of it taken away',
    { latitude: null, longitude: 11 },
    'latitude',
    'The latitude is required with a longitude.',
  ],
  [
    'only an altitude',
    { altitude: 3 },
    'latitude',
    'The latitude and longitude are required with the rest of a place.',
  ],
  ['0 and 0', { latitude: 0, longitude: 0 }, 'latitude', notBoth],
  [
    'the height of a satellite',
    { ...town, altitude: 36e6 },
    'altitude',
    'The altitude must be a number of metres from -1000 to 20000.',
  ],
  [
    'another source',
    { ...town, place_source: 'guess' },
    'place_source',
    'The place source must be one of: typed, map, phone, network, sensor.',
  ],
]

for (const [what, body, member, message] of faults) {
  test(`a place with ${what} is refused by the name of the member`, async () => {
    const expected = { [member]: [message] }
    assert.deepEqual((await patch(body)).body.errors, expected)
    const gateway = await call('PATCH', `/v1/gateways/${roof.id}`, { body })
    assert.deepEqual([gateway.status, gateway.body.errors], [422, expected])
    const item = { action: 'update', deviceId: euiOf(2), ...body }
    const batch = await call('POST', '/v1/batch-device-requests', { body: { devices: [item] } })
    assert.deepEqual(batch.body.data[0].errors, [message])
  })
}

test('gateways have a place from their registration on, and the one of their network without', async () => {
  const city = [52.5, 13.4, 61, 'typed']
  assert.deepEqual((await gatewayAt(roof.id)).place, city)
  const body = { latitude: 52.51, longitude: 13.41, place_source: 'phone' }
  assert.equal((await call('PATCH', `/v1/gateways/${roof.id}`, { body })).status, 200)
  assert.deepEqual(await gatewayAt(roof.id), {
    place: [52.51, 13.41, null, 'phone'],
    position: { lat: 52.51, lng: 13.41, source: 'own' },
  })
  const zero = { position: { lat: 0, lng: 0 } }
  assert.equal((await call('PATCH', `/v1/fleet/gateways/${roof.id}`, { body: zero })).status, 422)
  const gone = { latitude: null, longitude: null }
  await call('PATCH', `/v1/gateways/${roof.id}`, { body: gone })
  assert.deepEqual(await gatewayAt(roof.id), { place: nowhere, position: null })
  const wrong = { gateway_bridge: 'other', gateway_name: 'G', latitude: 99 }
  const refused = await call('POST', '/v1/gateways', { body: wrong })
  assert.match(refused.body.errors.latitude[0], /from -90 to 90/)
})

test('batches and imports give places alone or with other members', async () => {
  const create = { action: 'create', ...rowOf(11), ...town, altitude: 3 }
  const devices = [
    { action: 'update', deviceId: euiOf(2), ...town, place_source: 'map' },
    create,
    { ...create, ...rowOf(12), latitude: 0, longitude: 0 },
  ]
  const { body } = await call('POST', '/v1/batch-device-requests', { body: { devices } })
  const results = body.data.map((entry: Record) => entry.errors ?? entry.status)
  assert.deepEqual(results, [true, true, [notBoth]])
  assert.deepEqual(await placeOf(2), [48.137, 11.575, null, 'map'])
  assert.deepEqual(await placeOf(11), [48.137, 11.575, 3, 'typed'])
  const gateways = [
    { action: 'update', gatewayId: roof.id, ...town },
    { action: 'update', gatewayId: roof.id },
  ]
  const changed = await call('POST', '/v1/batch-gateway-requests', { body: { gateways } })
  assert.deepEqual(
    changed.body.data.map((entry: Record) => entry.status),
    [true, false],
  )
  assert.deepEqual((await gatewayAt(roof.id)).place, [48.137, 11.575, null, 'typed'])
  const rows = [
    { ...rowOf(13), ...town },
    { ...rowOf(14), latitude: 91, longitude: 0 },
  ]
  const job = await runJob(service, { kind: 'register', rows })
  const told = await readResults(service, job.id)
  assert.match(String(told[1]?.[2]), /The latitude must be a number of degrees/)
  assert.deepEqual(await placeOf(13), [48.137, 11.575, null, 'typed'])
})

async function send(eui: string, hex: string, fCnt: number, fPort = 2) {
  const answer = await post(service, callback, makeUp({ eui, hex, fCnt, fPort }))
  assert.ok(answer.status < 300, answer.text)
}

const fix = (latitude: number, longitude: number) => {
  const bytes = Buffer.alloc(11)
  bytes.set([0x10, 0x16, 0x01])
  bytes.writeInt32BE(latitude * 1e7, 3)
  bytes.writeInt32BE(longitude * 1e7, 7)
  return bytes.toString('hex')
}

test('a sensor says where it is, until a person says something else', async () => {
  await send(euiOf(3), fix(-33.5, 151.25), 1)
  assert.deepEqual(await placeOf(3), [-33.5, 151.25, null, 'sensor'])
  await patch({ ...town, place_source: 'phone' }, 3)
  await send(euiOf(3), fix(-33.75, 151.5), 2)
  assert.deepEqual(await placeOf(3), [48.137, 11.575, null, 'phone'])
  await patch({ latitude: null, longitude: null }, 3)
  assert.deepEqual(await placeOf(3), [-33.75, 151.5, null, 'sensor'])
  await send(euiOf(3), fix(0, 0), 3)
  assert.deepEqual(await placeOf(3), [-33.75, 151.5, null, 'sensor'])
})

test('a codec says it by what is declared as a position, and CayenneLPP by its GPS', async () => {
  const codec = `function decodeUplink({ bytes }) { return { data: { where: { y: bytes[0], x: bytes[1] } } } }`
  const measurements = [
    { name: 'where.y', label: 'North', kind: 'number', quantity: 'position.latitude' },
    { name: 'where.x', label: 'East', kind: 'number', quantity: 'position.longitude' },
  ]
  const make = async (body: object) =>
    (await call('POST', '/v1/device-types', { body: { part_number: 'X', ...body } })).body.data.id
  const own = await make({ type_name: 'Tracker', payload_format: 'ts013', codec, measurements })
  await patch({ deviceType: own }, 1)
  await send(euiOf(1), '3010', 10)
  assert.deepEqual(await placeOf(1), [48, 16, null, 'sensor'])
  const lpp = await make({ type_name: 'Lpp', payload_format: 'cayenne_lpp', codec: null })
  await patch({ deviceType: lpp }, 1)
  await send(euiOf(1), '018806765ff2960a0003e8', 11)
  assert.deepEqual(await placeOf(1), [42.3519, -87.9094, 10, 'sensor'])
})

test('a network says where a device is, unless a person or the sensor does', async () => {
  const location = async (number: number, place: object) => {
    const deviceInfo = { ...((makeUp({ eui: euiOf(number) }) as Record).deviceInfo as object) }
    const time = `2026-03-01T10:00:0${number}Z`
    const body = { deduplicationId: crypto.randomUUID(), time, deviceInfo, location: place }
    const answer = await post(service, callback, body, { event: 'location' })
    assert.ok(answer.status < 300, answer.text)
  }
  await patch({ latitude: null, longitude: null }, 2)
  await location(2, { latitude: 47.5, longitude: 9.5, altitude: 400, source: 'GEO_RESOLVER' })
  assert.deepEqual(await placeOf(2), [47.5, 9.5, 400, 'network'])
  await location(2, { latitude: 0, longitude: 0 })
  assert.deepEqual(await placeOf(2), [47.5, 9.5, 400, 'network'])
  await patch(town, 2)
  await location(2, { latitude: 47.6, longitude: 9.6 })
  assert.deepEqual(await placeOf(2), [48.137, 11.575, null, 'typed'])
  await location(3, { latitude: 47.6, longitude: 9.6 })
  assert.deepEqual(await placeOf(3), [-33.75, 151.5, null, 'sensor'])
})

test('the places of all devices that match come in one answer', async () => {
  const read = async (query = '') => {
    const { body, status, text } = await call('GET', `/v1/fleet/devices/places?${query}`)
    assert.equal(status, 200, text)
    return [body.total, body.data.map((one: Record) => [one.device_name, ...placeIn(one)])]
  }
  const third = ['Device 3', -33.75, 151.5, null, 'sensor']
  assert.deepEqual(await read(`search=${euiOf(3)}`), [1, [third]])
  const [total, places] = await read()
  assert.deepEqual([total, places.length], [5, 5])
  await patch({ latitude: null, longitude: null }, 2)
  assert.deepEqual((await read())[1].length, 4)
  const { body } = await call('GET', `/v1/fleet/devices/places?search=${euiOf(3)}`)
  const { state, rssi, snr } = body.data[0]
  assert.deepEqual([state, typeof rssi, typeof snr], ['silent', 'number', 'number'])
})
