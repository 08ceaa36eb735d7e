import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startTestService } from '../../../test/service.ts'
import { mostUplinks } from './measurement-queries.ts'

const service = await startTestService({ after })
const callback = await connectChirpStack(service)

let devices = 0
async function makeDevice(): Promise<{ id: number; eui: string }> {
  devices += 1
  const eui = `00AA0000000000${devices.toString(16).padStart(2, '0')}`
  return { id: await addLocalDevice(service, eui, { deviceType: 112 }), eui }
}

async function send(eui: string, hex: string, time: string): Promise<void> {
  const { status } = await post(service, callback, makeUp({ eui, hex, time }))
  assert.equal(status, 200)
}

/** An air temperature (°C) and a humidity (%), both with one decimal. */
function air(temperature: number, humidity: number): string {
  const tenths = (value: number) => [Math.floor(value), Math.round((value % 1) * 10) << 4]
  const bytes = [0x10, 0x0d, 0, ...tenths(temperature), ...tenths(humidity)]
  return Uint8Array.from(bytes).toHex()
}

async function show(eui: string, query: Record<string, string> = {}) {
  const text = new URLSearchParams(query)
  return service.call('GET', `/v1/devices/${eui}/measurements?${text}`)
}

async function read(eui: string, query: Record<string, string> = {}) {
  const { status, body, text } = await show(eui, query)
  assert.equal(status, 200, text)
  return body.data
}

const noon = { from: '2026-02-28T12:00:00Z', to: '2026-02-28T13:00:00Z' }

test('shows lowest, highest and average value of equal parts of the range', async () => {
  const { eui } = await makeDevice()
  await send(eui, air(20.5, 50), '2026-02-28T12:00:00Z')
  await send(eui, air(21.5, 40), '2026-02-28T12:14:59.999999Z')
  await send(eui, air(19, 45.5), '2026-02-28T12:45:00Z')
  const [temperature, ...others] = await read(eui, { ...noon, points: '4', keys: 'temperature' })
  assert.deepEqual(others, [])
  assert.deepEqual(temperature, {
    key: 'temperature',
    name: 'temperature',
    label: 'Temperature',
    quantity: 'air.temperature',
    unit: '°C',
    kind: 'number',
    decimals: 1,
    latest: { value: 19, time: '2026-02-28T12:45:00.000000Z' },
    points: [
      { time: '2026-02-28T12:00:00.000000Z', min: 20.5, max: 21.5, average: 21, count: 2 },
      { time: '2026-02-28T12:45:00.000000Z', min: 19, max: 19, average: 19, count: 1 },
    ],
  })
})

test('holds its beginning and not its end', async () => {
  const { eui } = await makeDevice()
  await send(eui, air(1, 10), '2026-02-28T11:59:59.999999Z')
  await send(eui, air(2, 20), '2026-02-28T12:00:00Z')
  await send(eui, air(3, 30), '2026-02-28T13:00:00Z')
  const [{ latest, points }] = await read(eui, { ...noon, keys: 'temperature', points: '1' })
  assert.equal(latest.value, 2)
  assert.deepEqual(points, [
    { time: '2026-02-28T12:00:00.000000Z', min: 2, max: 2, average: 2, count: 1 },
  ])
})

test('finds the uplinks of a range whatever the order in which they came', async () => {
  const { eui } = await makeDevice()
  const other = await makeDevice()
  const hour = 60 * 60 * 1000
  const begin = Date.parse('2026-02-01T00:00:00Z')
  const at = (hours: number) => new Date(begin + hours * hour).toISOString()
  // The index has windows of six hours: these are in each of them, and lie on their borders.
  const hours = Array.from({ length: 30 }, (_, turn) => ((turn * 7) % 30) * 5 - 72)
  for (const time of [...hours, -300_000, 200_000]) await send(eui, air(20, 50), at(time))
  await send(other.eui, air(20, 50), at(1))
  const ranges = [
    [-72, -66],
    [-12, 12],
    [-6, 0],
    [0, 6],
    [-72.5, 70.5],
    [-90, 90],
    [-400_000, 300_000],
  ]
  for (const [from = 0, to = 0] of ranges) {
    const range = { from: at(from), to: at(to) }
    const within = [...hours, -300_000, 200_000].filter((time) => time >= from && time < to)
    const [{ latest, points }] = await read(eui, { ...range, keys: 'temperature', points: '1' })
    assert.equal(points[0].count, within.length, JSON.stringify(range))
    assert.equal(Date.parse(latest.time), Date.parse(at(Math.max(...within))))
  }
})

test('without keys shows every number of the range, and no other value', async () => {
  const { eui, id } = await makeDevice()
  await send(eui, air(20, 50), '2026-02-28T12:00:00Z')
  await send(eui, '11010a0129', '2026-02-28T12:10:00Z')
  await send(eui, '120301', '2026-02-28T12:20:00Z')
  await send(eui, '1310000064', '2026-02-28T14:00:00Z')
  const found = await read(String(id), noon)
  assert.deepEqual(
    found.map(({ key, unit, latest }: { key: string; unit: string; latest: { value: number } }) => [
      key,
      unit,
      latest.value,
    ]),
    [
      ['battery', 'V', 2.9],
      ['humidity', '%', 50],
      ['sensorState', null, 1],
      ['temperature', '°C', 20],
    ],
  )
})

test('shows keys in the order in which they are asked, also those without a value', async () => {
  const { eui } = await makeDevice()
  await send(eui, air(20, 50), '2026-02-28T12:00:00Z')
  const keys = 'temperature,nothing,humidity,temperature,'
  const found = await read(eui, { ...noon, keys })
  assert.deepEqual(
    found.map(({ key }: { key: string }) => key),
    ['temperature', 'nothing', 'humidity'],
  )
  const nothing = { quantity: null, unit: null, decimals: null, latest: null, points: [] }
  assert.deepEqual(found[1], {
    ...{ key: 'nothing', name: 'nothing', label: 'Nothing', kind: 'number' },
    ...nothing,
  })
  assert.deepEqual(await read(eui, { keys: 'eventDescription' }), [
    {
      key: 'eventDescription',
      name: 'eventDescription',
      label: 'Message',
      kind: 'text',
      ...nothing,
    },
  ])
})

test('takes the last 24 hours unless asked otherwise', async () => {
  const { eui } = await makeDevice()
  await send(eui, air(1, 10), '2026-02-28T11:40:00Z')
  await send(eui, air(2, 20), '2026-02-28T12:00:00Z')
  await send(eui, air(3, 30), '2026-03-01T11:59:59Z')
  service.setClock(new Date('2026-03-01T12:00:00Z'))
  const [, { latest, points }] = await read(eui)
  assert.equal(latest.value, 3)
  assert.equal(points.length, 2)
  assert.equal(points[0].time, '2026-02-28T12:00:00.000000Z')
  const [, day] = await read(eui, { to: '2026-03-01T11:00:00Z' })
  assert.deepEqual(
    day.points.map(({ min }: { min: number }) => min),
    [1, 2],
  )
  assert.deepEqual(await read(eui, { from: '2026-03-01T11:59:59.5Z' }), [])
})

test('gives late frames their place in time, and of one moment the one that came last', async () => {
  const { eui } = await makeDevice()
  for (const [value, minute] of [
    [5, 30],
    [1, 10],
    [4, 30],
  ] as const) {
    await send(eui, air(value, 50), `2026-02-28T12:${minute}:00Z`)
  }
  const [{ latest, points }] = await read(eui, { ...noon, keys: 'temperature', points: '6' })
  assert.equal(latest.value, 4)
  assert.deepEqual(
    points.map(({ min, count }: { min: number; count: number }) => [min, count]),
    [
      [1, 1],
      [4, 2],
    ],
  )
})

test('a device without uplinks has nothing to show', async () => {
  const { eui } = await makeDevice()
  assert.deepEqual(await read(eui), [])
})

test('has no more points than asked for, in a range of centuries as in one of milliseconds', async () => {
  const { eui } = await makeDevice()
  const start = Date.UTC(2026, 1, 28, 12)
  for (let index = 0; index < 12; index += 1) {
    await send(eui, air(index, 50), new Date(start + index).toISOString())
  }
  const ranges = [
    ['1970-01-01', '9999-12-31', 1],
    ['2026-02-28T12:00:00.000Z', '2026-02-28T12:00:00.012Z', 7],
    ['2026-02-28T13:00:00.004+01:00', '2026-02-28T13:00:00.005+01:00', 1],
  ] as const
  for (const [from, to, most] of ranges) {
    const [{ points }] = await read(eui, { from, to, points: '7', keys: 'temperature' })
    assert.ok(points.length >= 1 && points.length <= most, `${from}: ${points.length}`)
  }
})

test('says what is wrong with a request', async () => {
  const { eui } = await makeDevice()
  const time = (label: string) => `The ${label} must be a time such as 2026-02-28T12:00:00Z.`
  const points = 'The points must be an integer from 1 to 1000.'
  const many = Array.from({ length: 51 }, (_, index) => `k${index}`).join(',')
  const keys = 'The keys must be up to 50 names, separated by commas.'
  const wrong: [query: Record<string, string>, errors: Record<string, string[]>][] = [
    [{ from: 'yesterday' }, { from: [time('from')] }],
    [{ to: '2026-13-01T00:00:00Z' }, { to: [time('to')] }],
    [{ from: '2026-02-30' }, { from: [time('from')] }],
    [{ from: '2026-02-29T12:00:00Z' }, { from: [time('from')] }],
    [
      { to: '0000-01-01', from: '99999-01-01' },
      { to: [time('to')], from: [time('from')] },
    ],
    [{ from: '2026-02-28T12:00:00' }, { from: [time('from')] }],
    [{ points: '0' }, { points: [points] }],
    [{ points: '1001' }, { points: [points] }],
    [{ keys: many }, { keys: [keys] }],
    [{ keys: 'a\u0000b' }, { keys: [keys] }],
    [{ from: noon.to, to: noon.from }, { from: ['The from must be before the to.'] }],
    [{ from: noon.to, to: noon.to }, { from: ['The from must be before the to.'] }],
  ]
  for (const [query, errors] of wrong) {
    const { status, body } = await show(eui, query)
    assert.equal(status, 422, JSON.stringify(query))
    assert.deepEqual(body.errors, errors)
  }
  assert.equal((await show('00AA0000000000FF')).status, 404)
  assert.equal((await show('nobody')).status, 404)
})

/** Uplinks written at once, a second apart, as a codec may have decoded them. */
async function fill(deviceId: number, count: number, decoded: string): Promise<void> {
  await service.services.db.query(
    `with counted as (
       update device_states set uplink_count = $2::integer where device_id = $1
     )
     insert into uplinks (organization_id, ordinal, device_id, device_ordinal, deduplication_key,
       event_time, event_type, sensor_sequence, decoded_object, decoded_message, payload, f_port,
       f_cnt, receptions)
     select 1, 1000000 * $1::bigint + n, $1, n, n, timestamptz '2026-01-01Z' + n * interval '1 s',
       'UNKNOWN', '{}', $3::jsonb, '', '', 1, n, '[]'
     from generate_series(1, $2::integer) as n`,
    [deviceId, count, decoded],
  )
}

test('refuses a range that holds more uplinks than one request may cost', async () => {
  const { id, eui } = await makeDevice()
  await fill(id, mostUplinks + 1, '{"eventDescription": "x", "level": 1}')
  const january = { from: '2026-01-01', to: '2026-02-01' }
  const { status, body } = await show(eui, january)
  assert.equal(status, 422)
  assert.match(body.errors.from[0], /more than 100,000 uplinks/)
  const [{ points }] = await read(eui, { ...january, from: '2026-01-01T00:00:02Z', points: '1' })
  assert.equal(points[0].count, mostUplinks)
})

test('reads any number that JavaScript can write, and at most 50 keys', async () => {
  const { id, eui } = await makeDevice()
  const numbers = [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53, 0.1]
  const decoded: Record<string, unknown> = { eventDescription: 'x', nested: { a: 1 }, list: [1] }
  for (const [index, number] of numbers.entries()) decoded[`a${index}`] = number
  for (let index = 10; index < 90; index += 1) decoded[`b${index}`] = index
  await fill(id, 3, JSON.stringify(decoded))
  const found = await read(eui, { from: '2026-01-01', to: '2026-01-02', points: '1' })
  assert.equal(found.length, 50)
  for (const [index, number] of numbers.entries()) {
    const { key, latest, points } = found[index]
    assert.equal(key, `a${index}`)
    assert.equal(latest.value, number)
    assert.deepEqual([points[0].min, points[0].max, points[0].average], [number, number, number])
  }
})

test('gives an average that no double is close to as 0', async () => {
  const { eui, id } = await makeDevice()
  await fill(id, 6, '{"eventDescription": "x", "tiny": 0}')
  await service.services.db.query(
    `update uplinks set decoded_object = '{"tiny": 5e-324}' where device_id = $1 and f_cnt = 1`,
    [id],
  )
  const [{ points }] = await read(eui, { from: '2026-01-01', to: '2026-01-02', points: '1' })
  assert.deepEqual([points[0].min, points[0].max, points[0].average], [0, 5e-324, 0])
})

test('knows no units of a type that is not built in', async () => {
  const { id, eui } = await makeDevice()
  await service.services.db.query('update devices set type_id = 1000000 where id = $1', [id])
  await fill(id, 1, '{"eventDescription": "x", "temperature": 71.2}')
  const [{ unit, latest }] = await read(eui, { from: '2026-01-01', to: '2026-01-02' })
  assert.deepEqual([unit, latest.value], [null, 71.2])
})
