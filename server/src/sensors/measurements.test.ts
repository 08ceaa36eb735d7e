import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFrame } from './decode.ts'
import { deviceTypes, layouts } from './index.ts'
import { findMeasurement, measurementsOfEvent, measurementsOfType, unitOf } from './measurements.ts'
import type { Reading, ReadingValue } from './sensor.ts'

const measured = layouts.flatMap(({ messages }) => messages.flatMap((one) => one.measurements))
const readings: Reading[] = layouts
  .flatMap(({ examples }) => examples)
  .map(({ hex }) => decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 }))

const kindsOf = (value: ReadingValue) => {
  if (typeof value === 'number') return ['number', 'counter', 'code']
  if (typeof value === 'boolean') return ['state', 'event']
  return Array.isArray(value) ? ['number', 'code'] : ['state', 'event', 'text']
}

test('declares every member that an example gives, with a kind that fits its value', () => {
  let checked = 0
  for (const { event, values } of readings) {
    const declared = new Map(
      measurementsOfEvent(event.replace(/_(ENERGY|PART|ENERGY_PART)$/, '')).map((one) => [
        one.name,
        one,
      ]),
    )
    for (const [key, value] of Object.entries(values)) {
      const kind = declared.get(key)?.kind ?? ''
      assert.ok(kindsOf(value).includes(kind), `${event} ${key}: ${kind}`)
      checked += 1
    }
  }
  assert.ok(checked > 100)
})

test('a name has the same unit in all messages, and the decimals of its values', () => {
  const units = Map.groupBy(measured, ({ name }) => name)
  for (const [name, all] of units) assert.equal(new Set(all.map(({ unit }) => unit)).size, 1, name)
  for (const { name, kind, decimals } of measured) {
    if (kind === 'number' && name !== 'energies' && name !== 'energyTotal') {
      assert.equal(typeof decimals, 'number', name)
    }
  }
})

test('has the values of all examples within the bounds of their measurements', () => {
  for (const { event, values } of readings) {
    for (const { name, min = -Infinity, max = Infinity } of measurementsOfEvent(event)) {
      const value = values[name]
      if (typeof value === 'number') assert.ok(value >= min && value <= max, `${name} ${value}`)
    }
  }
})

test('each device type has a headline, but the one that only passes on what others say', () => {
  const without = deviceTypes.filter(({ typeId }) =>
    measurementsOfType(typeId).every(({ isHeadline }) => !isHeadline),
  )
  assert.deepEqual(
    without.map(({ typeName }) => typeName),
    ['Honeywell 5800 Bridge'],
  )
})

test('a state means what it means at the device type', () => {
  assert.equal(findMeasurement(16, 'state')?.label, 'Door')
  assert.equal(findMeasurement(19, 'state')?.label, 'Water')
  assert.equal(findMeasurement(125, 'temperature')?.quantity, 'air.temperature')
  assert.equal(findMeasurement(16, 'battery')?.unit, 'V')
  assert.equal(findMeasurement(16, 'nothing'), undefined)
})

test('knows the bands of a spectrum, and no key that nobody measures', () => {
  assert.equal(unitOf('velocity10To20Hz'), 'in/s')
  assert.equal(unitOf('peakVelocityAbove231Hz'), 'in/s')
  assert.equal(unitOf('channel'), null)
  for (const key of ['nothing', 'toString', '__proto__', '']) assert.equal(unitOf(key), undefined)
})
