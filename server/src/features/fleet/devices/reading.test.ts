import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connectChirpStack, makeUp, post } from '../../../../test/chirpstack-uplinks.ts'
import { addType } from '../../../../test/device-types.ts'
import { addLocalDevice, euiOf } from '../../../../test/fleet.ts'
import { startTestService } from '../../../../test/service.ts'

/** What a sensor says, wherever devices and uplinks are listed. */

const service = await startTestService({ after })
const callback = await connectChirpStack(service)
const supervisory = '12011a0128'

let count = 0
async function addSender(deviceType: number, frames: readonly string[]) {
  count += 1
  const eui = euiOf(count)
  await addLocalDevice(service, eui, { deviceType })
  for (const [minute, hex] of frames.entries()) {
    const time = `2026-02-28T12:0${minute}:00Z`
    assert.equal((await post(service, callback, makeUp({ eui, hex, time }))).status, 200)
  }
  return eui
}

async function get(path: string) {
  const answer = await service.call('GET', `/v1${path}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

async function readingOf(eui: string) {
  const page = await get(`/fleet/devices/${eui}`)
  const [row] = await get(`/fleet/devices?ids=${page.id}`)
  assert.deepEqual(row.reading, page.reading)
  return page.reading
}

const built: [string, number, string[], string][] = [
  ['a door', 16, ['100300', '110301', supervisory], 'Open'],
  ['water', 19, ['10080080', supervisory], 'Water detected'],
  ['a dry floor', 19, ['10080105'], 'Dry'],
  ['air', 112, ['100d0015703100', supervisory], '21.7 °C · 49 %'],
  ['a tilt', 40, ['100a000c'], 'Tilted 12°'],
  ['a button', 105, ['10060300'], 'Button pressed'],
]
for (const [name, type, frames, text] of built) {
  test(`shows the last reading of ${name}, also after messages of its health`, async () => {
    const { text: shown, time } = await readingOf(await addSender(type, frames))
    assert.equal(shown, text)
    assert.equal(
      time,
      frames.length === 3 ? '2026-02-28T12:01:00.000000Z' : '2026-02-28T12:00:00.000000Z',
    )
  })
}

test('has no reading of a device that was never heard, or told only its health', async () => {
  assert.equal(await readingOf(await addSender(16, [])), null)
  assert.equal(await readingOf(await addSender(16, [supervisory])), null)
})

test('each uplink has its own reading, and the part of each measurement', async () => {
  const eui = await addSender(112, ['100d0015703100', supervisory, '1000112788', '100d0016003200'])
  const uplinks: { reading: { text: string; time: string; parts: object[] } | null }[] = await get(
    `/fleet/uplinks?device=${eui}`,
  )
  assert.deepEqual(
    uplinks.map(({ reading }) => reading?.text ?? null),
    ['22.0 °C · 50 %', null, 'Battery 2.8 V', '21.7 °C · 49 %'],
  )
  assert.deepEqual(uplinks[3]?.reading, {
    text: '21.7 °C · 49 %',
    parts: [
      {
        ...{ name: 'temperature', label: 'Temperature', value: 21.7, unit: '°C' },
        ...{ decimals: 1, prefix: '', text: '21.7 °C' },
      },
      {
        ...{ name: 'humidity', label: 'Humidity', value: 49, unit: '%' },
        ...{ decimals: 0, prefix: '', text: '49 %' },
      },
    ],
    time: '2026-02-28T12:00:00.000000Z',
  })
})

test('a type of the organization says what its codec says, with its units', async () => {
  const codec = `function decodeUplink({ bytes }) { return { data: { battery: 3.1, air_temperature:
    { value: bytes[0] / 2, unit: '°C', displayName: 'Air temperature' } } } }`
  const type = await addType(service, { codec })
  const eui = await addSender(type.id, ['29', '2b'])
  assert.deepEqual(await readingOf(eui), {
    text: '21.5 °C',
    parts: [
      {
        ...{ name: 'air_temperature.value', label: 'Air temperature' },
        ...{ value: 21.5, unit: '°C', decimals: null, prefix: '', text: '21.5 °C' },
      },
    ],
    time: '2026-02-28T12:01:00.000000Z',
  })
  const [newest] = await get(`/fleet/uplinks?device=${eui}`)
  assert.equal(newest.reading.text, '21.5 °C')
})

test('the owner of a type says what its values are, at any time', async () => {
  const codec = `function decodeUplink({ bytes }) { return { data: {
    t1: bytes[0] / 2, rh: String(bytes[1]), crc: 7 } } }`
  const type = await addType(service, { codec })
  const eui = await addSender(type.id, ['2b31'])
  assert.equal((await readingOf(eui)).text, 'T1 21.5')
  const measurements = [
    {
      name: 't1',
      label: 'Room',
      quantity: 'air.temperature',
      unit: '°C',
      decimals: 1,
      is_headline: true,
    },
    { name: 'rh', label: 'Humidity', kind: 'number', unit: '%', is_headline: true },
    { name: 'crc', is_hidden: true },
  ]
  const change = async (body: object) =>
    service.call('PATCH', `/v1/device-types/${type.id}`, { body })
  const changed = await change({ measurements })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.body.data.measurements, measurements)
  assert.deepEqual((await get(`/device-types/${type.id}`)).measurements, measurements)
  assert.equal((await readingOf(eui)).text, '21.5 °C · 49 %')
  const range = 'from=2026-02-28T12:00:00Z&to=2026-02-28T13:00:00Z'
  const rows: { name: string; label: string; quantity: string | null }[] = await get(
    `/devices/${eui}/measurements?${range}`,
  )
  assert.deepEqual(
    rows.map(({ name, label, quantity }) => [name, label, quantity]),
    [['t1', 'Room', 'air.temperature']],
  )
  const asked = await service.call('POST', '/v1/measurements/query', {
    body: {
      ...{ from: '2026-02-28T12:00:00Z', to: '2026-02-28T13:00:00Z', step: '5m' },
      ...{ aggregate: ['max'], series: [{ devices: [eui], quantity: 'air.temperature' }] },
    },
  })
  assert.deepEqual(asked.body.data[0].points[0].slice(1), [21.5])
  assert.deepEqual((await change({ part_number: 'X' })).body.data.measurements, measurements)
  for (const wrong of [
    [{ label: 'x' }],
    [{ name: 'a' }, { name: 'a' }],
    [{ name: 'a', kind: 'thing' }],
    [{ name: 'a', decimals: 9 }],
    Array.from({ length: 31 }, (_, index) => ({ name: `a${index}` })),
  ]) {
    assert.equal((await change({ measurements: wrong })).status, 422, JSON.stringify(wrong))
  }
})

test('normalizeUplink tells what the values are, but for those that the owner has declared', async () => {
  const codec = `function decodeUplink({ bytes }) { return { data: {
      TempC: bytes[0] / 2, Hum: bytes[1], limit: 30, bat: 3.1, soil: { value: bytes[1] } } } }
    function normalizeUplink({ data }) { return { data: [
      { air: { location: 'indoor', temperature: data.TempC, relativeHumidity: data.Hum } },
      { battery: data.bat * 1000 } ] } }`
  const example = (hex: string, TempC: number, Hum: number) => ({
    input: { hex, fPort: 1 },
    output: { data: { TempC, Hum, limit: 30, bat: 3.1, other: 49 } },
  })
  const examples = [example('3c31', 30, 49), example('2b32', 21.5, 50)]
  const type = await addType(service, { codec, examples })
  const humidity = { name: 'Hum', quantity: 'air.relativeHumidity', unit: '%' }
  assert.deepEqual((await get(`/device-types/${type.id}`)).measurements, [
    { name: 'TempC', quantity: 'air.temperature', unit: '°C' },
    humidity,
  ])
  assert.equal((await readingOf(await addSender(type.id, ['2b31']))).text, '49 % · 21.5 °C')
  const body = { codec: `${codec}//`, measurements: [{ name: 'TempC', label: 'Room' }] }
  const changed = await service.call('PATCH', `/v1/device-types/${type.id}`, { body })
  assert.deepEqual(changed.body.data.measurements, [{ name: 'TempC', label: 'Room' }, humidity])
})

test('CayenneLPP has the units of its format', async () => {
  const type = await addType(service, { codec: null, payload_format: 'cayenne_lpp' })
  const eui = await addSender(type.id, ['016700d7026862'])
  assert.equal((await readingOf(eui)).text, '21.5 °C · 49 %')
  const [newest] = await get(`/fleet/uplinks?device=${eui}`)
  assert.equal(newest.reading.text, '21.5 °C · 49 %')
})

test('the exports have it as a column', async () => {
  const eui = await addSender(16, ['100301'])
  const devices = await service.call('GET', '/v1/fleet/devices/export?columns=device_id,reading')
  assert.match(devices.text, new RegExp(`^${eui},Open\r$`, 'm'))
  const uplinks = await service.call('GET', `/v1/fleet/uplinks/export?device=${eui}`)
  assert.match(uplinks.text, /event_type,reading,text/)
  assert.match(uplinks.text, /DOOR_SENSOR,Open,Door Opened/)
})
