import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFrame } from './decode.ts'
import { layouts, sensors } from './index.ts'
import { ownValues } from './own-measurements.ts'
import { renderObject } from './render.ts'
import { readingOf, readingOfState } from './shown-reading.ts'

const decode = (hex: string) => decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })

function read(hex: string) {
  const reading = decode(hex)
  return readingOf({
    event_type: reading.event,
    decoded_object: renderObject(reading),
    own_type: null,
  })
}

const readings: [string, string | undefined][] = [
  ['100d0015703100', '21.7 °C · 49 %'],
  ['100d007f005050', 'Temperature above range · 81 %'],
  ['130301', 'Open'],
  ['130300', 'Closed'],
  ['10080080', 'Water detected'],
  ['10080105', 'Dry'],
  ['100a000c', 'Tilted 12°'],
  ['100f00300715', 'Tilted 48.7°'],
  ['100d0000003100', '0.0 °C · 49 %'],
  ['10060100', 'Button 1 pressed'],
  ['1805', 'Glass broken'],
  ['100b01c8', 'Light 200'],
  ['10110004d2', '12.34 mA'],
  ['121b02000003e70708', 'Wind 1.0 m/s'],
  ['1f1c001c2c1ba8', '0.28 in/s · 11.0 g'],
  ['141800ae100000022536', 'X -20976 mG · Y 0 mG · Z 549 mG'],
  ['10011c0130', 'Battery 3.0 V'],
  ['1bfb01b906', 'RSSI -71 dBm · SNR 6 dB'],
  ['110201', 'Tamper closed'],
  ['100011278850703c', undefined],
  ['16ff0311019e0000000000', undefined],
  ['1099', undefined],
]
for (const [hex, text] of readings) {
  test(`${hex} reads ${text}`, () => assert.equal(read(hex)?.text, text))
}

test('has each part with its name, label, value, unit and decimals', () => {
  const plain = { prefix: '' }
  const temperature = { name: 'temperature', label: 'Temperature', unit: '°C', decimals: 1 }
  const humidity = { name: 'humidity', label: 'Humidity', unit: '%', decimals: 0 }
  assert.deepEqual(read('100d0015703100')?.parts, [
    { ...temperature, ...plain, value: 21.7, text: '21.7 °C' },
    { ...humidity, ...plain, value: 49, text: '49 %' },
  ])
})

test('reads the state of a device as the uplink that set it', () => {
  let checked = 0
  for (const { examples, deviceTypes } of sensors) {
    for (const { hex } of examples) {
      const { event, status } = decode(hex)
      const state = status.current_sensor_state
      const typeId = deviceTypes[0]?.typeId ?? 0
      // What a button or the error of a station says is a text.
      if (state === undefined || event === 'PUSH_BUTTON' || !read(hex)) continue
      assert.deepEqual(readingOfState(typeId, state), read(hex), `${event} ${state}`)
      checked += 1
    }
  }
  assert.ok(checked > 30, `${checked}`)
})

test('has the text of a state that it cannot take apart', () => {
  const text = 'Button 1 released after hold'
  assert.deepEqual(readingOfState(106, text), { text, parts: [] })
  assert.deepEqual(readingOfState(16, '23.7 C, 61.8 %').parts, [])
})

test('every sensor says something but the bridge, which passes on what others say', () => {
  const silent = layouts
    .filter((layout) => sensors.some((sensor) => sensor === layout))
    .filter(({ examples }) => examples.every(({ hex }) => read(hex) === undefined))
  assert.deepEqual(
    silent.map(({ messages }) => messages[0]?.event),
    ['HONEYWELL_5800'],
  )
})

const own = (decoded_object: object, format: 'ts013' | 'cayenne_lpp' = 'ts013') =>
  readingOf({
    event_type: 'DECODED',
    decoded_object: { ...decoded_object },
    own_type: { format, measurements: [] },
  })?.text

test('reads what a codec gave, with the units that it gave', () => {
  const air = { value: 21.700000762939453, unit: '°C', displayName: 'Air temperature' }
  assert.equal(own({ eventDescription: 'x', air_temperature: air, battery: 3.1 }), '21.7 °C')
  const soil = { value: 9, unit: '°C', displayName: 'Soil' }
  assert.equal(own({ air, soil }), 'Air temperature 21.7 °C · Soil 9 °C')
  assert.equal(own({ temperature: 21.5, humidity: 49 }), 'Temperature 21.5 · Humidity 49')
  assert.equal(own({ door_open: true }), 'Door open yes')
  assert.equal(own({ mode: 'eco' }), 'Mode eco')
  assert.equal(own({ probes: [1, 2] }), 'Probes 0 1 · Probes 1 2')
  assert.equal(own({ battery: 92 }), 'Battery 92')
  assert.equal(own({ eventDescription: 'nothing' }), undefined)
  assert.equal(own({ temperature_1: 21.5 }, 'cayenne_lpp'), '21.5 °C')
  assert.equal(own({ temperature_1: 21.5 }), 'Temperature 1 21.5')
  const place = { latitude: 52.5, longitude: 13.4, altitude: 30 }
  assert.equal(own({ gps_1: place }, 'cayenne_lpp')?.split(' · ').length, 3)
})

test('takes what the owner says of the values of a codec', () => {
  const measurements = [
    { name: 't', label: 'Freezer', unit: '°C', decimals: 1, isHeadline: true },
    { name: 'h', kind: 'number' as const, unit: '%' },
    { name: 'secret', isHidden: true },
  ]
  const own_type = { format: 'ts013' as const, measurements }
  const read = (decoded_object: Record<string, number | string>) =>
    readingOf({ event_type: 'DECODED', decoded_object, own_type })?.text
  assert.equal(read({ t: -18.04, h: '49', secret: 7 }), '-18.0 °C')
  assert.equal(read({ h: '49', secret: 7 }), '49 %')
  assert.equal(read({ h: 'dry', secret: 7 }), 'H dry')
  assert.equal(read({ secret: 7 }), undefined)
})

test('names the values of a codec by their path, as many and as deep as are useful', () => {
  const value = { value: 21.5, unit: '°C', displayName: 'Air' }
  assert.deepEqual(ownValues({ air: value, list: [{ value: 1 }] }, null), [
    { measurement: { name: 'air.value', kind: 'number', label: 'Air', unit: '°C' }, value: 21.5 },
    { measurement: { name: 'list.0.value', kind: 'number', label: 'List 0' }, value: 1 },
  ])
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index]))
  assert.equal(ownValues(many, null).length, 200)
  const deep = JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)
  assert.deepEqual(ownValues(deep, null), [])
})
