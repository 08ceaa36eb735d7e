import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/properties.ts'
import { decodeSettings, describeSettings, encodeSettings, settingsOf } from '../device-settings.ts'
import { deviceTypes } from '../index.ts'
import { choicesOf, type Field, type Section } from './section.ts'

type Values = Record<string, number | undefined>

function anyValue(field: Field): fc.Arbitrary<number> {
  if (field.kind !== 'number') return fc.constantFrom(...choicesOf(field).map(({ value }) => value))
  const { min, max, scale } = field
  return fc
    .integer({ min: Math.round(min * scale), max: Math.round(max * scale) })
    .map((count) => count / scale)
}

/** Values within their range for the fields of a section; some fields are left out. */
function anyValues(section: Section): fc.Arbitrary<Values> {
  const entries = section.fields.map((field) => [String(field.id), anyValue(field)] as const)
  return fc.record(Object.fromEntries(entries), { requiredKeys: [] })
}

/** Drops values that the section refuses because of others, until it accepts all. */
function settle(typeId: number, section: Section, entered: Values) {
  let values = entered
  for (;;) {
    const result = encodeSettings(typeId, section.name, values)
    if ('bytes' in result) return { values, bytes: result.bytes }
    const refused = new Set(result.problems.map(({ field }) => field))
    const kept = Object.entries(values).filter(([id]) => !refused.has(id))
    if (kept.length === Object.keys(values).length) return undefined
    values = Object.fromEntries(kept)
  }
}

const byCommand = new Map<number, { typeId: number; section: Section }>()
for (const { typeId } of deviceTypes) {
  for (const section of settingsOf(typeId)) byCommand.set(section.command, { typeId, section })
}

test('has one definition for all types of device that are sent the same command', () => {
  assert.ok(byCommand.size > 10)
  for (const { typeId } of deviceTypes) {
    for (const section of settingsOf(typeId)) {
      assert.equal(byCommand.get(section.command)?.section, section)
    }
  }
})

test('gives back every value that it sends, over the whole range of each setting', () => {
  let encoded = 0
  for (const { typeId, section } of byCommand.values()) {
    const property = fc.property(anyValues(section), (entered) => {
      const settled = settle(typeId, section, entered)
      if (!settled) return
      encoded += 1
      const { values, bytes } = settled
      assert.equal(bytes.length, 8)
      assert.equal(bytes[0], section.command)
      const decoded = decodeSettings(typeId, bytes)
      assert.equal(decoded?.section, section.name)
      for (const [id, value] of Object.entries(values)) {
        const isDefault = section.fields.some(
          (field) => String(field.id) === id && field.default === value,
        )
        // Fields that do not count in this mode may hold their default.
        if (isDefault && !(id in decoded.values)) continue
        assert.equal(decoded.values[id], value, `${section.label} ${id} of ${bytes.toHex()}`)
      }
      const again = encodeSettings(typeId, section.name, decoded.values)
      assert.deepEqual(again, { bytes })
    })
    fc.assert(property, { numRuns: 300 })
  }
  assert.ok(encoded > 4_000)
})

/** The value of a field, with the value of the field that it depends on. */
function withCondition(section: Section, field: Field, value: number): Values {
  const other = section.fields.find(({ key }) => key === field.onlyWhen?.key)
  const own = { [String(field.id)]: value }
  return other ? { ...own, [String(other.id)]: field.onlyWhen?.values[0] } : own
}

test('reaches the first and the last value of each setting', () => {
  let checked = 0
  for (const { typeId, section } of byCommand.values()) {
    const lowers = section.ordered?.map(([lower]) => lower) ?? []
    const uppers = section.ordered?.map(([, upper]) => upper) ?? []
    for (const field of section.fields) {
      if (field.kind !== 'number') continue
      const { min, max, key, id } = field
      // Refused: ends of the range that leave no other threshold, and a unit without a count.
      const unreachable = [
        ...(lowers.includes(key) ? [max] : []),
        ...(uppers.includes(key) || key === 'sampling_rate' ? [min] : []),
      ]
      for (const value of [min, max]) {
        const settled = settle(typeId, section, withCondition(section, field, value))
        const decoded = settled && decodeSettings(typeId, settled.bytes)
        const isReached = decoded?.values[String(id)] === value
        assert.equal(isReached, !unreachable.includes(value), `${id} at ${value}`)
        checked += 1
      }
    }
  }
  assert.ok(checked > 100)
})

test('leaves the bytes that a section does not use at zero', () => {
  const used: Record<number, number> = { 1: 5, 3: 6, 6: 4, 7: 6, 8: 4, 9: 6, 11: 6, 14: 5, 252: 4 }
  for (const [command, length] of Object.entries(used)) {
    const one = byCommand.get(Number(command))
    assert.ok(one)
    fc.assert(
      fc.property(anyValues(one.section), (entered) => {
        const settled = settle(one.typeId, one.section, entered)
        const rest = settled?.bytes.subarray(length)
        assert.ok(!rest || rest.every((byte) => byte === 0))
      }),
      { numRuns: 50 },
    )
  }
})

test('never throws on bytes from elsewhere', () => {
  const typeId = fc.constantFrom(...deviceTypes.map((deviceType) => deviceType.typeId))
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 0, maxLength: 12 }),
    fc
      .tuple(fc.constantFrom(...byCommand.keys()), fc.uint8Array({ minLength: 7, maxLength: 7 }))
      .map(([command, payload]) => Uint8Array.of(command, ...payload)),
  )
  fc.assert(
    fc.property(typeId, bytes, (type, any) => {
      decodeSettings(type, any)
      const lines = describeSettings(type, any)
      assert.doesNotMatch(lines.join('\n'), /undefined|NaN/)
      assert.match(lines.at(-1) ?? '', /^Message: ([0-9a-f]{2}( |$))*$/)
    }),
    { numRuns: 2_000 },
  )
})
