import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatChoices, usualFormats, writeNumber, writeTime } from './formats.ts'
import {
  conversionBetween,
  conversionFor,
  conversionToBase,
  convertDecimals,
  writeLimit,
  writeMeasured,
} from './units.ts'

const us = { ...usualFormats, temperature: 'fahrenheit', units: 'us' } as const

test('a value has as many sensible decimals in another unit as the sensor gives', () => {
  const written: [number, string | null, number | undefined, string][] = [
    [21.7, '°C', 1, '71.1 °F'],
    [21, '°C', 0, '70 °F'],
    [-40, '°C', undefined, '-40 °F'],
    [21.700000762939453, 'degC', undefined, '71.1 °F'],
    [1324, 'mm', 0, '52.13 in'],
    [2, 'm', 2, '6.56 ft'],
    [12.5, 'm/s', 1, '28.0 mph'],
    [1013.2, 'hPa', 1, '29.920 inHg'],
    [3.25, 'kg', undefined, '7.17 lb'],
    [40, 'l', 0, '10.6 gal'],
    [12, '°', 0, '12°'],
    [49, '%', 0, '49 %'],
    [3, null, undefined, '3'],
    [2, 'g', undefined, '2 g'],
  ]
  for (const [value, unit, decimals, text] of written) {
    assert.equal(writeMeasured(value, { unit, decimals }, us), text)
  }
  assert.equal(writeLimit(8, '°C', us), '46.4 °F')
  assert.equal(writeLimit(8, '°C', usualFormats), '8 °C')
  assert.equal(writeMeasured(68, { unit: '°F', decimals: 0 }, usualFormats), '20 °C')
})

test('what is typed in another unit is stored in the base unit, and shown as it was typed', () => {
  const units = fc.constantFrom('°C', 'mm', 'cm', 'm', 'km', 'm/s', 'mm/h', 'hPa', 'kg', 'l')
  const typed = fc.integer({ min: -100_000, max: 100_000 }).map((tenths) => tenths / 10)
  fc.assert(
    fc.property(units, typed, (unit, value) => {
      const conversion = conversionFor(unit, us)
      assert.ok(conversion)
      assert.equal(
        writeNumber(conversion.convert(conversion.revert(value)), undefined, us),
        writeNumber(value, undefined, us),
      )
    }),
  )
})

test('temperatures and other units are chosen apart', () => {
  assert.equal(conversionFor('mm', { temperature: 'fahrenheit', units: 'metric' }), undefined)
  assert.equal(conversionFor('°C', { temperature: 'fahrenheit', units: 'metric' })?.unit, '°F')
  assert.equal(conversionFor('°C', { temperature: 'celsius', units: 'us' }), undefined)
})

test('a pressure of the air is given in hPa, whatever the sensor sends', () => {
  const base = conversionToBase({ quantity: 'air.pressure', unit: 'Pa' })
  assert.ok(base)
  assert.deepEqual([base.unit, base.convert(83_960), convertDecimals(0, base)], ['hPa', 839.6, 2])
  assert.equal(conversionToBase({ quantity: 'air.pressure', unit: 'hPa' }), undefined)
  assert.equal(conversionToBase({ quantity: 'air.pressure' }), undefined)
  assert.equal(conversionToBase({ unit: 'Pa' }), undefined)
  assert.equal(conversionBetween('Pa', '°C'), undefined)
})

test('numbers and times are written in each of the formats', () => {
  const numbers = formatChoices.numbers.map((choice) =>
    writeNumber(-1234.5, 2, { numbers: choice }).replace(/\s/g, ' '),
  )
  assert.deepEqual(numbers, ['-1,234.50', '-1.234,50', '-1 234,50'])
  const time = new Date('2026-03-01T13:05:07Z')
  const parts = { date: 'full', clock: 'seconds', zone: true } as const
  const dates = formatChoices.date.map((date) =>
    writeTime(time, parts, 'UTC', { date, time: '24h' }),
  )
  assert.deepEqual(dates, [
    '1 Mar 2026, 13:05:07 UTC',
    'Mar 1, 2026, 13:05:07 UTC',
    '2026-03-01, 13:05:07 UTC',
  ])
  const clock = writeTime(time, { clock: 'minutes' }, 'UTC', { date: 'day_month', time: '12h' })
  assert.equal(clock.replace(/\s/g, ' '), '1:05 PM')
})
