import assert from 'node:assert/strict'
import { test } from 'node:test'
import { airtimeOf, frameOverhead, fskAirtime, loraAirtime } from './airtime.ts'

function near(actual: number | undefined, expected: number, name: string) {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 0.0005, `${name}: ${actual}`)
}

/**
 * The values of Semtech's LoRa Calculator, as The Things Stack checks its own formula
 * (github.com/TheThingsNetwork/lorawan-stack, pkg/toa/toa_test.go): bandwidth 125 kHz, 10 bytes.
 */
test('frames of LoRa take as long as published for each spreading factor', () => {
  const published = { 7: 41.216, 8: 72.192, 9: 144.384, 10: 288.768, 11: 577.536, 12: 991.232 }
  for (const [factor, expected] of Object.entries(published)) {
    near(loraAirtime(Number(factor), 125, 10), expected, `SF${factor}`)
  }
})

/**
 * The same source; SF9 from a public sheet of AN1200.13's formulas
 * (docs.google.com/spreadsheets/d/1voGAtQAjC1qBmaVuP1ApNKs1ekgUjavHuVQIXyYSvNc).
 */
test('frames of LoRa take as long as published for bandwidths and lengths', () => {
  near(loraAirtime(7, 250, 10), 20.608, '250 kHz')
  near(loraAirtime(7, 500, 10), 10.304, '500 kHz')
  for (const bytes of [13, 14, 15]) near(loraAirtime(7, 125, bytes), 46.336, `${bytes} bytes`)
  for (const bytes of [16, 17, 18, 19]) near(loraAirtime(7, 125, bytes), 51.456, `${bytes} bytes`)
  near(loraAirtime(9, 125, 13), 164.864, 'SF9, 13 bytes')
})

/** The same source: 200 bytes at 50 kbit/s. */
test('frames of FSK take as long as published', () => {
  near(fskAirtime(50, 200), 33.76, 'FSK')
})

test('reads the data rate as networks name it, and adds what is around the payload', () => {
  near(airtimeOf('SF9BW125', 0), 164.864, 'no payload')
  near(airtimeOf('SF9', 0), 164.864, 'without a bandwidth')
  near(airtimeOf('SF7BW125', 6), 51.456, '6 bytes')
  near(airtimeOf('FSK50', 200 - frameOverhead), 33.76, 'FSK')
  for (const other of [
    null,
    '',
    'LRFHSS137',
    'DR3',
    'SF4BW125',
    'SF13',
    'SF7BW0',
    'FSK0',
    'x SF7',
  ]) {
    assert.equal(airtimeOf(other, 10), undefined, String(other))
  }
})
