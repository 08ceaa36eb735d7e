import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFrame } from './decode.ts'
import { layouts } from './index.ts'
import { unitOf } from './units.ts'

test('says of every number of a built-in sensor what its unit is, or that it has none', () => {
  const keys = new Set<string>()
  for (const { hex } of layouts.flatMap(({ examples }) => examples)) {
    const { values } = decodeFrame({ bytes: Uint8Array.fromHex(hex), fPort: 2 })
    for (const [key, value] of Object.entries(values)) if (typeof value === 'number') keys.add(key)
  }
  assert.ok(keys.size > 40)
  assert.deepEqual(
    [...keys].filter((key) => unitOf(key) === undefined),
    [],
  )
})

test('knows the bands of a spectrum, and no key that nobody measures', () => {
  assert.equal(unitOf('velocity10To20Hz'), 'in/s')
  assert.equal(unitOf('peakVelocityAbove231Hz'), 'in/s')
  assert.equal(unitOf('channel'), null)
  for (const key of ['nothing', 'toString', '__proto__', '']) assert.equal(unitOf(key), undefined)
})
