import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/properties.ts'
import { decodeCayenneLpp } from '../codecs/cayenne-lpp.ts'
import { decodeFrame } from '../decode.ts'
import { encodeSettings, settingsOf } from '../device-settings.ts'
import { deviceTypes, layouts } from '../index.ts'
import { renderObject } from '../render.ts'
import { explainCayenneLpp } from './explain-cayenne-lpp.ts'
import { explainDownlink } from './explain-downlink.ts'
import { explainFrame } from './explain-frame.ts'
import { type ExplainedPart, rawOf } from './explained-bytes.ts'

const examples = layouts.flatMap((layout) => layout.examples.map(({ hex }) => hex))

/** Every bit of the frame stands in one part, in order. */
function checkCoverage(bytes: Uint8Array, parts: readonly ExplainedPart[]): void {
  const digits = parts.map((part) => {
    const raw = rawOf(bytes, part)
    return part.bits
      ? raw
      : Array.from(Uint8Array.fromHex(raw), (byte) => byte.toString(2).padStart(8, '0')).join('')
  })
  const whole = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  assert.equal(digits.join(''), whole, bytes.toHex())
  for (const { label } of parts) assert.notEqual(label, '')
}

test('explains every byte of every example, with the values that are decoded', () => {
  assert.ok(examples.length > 50)
  for (const hex of examples) {
    const bytes = Uint8Array.fromHex(hex)
    const { parts } = explainFrame({ bytes, fPort: 2 })
    checkCoverage(bytes, parts)
    const values = renderObject(decodeFrame({ bytes, fPort: 2 }))
    const told = new Set(parts.map(({ key }) => key))
    for (const part of parts) {
      if (part.key === undefined) continue
      const value = values[part.key]
      if (Array.isArray(value) && !Array.isArray(part.value)) {
        assert.ok(value.includes(part.value ?? ''), `${hex}: ${part.key}`)
      } else assert.deepEqual(part.value, value, `${hex}: ${part.key}`)
    }
    // A second member of the same bytes is told in words.
    const inWords = ['eventDescription', 'accepted', 'sensorType', 'faults']
    for (const key of Object.keys(values)) {
      assert.ok(told.has(key) || inWords.includes(key), `${hex}: ${key} is not explained`)
    }
  }
})

test('a bit decides nothing but what the explanation says of it', () => {
  let checked = 0
  for (const hex of examples) {
    const bytes = Uint8Array.fromHex(hex)
    const message = layouts
      .flatMap(({ messages }) => messages)
      .find(({ eventCode }) => eventCode === bytes[1])
    assert.ok(message)
    const before = renderObject(decodeFrame({ bytes, fPort: 2 }))
    const keysOfBits = keysByBit(message.fields, bytes.subarray(2))
    for (let bit = 16; bit < bytes.length * 8; bit += 1) {
      const after = renderObject(decodeFrame({ bytes: flip(bytes, bit), fPort: 2 }))
      // Some bits decide which values there are.
      if (Object.keys(after).join() !== Object.keys(before).join()) continue
      const changed = Object.keys(before).filter(
        (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
      )
      for (const key of changed) {
        assert.ok(keysOfBits[bit - 16]?.includes(key), `${hex}: bit ${bit} changes ${key}`)
        checked += 1
      }
    }
  }
  assert.ok(checked > 500)
})

function flip(bytes: Uint8Array, bit: number): Uint8Array {
  const flipped = Uint8Array.from(bytes)
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7))
  return flipped
}

function keysByBit(
  fields: (typeof layouts)[number]['messages'][number]['fields'],
  payload: Uint8Array,
): string[][] {
  const keys = Array.from({ length: payload.length * 8 }, (): string[] => [])
  for (const field of fields) {
    if (!(field.only?.holds(payload) ?? true)) continue
    const length = field.length === 'rest' ? payload.length - field.at : (field.length ?? 1)
    const end = (field.at + length) * 8 - (field.bits?.lowest ?? 0)
    const from = field.bits ? end - field.bits.count : field.at * 8
    for (let bit = from; bit < end; bit += 1) keys[bit]?.push(...(field.keys ?? []))
  }
  return keys
}

test('covers any bytes, and never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
      checkCoverage(bytes, explainFrame({ bytes, fPort: 2 }).parts)
      checkCoverage(bytes, explainCayenneLpp(bytes))
      checkCoverage(bytes, explainDownlink(16, bytes))
    }),
  )
  const payload = fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 10 }))
  fc.assert(
    fc.property(payload, ([code, rest]) => {
      const bytes = Uint8Array.of(0x10, code, ...rest)
      checkCoverage(bytes, explainFrame({ bytes, fPort: 2 }).parts)
    }),
    { numRuns: 3000 },
  )
})

test('takes a door frame apart', () => {
  const { parts } = explainFrame({ bytes: Uint8Array.fromHex('1a0301'), fPort: 2 })
  assert.deepEqual(
    parts.map(({ label, value, meaning }) => [label, value, meaning]),
    [
      ['Protocol version', 1, undefined],
      ['Packet counter', 10, 'counts from 0 to 15, and again from 0'],
      ['Event code', 3, '0x03: DOOR_SENSOR'],
      ['State', 'open', 'Door Opened'],
    ],
  )
})

test('explains the eight bytes of every section with its defaults', () => {
  let checked = 0
  for (const { typeId } of deviceTypes) {
    for (const section of settingsOf(typeId)) {
      const encoded = encodeSettings(typeId, section.name, {})
      assert.ok('bytes' in encoded)
      const parts = explainDownlink(typeId, encoded.bytes)
      checkCoverage(encoded.bytes, parts)
      assert.equal(parts[0]?.meaning, `${section.label} configuration`)
      assert.ok(parts.some(({ key }) => key !== undefined))
      checked += 1
    }
  }
  assert.ok(checked > 50)
})

test('explains CayenneLPP by channel, type and value', () => {
  const bytes = Uint8Array.fromHex('0367011001880ae0a1fc8a500003e8')
  const parts = explainCayenneLpp(bytes)
  checkCoverage(bytes, parts)
  const decoded = decodeCayenneLpp(bytes)
  assert.ok('data' in decoded)
  assert.deepEqual(
    parts.map(({ label, key, value, unit, meaning }) => [label, key ?? meaning, value, unit]),
    [
      ['Channel', undefined, 3, undefined],
      ['Type', 'temperature', 103, undefined],
      ['temperature', 'temperature_3', 27.2, '°C'],
      ['Channel', undefined, 1, undefined],
      ['Type', 'gps', 136, undefined],
      ['gps, latitude', 'gps_1.latitude', 71.2865, '°'],
      ['gps, longitude', 'gps_1.longitude', -22.6736, '°'],
      ['gps, altitude', 'gps_1.altitude', 10, 'm'],
    ],
  )
})
