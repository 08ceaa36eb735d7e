import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../test/properties.ts'
import { decodeFrame } from './decode.ts'
import { layouts } from './index.ts'
import { renderMessage, renderObject } from './render.ts'
import type { Reading } from './sensor.ts'

function decode(hex: string): Reading {
  return decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
}

/** Checks what holds for the reading of any bytes. */
function checkReading(reading: Reading): void {
  assert.match(reading.event, /^[A-Z0-9_]+$/)
  assert.notEqual(reading.description, '')
  assert.ok(reading.lines.length > 0)
  for (const value of Object.values(reading.values)) checkValue(value)
  assert.ok(!('eventDescription' in reading.values))
  const html = renderMessage(reading)
  assert.doesNotMatch(html.replaceAll('<br>', ''), /[<>]/)
  assert.doesNotMatch(html, /undefined|NaN/)
  assert.equal(html.split('<br>').length, reading.lines.length)
  assert.equal(renderObject(reading).eventDescription, reading.description)
  if (reading.event === 'UNKNOWN') {
    assert.deepEqual(reading.values, {})
    assert.deepEqual(reading.status, {})
  }
}

function checkValue(value: unknown): void {
  if (Array.isArray(value)) value.forEach(checkValue)
  if (typeof value !== 'number') return
  assert.ok(Number.isFinite(value) && !Object.is(value, -0))
  assert.ok(String(value).length <= 12, `${value} has the noise of binary fractions`)
}

test('never throws, for any event code and any length', () => {
  let checked = 0
  for (let eventCode = 0; eventCode <= 0xff; eventCode += 1) {
    for (let length = 0; length <= 0xff; length += 1) {
      const bytes = new Uint8Array(length)
      for (let index = 2; index < length; index += 1) {
        bytes[index] = (eventCode * 31 + length * 17 + index * 97) & 0xff
      }
      bytes.set([0x1a, eventCode].slice(0, length))
      checkReading(decodeFrame({ bytes, fPort: 1 + (length % 223) }))
      checked += 1
    }
  }
  assert.equal(checked, 65_536)
})

test('never throws, for any bytes', () => {
  const frame = fc.record({
    bytes: fc.uint8Array({ minLength: 0, maxLength: 255 }),
    fPort: fc.integer({ min: 1, max: 223 }),
  })
  fc.assert(
    fc.property(frame, (any) => checkReading(decodeFrame(any))),
    { numRuns: 2_000 },
  )
})

test('never throws, for any payload of each event code', () => {
  const payload = fc.tuple(
    fc.integer({ min: 0, max: 0xff }),
    fc.integer({ min: 0, max: 9 }),
    fc.uint8Array({ minLength: 0, maxLength: 9 }),
  )
  fc.assert(
    fc.property(payload, ([eventCode, first, rest]) => {
      const bytes = Uint8Array.of(0x10, eventCode, first, ...rest)
      checkReading(decodeFrame({ bytes, fPort: 2 }))
    }),
    { numRuns: 5_000 },
  )
})

test('says why a frame is unknown', () => {
  const reasons: [hex: string, sequence: number[], description: string][] = [
    ['', [], 'The frame is empty.'],
    ['10', [], 'The frame has 1 byte, and its header alone takes 2.'],
    ['63000128230103', [3], "The frame's protocol version 6 is not known."],
    ['ffffff', [15], "The frame's protocol version 15 is not known."],
    ['15b0', [5], 'The event code 0xB0 has no decoder.'],
    ['1504', [5], 'The event code 0x04 of the retired accelerometer has no published layout.'],
    ['15150102', [5], 'The event code 0x15 of custom sensors has no published layout.'],
    [
      '10204000',
      [0],
      'The payload of the VIBRATION_CONDENSED_FFT message has 2 of at least 9 bytes.',
    ],
    ['1a0a01', [10], 'The payload of the TILT_EVENT message has 1 of at least 2 bytes.'],
    [
      '1020400000000000000000',
      [0],
      'The payload of the VIBRATION_CONDENSED_FFT message has no known layout.',
    ],
  ]
  for (const [hex, sequence, description] of reasons) {
    const lines = [description]
    const expected = { event: 'UNKNOWN', description, sequence, values: {}, lines, status: {} }
    assert.deepEqual(decode(hex), expected)
  }
})

test('keeps the event and what was measured where the reason is not known', () => {
  const { event, description, values, lines } = decode('160b060301')
  assert.deepEqual(
    [event, description, values, lines],
    [
      'AMBIENT_LIGHT_SENSOR',
      'Unknown reason (6)',
      { relativeLight: 3 },
      ['Ambient Light Event: Unknown reason (6)', 'Relative light: 3'],
    ],
  )
  // The first byte of these two decides on the layout of the others.
  const ofKinds = ['WEATHER_STATION_SENSOR', 'VIBRATION_CONDENSED_FFT']
  let checked = 0
  for (const { messages } of layouts) {
    for (const { event, eventCode, decode: read } of messages) {
      if (ofKinds.some((kind) => event.startsWith(kind))) continue
      const known = decodeFrame({ bytes: frameOf(eventCode, 0), fPort: 2 })
      const unknown = decodeFrame({ bytes: frameOf(eventCode, 0x7e), fPort: 2 })
      assert.equal(unknown.event, known.event, read.name)
      if (!/^Unknown (reason|state)/.test(unknown.description)) continue
      // The byte itself, or its low half.
      assert.match(unknown.description, /\((126|14)\)$/, event)
      const measured = Object.keys(known.values).filter((key) => key !== 'state')
      assert.deepEqual(Object.keys(unknown.values), measured, event)
      checked += 1
    }
  }
  assert.ok(checked > 10, `${checked} messages with a reason`)
})

/** A frame of zeros after the first byte of its payload. */
function frameOf(eventCode: number, first: number): Uint8Array {
  const bytes = new Uint8Array(11)
  bytes.set([0x10, eventCode, first])
  return bytes
}

test('reads a sensor event of another protocol version as the known one, and says so', () => {
  const { event, values, lines } = decode('b30301')
  assert.equal(event, 'DOOR_SENSOR')
  assert.deepEqual(values, { state: 'open', protocolVersion: 11 })
  assert.deepEqual(lines, ['Door Opened', 'Protocol version: 11'])
})

test('knows every event code that the maker has published a layout of', () => {
  // Section "Event codes" of the manuals; 04, 12 and 15 are named there without one.
  const known: number[] = []
  for (let eventCode = 0; eventCode <= 0xff; eventCode += 1) {
    const bytes = new Uint8Array(11)
    bytes.set([0x10, eventCode])
    if (decodeFrame({ bytes, fPort: 2 }).event !== 'UNKNOWN') known.push(eventCode)
  }
  const sensors = Array.from({ length: 0x21 }, (_, code) => code)
  const expected = sensors.filter((code) => ![0x04, 0x12, 0x15].includes(code))
  assert.deepEqual(known, [...expected, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff])
})

test('ignores the port and bytes past the layout', () => {
  const plain = decode('100a0153')
  const padded = Uint8Array.fromHex('100a0153000000')
  assert.deepEqual(decodeFrame({ bytes: padded, fPort: 223 }), plain)
})

test('reads air temperature as sign and magnitude', () => {
  assert.equal(decode('100d0017700000').values.temperature, 23.7)
  assert.equal(decode('100d0097700000').values.temperature, -23.7)
  assert.equal(decode('100d0080500000').values.temperature, -0.5)
  assert.equal(decode('100d0001000000').values.temperature, 1)
})

test("reads probe temperature as two's complement", () => {
  assert.equal(decode('100900ff00').values.temperature, -1)
  assert.equal(decode('1009008100').values.temperature, -127)
  assert.equal(decode('1009007e00').values.temperature, 126)
})

test('reads RSSI and SNR of the link quality as signed', () => {
  assert.deepEqual(decode('10fb018080').values, { subBand: 1, rssi: -128, snr: -128 })
  assert.deepEqual(decode('10fb01007f').values, { subBand: 1, rssi: 0, snr: 127 })
})

test('reads each supervisory flag from its own bit', () => {
  const keys = [
    'radioCommunicationError',
    'batteryLow',
    'errorWithLastDownlink',
    'tamperState',
    'tamperSinceLastReset',
  ]
  for (const [bit, raised] of keys.entries()) {
    const bytes = Uint8Array.of(0x10, 0x01, 1 << bit, 0, 0x30)
    const { values } = decodeFrame({ bytes, fPort: 2 })
    for (const key of keys) assert.equal(values[key], key === raised, `bit ${bit}: ${key}`)
  }
})

test('reads a firmware version of two numbers, or of three with five bits each', () => {
  assert.equal(decode('100001100103').values.firmwareVersion, '1.3')
  assert.equal(decode('100001107fff').values.firmwareVersion, '127.255')
  assert.equal(decode('100001108aa7').values.firmwareVersion, '2.21.7')
  assert.equal(decode('10000110ffff').values.firmwareVersion, '31.31.31')
})

test('leaves out a hardware version that was never set', () => {
  for (const hex of ['100001000103', '100001ff0103']) {
    assert.deepEqual(decode(hex).status, { firmware_version: '1.3' })
  }
})

test('each single fault bit of a thermocouple has its own words', () => {
  const words = [
    'open circuit',
    'input voltage negative or above the supply',
    'thermocouple too cold',
    'thermocouple too hot',
    'cold junction below its low threshold',
    'cold junction above its high threshold',
    'hot junction outside its normal range',
    'cold junction outside its normal range',
  ]
  words.forEach((expected, bit) => {
    const hex = `1013050190${(1 << bit).toString(16).padStart(2, '0')}`
    const { values } = decode(hex)
    const range = [0, 1].includes(bit) ? 'no reading' : 'above range'
    const isNumber = ![0, 1, 6].includes(bit)
    const measured = isNumber ? [25, undefined] : [undefined, range]
    assert.deepEqual([values.temperature, values.temperatureRange], measured, hex)
    assert.equal(values.faults, expected, hex)
  })
  assert.equal(decode('101305f06040').values.temperatureRange, 'below range')
  assert.equal(decode('101000270e').values.distance, 9998)
})

test('the range of a vibration sensor has its own factor for each of its three bits', () => {
  const factors = Array.from({ length: 8 }, (_, range) => {
    const first = ((range << 4) | 5).toString(16).padStart(2, '0')
    return decode(`101c${first}00000000`).values.rangeFactor
  })
  assert.deepEqual(factors, [1, 2, 4, 5, 8, 10, 16, 32])
})

test('reads no value from bytes that a frame does not have', () => {
  let known = 0
  for (const { hex } of layouts.flatMap(({ examples }) => examples)) {
    const whole = decode(hex).values
    for (let length = 4; length < hex.length; length += 2) {
      const part = decode(hex.slice(0, length))
      if (part.event === 'UNKNOWN') continue
      known += 1
      for (const [key, value] of Object.entries(part.values)) {
        if (typeof value === 'number')
          assert.deepEqual(value, whole[key], `${hex} ${length}: ${key}`)
      }
    }
  }
  assert.ok(known > 0)
})

test('each bit of an error of a weather station has its own word', () => {
  const errors = ['00', '01', '02', '04'].map((bits) =>
    Object.values(decode(`101b00${bits}`).values),
  )
  assert.deepEqual(errors, [
    [false, false, false],
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ])
})
