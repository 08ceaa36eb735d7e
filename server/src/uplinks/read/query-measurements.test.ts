import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeKey } from '../../../test/api-keys.ts'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addType } from '../../../test/device-types.ts'
import { addGroup, addLocalDevice, euiOf } from '../../../test/fleet.ts'
import { foundOrganization, joinMember } from '../../../test/members.ts'
import { startTestService } from '../../../test/service.ts'
import { rollUp } from '../rollups/roll-up.ts'

const service = await startTestService({ after })
const { db } = service.services
const callback = await connectChirpStack(service)

/** Sensors of air, the last of them without an uplink, and a door. */
const airType = 112
const ids: number[] = []
for (const number of [1, 2, 3]) {
  ids.push(await addLocalDevice(service, number, { deviceType: airType }))
}
ids.push(await addLocalDevice(service, 4))
const above = await addGroup(service, 'Building', { selectedDevices: ids.slice(3) })
const group = await addGroup(service, 'Cold store', {
  selectedDevices: [ids[0] ?? 0, ids[2] ?? 0],
  selectedGroup: above,
})

/** Tenths of °C, and % of humidity. */
function air(tenths: number, humidity: number): string {
  const bytes = [0x10, 0x0d, 0, Math.floor(tenths / 10), (tenths % 10) << 4, humidity, 0]
  return Uint8Array.from(bytes).toHex()
}

async function send(number: number, hex: string, time: string): Promise<void> {
  const { status, text } = await post(service, callback, makeUp({ eui: euiOf(number), hex, time }))
  assert.equal(status, 200, text)
}

await send(1, air(205, 40), '2026-02-28T12:00:00Z')
await send(1, air(215, 42), '2026-02-28T12:07:00Z')
await send(2, air(50, 80), '2026-02-28T12:07:30Z')
await rollUp(db)
await send(1, air(301, 50), '2026-02-28T13:59:59Z')
await send(4, '100301', '2026-02-28T12:00:00Z')

const ask = (body: Record<string, unknown>, as = service.owner) =>
  service.call('POST', '/v1/measurements/query', { as, body: { ...range, ...body } })
const range = { from: '2026-02-28T00:00:00Z', to: '2026-03-01T00:00:00Z' }
const temperature = { measurement: 'temperature' }

async function read(body: Record<string, unknown>, as = service.owner) {
  const { status, body: answer, text } = await ask(body, as)
  assert.equal(status, 200, text)
  return answer.data
}

const namesOf = (data: { device_id: string; measurement: string }[]) =>
  data.map(({ device_id, measurement }) => [device_id, measurement])

test('a quantity is also what every sensor sends: its battery', async () => {
  const supervisory = Uint8Array.from([0x11, 0x01, 0, 1, 0x29]).toHex()
  await send(4, supervisory, '2026-02-28T15:10:00Z')
  const series = [{ devices: [euiOf(4)], quantity: 'battery' }]
  const [battery, ...others] = await read({ step: '1h', aggregate: ['last'], series })
  assert.deepEqual(others, [])
  assert.deepEqual([battery.unit, battery.points], ['V', [['2026-02-28T15:00:00.000000Z', 2.9]]])
})

test('sums each measurement up by step, with what it is', async () => {
  const aggregate = ['min', 'avg', 'max', 'count', 'last']
  const series = [{ devices: [euiOf(1).toLowerCase()], ...temperature }]
  assert.deepEqual(await read({ step: '1h', aggregate, series }), [
    {
      device_id: euiOf(1),
      device_name: 'Device 1',
      measurement: 'temperature',
      quantity: 'air.temperature',
      label: 'Temperature',
      unit: '°C',
      points: [
        ['2026-02-28T12:00:00.000000Z', 20.5, 21, 21.5, 2, 21.5],
        ['2026-02-28T13:00:00.000000Z', 30.1, 30.1, 30.1, 1, 30.1],
      ],
    },
  ])
  const [{ points }] = await read({ step: '1d', aggregate: ['count', 'max'], series })
  assert.deepEqual(points, [['2026-02-28T00:00:00.000000Z', 3, 30.1]])
})

test('a quantity has one unit, whatever the sensors send', async () => {
  await addLocalDevice(service, 8, { deviceType: 60 })
  const codec = 'function decodeUplink({ bytes }) { return { data: { p: bytes[0] * 10 } } }'
  const measurements = [{ name: 'p', quantity: 'air.pressure', unit: 'kPa' }]
  const type = await addType(service, { codec, measurements })
  await addLocalDevice(service, 9, { deviceType: type.id })
  await send(8, '1a1b03ffd220cc0187', '2026-02-28T12:00:00Z')
  await send(9, '0a', '2026-02-28T12:00:00Z')
  const series = [{ devices: [euiOf(8), euiOf(9)], quantity: 'air.pressure' }]
  const found = await read({ step: '5m', aggregate: ['max', 'count'], series })
  assert.deepEqual(
    found.map(({ unit, points }: { unit: string; points: unknown[][] }) => [unit, points[0]]),
    [
      ['hPa', ['2026-02-28T12:00:00.000000Z', 839.6, 1]],
      ['hPa', ['2026-02-28T12:00:00.000000Z', 1000, 1]],
    ],
  )
  const asked = 'measurements?keys=pressure&from=2026-02-28T00:00:00Z&to=2026-03-01T00:00:00Z'
  const { body } = await service.call('GET', `/v1/devices/${euiOf(8)}/${asked}`)
  const [{ unit, latest, points }] = body.data
  assert.deepEqual([unit, latest.value, points[0].average], ['hPa', 839.6, 839.6])
  const page = await service.call('GET', `/v1/fleet/devices/${euiOf(8)}`)
  assert.match(page.body.data.reading.text, /839\.6 hPa/)
})

test('tells how long a door was open in each step, until now', async () => {
  const asked = {
    aggregate: ['time_in'],
    series: [{ group: above, quantity: 'action.contactState' }],
  }
  const [door, ...others] = await read({ ...asked, step: '1d', to: '2026-03-03T00:00:00Z' })
  assert.deepEqual(others, [])
  assert.deepEqual(
    [door.device_id, door.unit, door.values],
    [euiOf(4), 's', [{ value: 'open', text: 'Open' }]],
  )
  const hours = door.points.map(([time, seconds]: [string, number]) => [
    time.slice(5, 10),
    seconds / 3600,
  ])
  assert.deepEqual(hours, [
    ['02-28', 12],
    ['03-01', 12],
  ])
})

test('reads steps below an hour from the uplinks', async () => {
  const series = [{ devices: [euiOf(1)], ...temperature }]
  const [{ points }] = await read({ step: '5m', series })
  assert.deepEqual(points, [
    ['2026-02-28T12:00:00.000000Z', 20.5],
    ['2026-02-28T12:05:00.000000Z', 21.5],
    ['2026-02-28T13:55:00.000000Z', 30.1],
  ])
})

test('widens the range to whole steps, of days in the time zone and of weeks from Monday', async () => {
  const series = [{ devices: [euiOf(1)], ...temperature }]
  const asked = { from: '2026-02-28T13:10:00Z', to: '2026-02-28T13:20:00Z', series }
  const begin = async (step: string, zone: string) => {
    const [{ points }] = await read({ ...asked, step, time_zone: zone, aggregate: ['count'] })
    return points
  }
  assert.deepEqual(await begin('1h', 'UTC'), [['2026-02-28T13:00:00.000000Z', 1]])
  assert.deepEqual(await begin('6h', 'America/New_York'), [['2026-02-28T11:00:00.000000Z', 3]])
  assert.deepEqual(await begin('1d', 'Pacific/Auckland'), [['2026-02-28T11:00:00.000000Z', 3]])
  assert.deepEqual(await begin('1d', 'Asia/Kathmandu'), [['2026-02-27T18:15:00.000000Z', 3]])
  assert.deepEqual(await begin('1w', 'UTC'), [['2026-02-23T00:00:00.000000Z', 3]])
  const starts: unknown[] = []
  for (const week_start of ['sunday', 'saturday']) {
    const [{ points }] = await read({ ...asked, step: '1w', week_start })
    starts.push(points[0][0])
  }
  assert.deepEqual(starts, ['2026-02-22T00:00:00.000000Z', '2026-02-28T00:00:00.000000Z'])
})

test('a day of a change of the clock is one step', async () => {
  const series = [{ devices: [euiOf(2)], ...temperature }]
  for (const time of ['2026-03-28T23:59:59Z', '2026-03-29T00:00:00Z', '2026-03-29T21:59:59Z']) {
    await send(2, air(100, 50), time)
  }
  await send(2, air(100, 50), '2026-03-29T22:00:00Z')
  const asked = { from: '2026-03-28T23:00:00Z', to: '2026-03-30T22:00:00Z', series }
  const [{ points }] = await read({
    ...asked,
    ...{ step: '1d', time_zone: 'Europe/Berlin', aggregate: ['count'] },
  })
  assert.deepEqual(points, [
    ['2026-03-28T23:00:00.000000Z', 3],
    ['2026-03-29T22:00:00.000000Z', 1],
  ])
})

test('chooses devices by group, type, tag and quantity, each measurement once', async () => {
  const one = [{ group: above, ...temperature }]
  assert.deepEqual(namesOf(await read({ series: one })), [[euiOf(1), 'temperature']])
  const two = [
    { device_type: airType, quantity: 'air.relativeHumidity' },
    { devices: [euiOf(3), euiOf(1)], measurement: 'humidity' },
  ]
  assert.deepEqual(namesOf(await read({ series: two })), [
    [euiOf(1), 'humidity'],
    [euiOf(2), 'humidity'],
    [euiOf(3), 'humidity'],
  ])
  const body = { tags: { floor: '2' } }
  for (const number of [2, 4]) await service.call('PATCH', `/v1/devices/${euiOf(number)}`, { body })
  for (const tag of ['floor', 'floor:2']) {
    const tagged = await read({ series: [{ tag, ...temperature }] })
    assert.deepEqual(namesOf(tagged), [[euiOf(2), 'temperature']])
  }
  assert.deepEqual(await read({ series: [{ tag: 'floor:3', ...temperature }] }), [])
  const key = await makeKey(service, { tag: 'floor' })
  const ofType = { ...range, series: [{ device_type: airType, ...temperature }] }
  const limited = await key.call('POST', '/v1/measurements/query', { body: ofType })
  assert.deepEqual(namesOf(limited.body.data), [[euiOf(2), 'temperature']])
  const none = [{ group, quantity: 'soil.moisture' }]
  assert.deepEqual(await read({ series: none }), [])
})

test('answers devices in the order in which people read their names', async () => {
  for (const [number, device_name] of [
    [1, 'Device 10'],
    [2, 'device 9'],
  ] as const) {
    await service.call('PATCH', `/v1/devices/${euiOf(number)}`, { body: { device_name } })
  }
  const data = await read({ series: [{ device_type: airType, measurement: 'humidity' }] })
  const names = data.map(({ device_name }: { device_name: string }) => device_name)
  assert.deepEqual(names, ['device 9', 'Device 10'])
})

test('a limited member or key sees only its group', async () => {
  const member = await joinMember(service, 'limited@example.test', [])
  const path = `/v1/organization/users/${member.userId}`
  assert.equal((await service.call('PATCH', path, { body: { group } })).status, 200)
  const key = await makeKey(service, { group })
  const byKey = (body: Record<string, unknown>) =>
    key.call('POST', '/v1/measurements/query', { body: { ...range, ...body } })
  for (const send of [(body: Record<string, unknown>) => ask(body, member), byKey]) {
    const ofType = await send({ series: [{ device_type: airType, ...temperature }] })
    assert.deepEqual(namesOf(ofType.body.data), [[euiOf(1), 'temperature']])
    const outside = await send({ series: [{ devices: [euiOf(1), euiOf(2)], ...temperature }] })
    assert.deepEqual(
      [outside.status, outside.body.errors],
      [422, { 'series.0.devices.1': ['The selected device is invalid.'] }],
    )
    const higher = await send({ series: [{ group: above, ...temperature }] })
    assert.deepEqual(higher.body.errors, { 'series.0.group': ['The selected group is invalid.'] })
  }
  const stranger = await foundOrganization(service, 'stranger@example.test')
  const { status } = await ask({ series: [{ devices: [euiOf(1)], ...temperature }] }, stranger)
  assert.equal(status, 422)
})

test('chooses a step for the length of the range and the number of series', async () => {
  const series = [{ devices: [euiOf(1)], ...temperature }]
  const startsOf = async (to: string) => {
    const [{ points }] = await read({ to, series })
    return points.map(([time]: [string]) => time.slice(5, 16))
  }
  assert.deepEqual(await startsOf('2026-03-01T00:00:00Z'), [
    '02-28T12:00',
    '02-28T12:05',
    '02-28T13:55',
  ])
  assert.deepEqual(await startsOf('2026-03-30T00:00:00Z'), ['02-28T12:00', '02-28T13:00'])
  assert.deepEqual(await startsOf('2027-02-28T00:00:00Z'), ['02-28T12:00'])
  assert.deepEqual(await startsOf('2036-02-28T00:00:00Z'), ['02-23T00:00'])
})

const series = [{ devices: [euiOf(1)], ...temperature }]
const refusals: [Record<string, unknown>, string, RegExp][] = [
  [{ series: [] }, 'series', /1 to 20/],
  [{ series, from: 'yesterday' }, 'from', /must be a time/],
  [{ series, from: '2026-03-02T00:00:00Z' }, 'from', /before the to/],
  [{ series, step: '7s' }, 'step', /must be one of: auto, 1m,/],
  [{ series, step: '1m', to: '2026-03-02T00:00:00Z' }, 'step', /more than 1,000 points/],
  [{ series, aggregate: ['median'] }, 'aggregate.0', /must be a list of: min, avg/],
  [{ series, aggregate: ['avg', 'time_in'] }, 'aggregate', /or time_in alone/],
  [{ series, aggregate: ['time_in'], step: '30m' }, 'step', /an hour or more/],
  [{ series, time_zone: 'Mars/Olympus' }, 'time_zone', /name of one/],
  [{ series: [temperature] }, 'series.0', /exactly one of: devices, group, device_type, tag/],
  [{ series: [{ devices: [1] }] }, 'series.0', /exactly one of: measurement, quantity/],
  [{ series: [{ ...series[0], group }] }, 'series.0', /exactly one of/],
  [{ series: [{ tag: { floor: '2' }, ...temperature }] }, 'series.0.tag', /such as floor:2/],
  [{ series: [{ tag: '', ...temperature }] }, 'series.0.tag', /required/],
  [{ series: [{ devices: [], ...temperature }] }, 'series.0.devices', /1 to 1,000/],
  [{ series: [{ devices: ['x'], ...temperature }] }, 'series.0.devices.0', /invalid/],
  [{ series: [{ group: 999_999, ...temperature }] }, 'series.0.group', /invalid/],
]

test('says what is wrong with a request', async () => {
  for (const [body, field, message] of refusals) {
    const { status, body: answer, text } = await ask(body)
    assert.equal(status, 422, text)
    assert.match(String(answer.errors[field]), message, text)
  }
})

test('refuses more series, and more points together, than one answer may have', async () => {
  await db.query(
    `with made as (
       insert into devices (organization_id, device_eui, join_eui, name, type_id, network,
         register_method, register_status, user_id, created_at, updated_at, is_console_only,
         commissioned_at)
       select 1, 'F' || lpad(number::text, 15, '0'), '', 'Many',
         5, network, register_method, register_status, user_id, now(), now(), true, now()
       from devices, generate_series(1, 1001) as number where devices.eui = $1
       returning id
     )
     insert into device_states (device_id, organization_id) select id, 1 from made`,
    [euiOf(1)],
  )
  const tooMany = await ask({ series: [{ device_type: 5, ...temperature }] })
  assert.match(String(tooMany.body.errors?.['series.0']), /more than 1,000 series/)
  const [last] = await db.query<{ id: number }>('select max(id) as id from devices')
  await db.query('update devices set type_id = 6 where id = $1', [last?.id])
  const month = { to: '2026-03-28T00:00:00Z', series: [{ device_type: 5, ...temperature }] }
  const { body } = await ask({ ...month, step: '1h' })
  assert.match(String(body.errors?.step), /250,000 of all/)
  assert.deepEqual(await read(month), [])
})
