import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addGateway, addLocalDevice, gatewayEuiOf } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'
import { mostFrames } from './radio-queries.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)

let devices = 0
async function makeDevice(): Promise<{ id: number; eui: string }> {
  devices += 1
  const eui = `00AA0000000000${devices.toString(16).padStart(2, '0')}`
  return { id: await addLocalDevice(service, eui), eui }
}

interface Heard {
  fCnt: number
  time: string
  rxInfo?: { gatewayId: string; rssi?: number; snr?: number; location?: object }[]
  spreadingFactor?: number
}

async function send(eui: string, { fCnt, time, rxInfo, spreadingFactor = 7 }: Heard) {
  const txInfo = {
    frequency: 867_100_000,
    modulation: { lora: { bandwidth: 125_000, spreadingFactor, codeRate: 'CR_4_5' } },
  }
  const changes = { eui, time, fCnt, txInfo, dr: 12 - spreadingFactor, ...(rxInfo && { rxInfo }) }
  const { status, text } = await post(service, callback, makeUp(changes))
  assert.equal(status, 200, text)
}

function join(eui: string, time: string) {
  const body = {
    deduplicationId: `00000000-0000-4000-9000-${eui.slice(4)}`,
    time,
    deviceInfo: { devEui: eui.toLowerCase() },
    devAddr: '00189440',
  }
  return post(service, callback, body, { event: 'join' })
}

async function read(reference: string, query: Record<string, string> = {}) {
  const url = `/v1/devices/${reference}/radio?${new URLSearchParams(query)}`
  const { status, body, text } = await service.call('GET', url)
  assert.equal(status, 200, text)
  return body.data
}

const noon = { since: '2026-02-28T12:00:00Z', until: '2026-02-28T13:00:00Z' }

test('shows received and lost frames, signal and data rates of equal parts', async () => {
  const { eui, id } = await makeDevice()
  const gateway = gatewayEuiOf(1)
  const frames: [number, string, number, number, number][] = [
    [10, '12:00:00', -100, 5, 7],
    [11, '12:10:00', -110, 2.5, 7],
    [14, '12:40:00', -120, -5, 9],
    [14, '12:40:02', -118, -4, 9],
  ]
  for (const [fCnt, at, rssi, snr, spreadingFactor] of frames) {
    const rxInfo = [{ gatewayId: gateway.toLowerCase(), rssi, snr }]
    await send(eui, { fCnt, time: `2026-02-28T${at}Z`, rxInfo, spreadingFactor })
  }
  const radio = await read(String(id), { ...noon, points: '2' })
  const { received, lost, loss, repeated, is_complete, restarts } = radio
  assert.deepEqual(
    { received, lost, loss, repeated, is_complete, restarts },
    { received: 3, lost: 2, loss: 0.4, repeated: 1, is_complete: true, restarts: [] },
  )
  assert.deepEqual(radio.points, [
    {
      time: '2026-02-28T12:00:00.000000Z',
      received: 2,
      lost: 0,
      rssi: { min: -110, max: -100, average: -105 },
      snr: { min: 2.5, max: 5, average: 3.75 },
      data_rates: [{ data_rate: 'SF7BW125', uplinks: 2 }],
    },
    {
      time: '2026-02-28T12:30:00.000000Z',
      received: 1,
      lost: 2,
      rssi: { min: -120, max: -118, average: -119 },
      snr: { min: -5, max: -4, average: -4.5 },
      data_rates: [{ data_rate: 'SF9BW125', uplinks: 2 }],
    },
  ])
  assert.deepEqual(radio.data_rates, [
    { data_rate: 'SF7BW125', uplinks: 2 },
    { data_rate: 'SF9BW125', uplinks: 2 },
  ])
})

test('shows each gateway that heard the device, with its name and last position', async () => {
  const { eui } = await makeDevice()
  const { id } = await addGateway(service, 2, { gateway_name: '=Roof <b>' })
  const [known, foreign] = [gatewayEuiOf(2), gatewayEuiOf(3)]
  const place = (latitude: number) => ({ location: { latitude, longitude: 4.5 } })
  await send(eui, {
    fCnt: 1,
    time: '2026-02-28T12:01:00Z',
    rxInfo: [
      { gatewayId: known.toLowerCase(), rssi: -100, snr: 4, ...place(51) },
      { gatewayId: foreign.toLowerCase(), rssi: -120, snr: -3 },
    ],
  })
  await send(eui, {
    fCnt: 2,
    time: '2026-02-28T12:02:00Z',
    rxInfo: [{ gatewayId: known.toLowerCase(), rssi: -90, snr: 8, ...place(52) }],
  })
  const { gateways } = await read(eui, noon)
  assert.deepEqual(gateways, [
    {
      gateway_eui: known,
      id,
      name: '=Roof <b>',
      uplinks: 2,
      best_rssi: -90,
      average_rssi: -95,
      best_snr: 8,
      average_snr: 6,
      first_heard: '2026-02-28T12:01:00.000000Z',
      last_heard: '2026-02-28T12:02:00.000000Z',
      lat: 52,
      lng: 4.5,
    },
    {
      gateway_eui: foreign,
      id: null,
      name: null,
      uplinks: 1,
      best_rssi: -120,
      average_rssi: -120,
      best_snr: -3,
      average_snr: -3,
      first_heard: '2026-02-28T12:01:00.000000Z',
      last_heard: '2026-02-28T12:01:00.000000Z',
      lat: null,
      lng: null,
    },
  ])
})

test('a join begins the counter again', async () => {
  const { eui } = await makeDevice()
  await send(eui, { fCnt: 500, time: '2026-02-28T12:01:00Z' })
  assert.equal((await join(eui, '2026-02-28T12:05:00Z')).status, 200)
  await send(eui, { fCnt: 700, time: '2026-02-28T12:06:00Z' })
  const { lost, restarts } = await read(eui, noon)
  assert.equal(lost, 0)
  assert.deepEqual(restarts, [{ time: '2026-02-28T12:06:00.000000Z', reason: 'join' }])
})

test('takes the last seven days unless asked otherwise, and shows nothing of none', async () => {
  const { eui } = await makeDevice()
  service.setClock(new Date('2026-03-07T12:00:00Z'))
  assert.deepEqual(await read(eui), {
    since: '2026-02-28T12:00:00.000000Z',
    until: '2026-03-07T12:00:00.000000Z',
    is_complete: true,
    received: 0,
    lost: 0,
    loss: null,
    repeated: 0,
    restarts: [],
    points: [],
    data_rates: [],
    gateways: [],
  })
})

test('reads the newest uplinks of a range that holds too many, and says so', async () => {
  const { id } = await makeDevice()
  await fill(id, mostFrames + 500)
  const radio = await read(String(id), { ...noon, points: '1000' })
  assert.equal(radio.is_complete, false)
  assert.equal(radio.received, mostFrames)
  assert.equal(radio.lost, 0)
  assert.equal(radio.since, '2026-02-28T12:00:50.000000Z')
})

/** Stores uplinks from noon on, every tenth of a second. */
async function fill(deviceId: number, count: number): Promise<void> {
  await service.services.db.query(
    `insert into uplinks (
       organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
       event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port, f_cnt, receptions
     )
     select 1, 1000000 + number, $1, number, 'filled ' || number,
       timestamptz '2026-02-28T12:00:00Z' + (number - 1) * interval '100 ms', 'UNKNOWN', '{}', '{}',
       '', '', 1, number, '[]'
     from generate_series(1, $2::integer) as number`,
    [deviceId, count],
  )
  await service.services.db.query(
    'update device_states set uplink_count = $2 where device_id = $1',
    [deviceId, count],
  )
}

test('refuses ranges and points that make no sense, and unknown parameters', async () => {
  const { eui } = await makeDevice()
  const wrong: [string, string][] = [
    ['since=2026-03-01T00:00:00Z&until=2026-02-01T00:00:00Z', 'since'],
    ['since=yesterday', 'since'],
    ['points=0', 'points'],
    ['from=2026-03-01T00:00:00Z', 'from'],
  ]
  for (const [query, field] of wrong) {
    const { status, body } = await service.call('GET', `/v1/devices/${eui}/radio?${query}`)
    assert.equal(status, 422, query)
    assert.ok(body.errors[field], query)
  }
})

test('shows gateways without an EUI by the names that the network sends', async () => {
  const { id, eui } = await makeDevice()
  const ids = ['roof-West', '0016C001f1000078']
  const rxInfo = ids.map((gatewayId) => ({ gatewayId, rssi: -80, snr: 5 }))
  await send(eui, { fCnt: 1, time: '2026-02-28T12:00:00Z', rxInfo })
  const { gateways } = await read(String(id), noon)
  const names = gateways.map(({ gateway_eui: name }: { gateway_eui: string }) => name)
  assert.deepEqual(names.sort(), ['0016C001F1000078', 'roof-West'])
  await send(eui, { fCnt: 2, time: '2026-02-28T12:10:00Z', rxInfo: rxInfo.slice(0, 1) })
  const covered = await service.call('GET', '/v1/fleet/coverage/devices')
  const own = covered.body.data.find((device: { id: number }) => device.id === id)
  assert.equal(own.main_gateway.gateway_eui, 'roof-West')
})
