import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeKey } from '../../../../test/api-keys.ts'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import {
  addGateway,
  addGroup,
  addLocalDevice,
  euiOf,
  gatewayEuiOf,
} from '../../../../test/fleet.ts'
import { foundOrganization } from '../../../../test/members.ts'
import { type Login, startTestService } from '../../../../test/service.ts'
import { mostUplinks } from './frame-queries.ts'

const service = await startTestService({ after })
const other = await foundOrganization(service, 'other@example.test')
service.setClock(new Date('2026-02-28T13:30:00Z'))

const devices: number[] = []
const gateways: number[] = []

/** Device, frame counter, time, spreading factor, and RSSI and SNR by number of gateway. */
type Heard = readonly [number, number, string, number, Record<number, [number, number]>]

const frames: Heard[] = [
  [1, 10, '12:00:00', 7, { 1: [-100, 5] }],
  [1, 11, '12:10:00', 7, { 1: [-110, 2.5], 2: [-90, 8] }],
  [1, 14, '12:40:00', 9, { 1: [-120, -5] }],
  [2, 5, '12:05:00', 12, { 2: [-80, 8] }],
  [2, 7, '12:50:00', 7, { 2: [-85, 7] }],
]

/** Airtimes of 3 bytes of payload, so 16 of the frame: published for SF7 (airtime.test.ts). */
const [sf7, sf12] = [51.456, 1318.912]

const callback = await connectChirpStack(service)

before(async () => {
  for (const number of [1, 2, 3]) devices.push(await addLocalDevice(service, number))
  for (const number of [1, 2]) {
    gateways.push((await addGateway(service, number, { gateway_name: `Gateway ${number}` })).id)
  }
  for (const frame of frames) await hear(frame)
})

async function hear([device, fCnt, time, spreadingFactor, receptions]: Heard): Promise<void> {
  const rxInfo = Object.entries(receptions).map(([number, [rssi, snr]]) => {
    return { gatewayId: gatewayEuiOf(Number(number)).toLowerCase(), rssi, snr }
  })
  const lora = { bandwidth: 125_000, spreadingFactor, codeRate: 'CR_4_5' }
  const txInfo = { frequency: 868_100_000, modulation: { lora } }
  const at = `2026-02-28T${time}Z`
  const up = makeUp({ eui: euiOf(device), time: at, fCnt, rxInfo, txInfo, hex: '100301' })
  const { status, text } = await post(service, callback, up)
  assert.equal(status, 200, text)
  // It came when it was sent.
  await service.services.db.query('update uplinks set received_at = event_time')
}

async function read(path: string, query: Record<string, string> = {}, as?: Login) {
  const url = `/v1/fleet/${path}?${new URLSearchParams(query)}`
  const { status, body, text } = await service.call('GET', url, as ? { as } : {})
  assert.equal(status, 200, text)
  return body
}

const noon = { since: '2026-02-28T12:00:00Z', until: '2026-02-28T13:00:00Z', points: '2' }

test('a network shows losses, signal, data rates and airtime over time', async () => {
  const { data } = await read('coverage', { ...noon, network: 'chirpstack' })
  assert.deepEqual(data, {
    since: '2026-02-28T12:00:00.000000Z',
    until: '2026-02-28T13:00:00.000000Z',
    is_complete: true,
    devices: 2,
    uplinks: 5,
    received: 5,
    lost: 3,
    loss: 0.375,
    repeated: 0,
    airtime_ms: 1638.144,
    untimed: 0,
    points: [
      {
        time: '2026-02-28T12:00:00.000000Z',
        uplinks: 3,
        received: 3,
        lost: 0,
        airtime_ms: 1421.824,
        rssi: { min: -100, max: -80, average: -90 },
        snr: { min: 5, max: 8, average: 7 },
        data_rates: [
          { data_rate: 'SF7BW125', uplinks: 2, airtime_ms: 2 * sf7 },
          { data_rate: 'SF12BW125', uplinks: 1, airtime_ms: sf12 },
        ],
      },
      {
        time: '2026-02-28T12:30:00.000000Z',
        uplinks: 2,
        received: 2,
        lost: 3,
        airtime_ms: 216.32,
        rssi: { min: -120, max: -85, average: -102.5 },
        snr: { min: -5, max: 7, average: 1 },
        data_rates: data.points[1].data_rates,
      },
    ],
    data_rates: [
      { data_rate: 'SF7BW125', uplinks: 3, airtime_ms: 154.368 },
      ...data.data_rates.slice(1),
    ],
  })
  const rates = data.data_rates.map((one: { data_rate: string }) => one.data_rate).sort()
  assert.deepEqual(rates, ['SF12BW125', 'SF7BW125', 'SF9BW125'])
  const none = await read('coverage', { ...noon, network: 'loriot' })
  assert.deepEqual([none.data.uplinks, none.data.loss, none.data.points], [0, null, []])
})

test('the losses of the gateways are those of their network', async () => {
  const radios = []
  for (const id of gateways) radios.push((await read(`gateways/${id}/radio`, noon)).data)
  const [one, two] = radios
  const { devices: heard, uplinks, received, lost, loss, airtime_ms } = one
  assert.deepEqual(
    { heard, uplinks, received, lost, loss, airtime_ms },
    { heard: 1, uplinks: 3, received: 2, lost: 2, loss: 0.5, airtime_ms: 267.776 },
  )
  assert.deepEqual(one.points[0].rssi, { min: -110, max: -100, average: -105 })
  assert.deepEqual(one.points[0].snr, { min: 2.5, max: 5, average: 3.75 })
  assert.deepEqual([two.devices, two.uplinks, two.received, two.lost], [2, 3, 3, 1])
})

test('lists devices by the number of gateways that hear them', async () => {
  const { data, total, read: extent } = await read('coverage/devices')
  assert.equal(total, 2)
  assert.deepEqual(extent, { uplinks: 5, since: '2026-02-28T12:00:00.000000Z' })
  assert.deepEqual(data, [
    {
      id: devices[1],
      device_eui: euiOf(2),
      name: 'Device 2',
      network: 'chirpstack',
      last_heard: '2026-02-28T12:50:00.000000Z',
      uplinks: 2,
      gateways: 1,
      single_uplinks: 2,
      main_gateway: {
        gateway_eui: gatewayEuiOf(2),
        id: gateways[1],
        name: 'Gateway 2',
        uplinks: 2,
        rssi: -82.5,
        snr: 7.5,
      },
    },
    {
      id: devices[0],
      device_eui: euiOf(1),
      name: 'Device 1',
      network: 'chirpstack',
      last_heard: '2026-02-28T12:40:00.000000Z',
      uplinks: 3,
      gateways: 2,
      single_uplinks: 2,
      main_gateway: {
        gateway_eui: gatewayEuiOf(1),
        id: gateways[0],
        name: 'Gateway 1',
        uplinks: 3,
        rssi: -110,
        snr: 0.8,
      },
    },
  ])
  const one = await read('coverage/devices', { gateways: '1' })
  assert.deepEqual([one.total, one.data[0].id], [1, devices[1]])
  const page = await read('coverage/devices', { limit: '1', offset: '1' })
  assert.deepEqual([page.total, page.data.length, page.data[0].id], [2, 1, devices[0]])
  const beyond = await read('coverage/devices', { offset: '5' })
  assert.deepEqual([beyond.total, beyond.data], [2, []])
  assert.equal((await read('coverage/devices', { network: 'loriot' })).total, 0)
})

test('lists the devices that only one gateway hears', async () => {
  const alone = async (id?: number) => {
    const { data, total } = await read(`gateways/${id}/sole-devices`)
    return [data.map((one: { device_eui: string }) => one.device_eui), total]
  }
  assert.deepEqual(await alone(gateways[0]), [[], 0])
  assert.deepEqual(await alone(gateways[1]), [[euiOf(2)], 1])
})

test('whoever is limited to a group sees only the coverage of its devices', async () => {
  const group = await addGroup(service, 'Own', { selectedDevices: [devices[1] ?? 0] })
  const key = await makeKey(service, { permissions: [], group })
  const { body: radio } = await key.call('GET', `/v1/fleet/coverage?${new URLSearchParams(noon)}`)
  assert.deepEqual([radio.data.devices, radio.data.uplinks, radio.data.lost], [1, 2, 1])
  const { body: listed } = await key.call('GET', '/v1/fleet/coverage/devices')
  assert.deepEqual([listed.total, listed.data[0].id], [1, devices[1]])
  for (const path of ['radio', 'sole-devices']) {
    const { status } = await key.call('GET', `/v1/fleet/gateways/${gateways[0]}/${path}`)
    assert.equal(status, 403, path)
  }
  const gone = await read('coverage', { ...noon, group: '99999' })
  assert.equal(gone.data.uplinks, 0)
})

test('a gateway of kind other hears what it delivers', async () => {
  const { id } = await addGateway(service, 3, { gateway_bridge: 'other' })
  const { db } = service.services
  await db.query('update devices set gateway_id = $1 where id = $2', [id, devices[2]])
  await hear([3, 1, '12:20:00', 7, {}])
  const { data, total } = await read(`gateways/${id}/sole-devices`)
  assert.deepEqual([total, data[0].id, data[0].main_gateway.id], [1, devices[2], id])
  const radio = (await read(`gateways/${id}/radio`, noon)).data
  const { uplinks, received, lost, points } = radio
  assert.deepEqual([uplinks, received, lost, points[0].rssi], [1, 1, 0, null])
})

test('reads the newest uplinks of a range that holds too many, and says so', async () => {
  const id = await addLocalDevice(service, 7, {}, other)
  const count = mostUplinks + 1500
  await fill(other.organizationId, id, count)
  const { data } = await read('coverage', noon, other)
  assert.deepEqual(
    [data.is_complete, data.uplinks, data.lost, data.untimed],
    [false, mostUplinks, 0, mostUplinks],
  )
  assert.equal(data.since, '2026-02-28T12:01:15.000000Z')
  const few = await read('coverage', { ...noon, since: '2026-02-28T12:40:00Z' }, other)
  assert.deepEqual(
    [few.data.is_complete, few.data.uplinks, few.data.since],
    [true, count - 48_000, '2026-02-28T12:40:00.000000Z'],
  )
})

/** Stores uplinks from noon on, every twentieth of a second. */
async function fill(organizationId: number, deviceId: number, count: number): Promise<void> {
  await service.services.db.query(
    `with made as (
       insert into uplinks (
         organization_id, ordinal, device_id, device_ordinal, deduplication_key, event_time,
         received_at, event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port,
         f_cnt, receptions
       )
       select $1, number, $2, number, 'filled ' || number, placed.at, placed.at, 'UNKNOWN', '{}',
         '{}', '', '', 1, number, '[]'
       from generate_series(1, $3::integer) as number
       cross join lateral (
         select timestamptz '2026-02-28T12:00:00Z' + (number - 1) * interval '50 ms' as at
       ) as placed
     )
     update organization_counters set uplink_count = $3::integer where organization_id = $1`,
    [organizationId, deviceId, count],
  )
}

test('refuses ranges that make no sense, and unknown parameters', async () => {
  const wrong: [string, string][] = [
    ['coverage?since=2026-03-01T00:00:00Z&until=2026-02-01T00:00:00Z', 'since'],
    ['coverage?points=0', 'points'],
    ['coverage?from=2026-03-01T00:00:00Z', 'from'],
    [`gateways/${gateways[0]}/radio?since=yesterday`, 'since'],
    ['coverage/devices?gateways=-1', 'gateways'],
    ['coverage/devices?limit=1001', 'limit'],
  ]
  for (const [path, field] of wrong) {
    const { status, body } = await service.call('GET', `/v1/fleet/${path}`)
    assert.equal(status, 422, path)
    assert.ok(body.errors[field], path)
  }
})
