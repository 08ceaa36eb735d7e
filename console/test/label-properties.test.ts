import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../server/test/properties.ts'
import { reverseBytes } from '../src/pages/registration/label/hex.ts'
import { readLabel } from '../src/pages/registration/label/label-text.ts'

const bytes = (hex: string, separator: string) => (hex.match(/../g) ?? []).join(separator)
const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789ABCDEF'), { minLength: length, maxLength: length })
    .map((digits) => digits.join(''))
const word = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(hex(16), hex(32), hex(8), hex(18)) },
  { weight: 2, arbitrary: hex(16).map((eui) => bytes(eui, ' ')) },
  fc.constantFrom('DevEUI', 'JoinEUI:', 'AppEUI=', 'AppKey', 'AppKey:', 'NwkKey', 'S/N', 'LW:D0:'),
  fc.constantFrom('LSB', '(msb)', 'RBS3010NA01BN00', 'sensor', '0x', '{', '}'),
)
const separator = fc.constantFrom(' ', ':', ',', ';', '-', '\n', '\t', ', ', ' / ', '')
const labelText = fc
  .array(fc.tuple(word, separator), { minLength: 1, maxLength: 10 })
  .map((parts) => parts.flat().join(''))

test('property: no key is made of digits across separators, but for bytes below its name', () => {
  fc.assert(
    fc.property(labelText, (text) => {
      const { findings, doubts } = readLabel(text)
      for (const { field, value, isNamed } of findings) {
        if (field !== 'appKey') continue
        const isWhole = text.toUpperCase().includes(value)
        assert.ok(isWhole || (isNamed && text.includes(bytes(value, ' '))), text)
        assert.ok(isNamed || doubts.length > 0, text)
      }
    }),
    { numRuns: 2000 },
  )
})

test('property: EUIs are reversed only where the text says LSB, and nothing is cut', () => {
  fc.assert(
    fc.property(labelText, (text) => {
      const plain = text.toUpperCase().replaceAll('0X', '')
      const isPrinted = (value: string) => {
        const blocks = [value, bytes(value, ' '), `${value.slice(0, 8)} ${value.slice(8)}`]
        return blocks.some((block) => new RegExp(`(?<![0-9A-Z])${block}(?![0-9A-Z])`).test(plain))
      }
      for (const { field, value } of readLabel(text).findings) {
        const isTurned = field !== 'appKey' && isPrinted(reverseBytes(value))
        assert.ok(isPrinted(value) || (isTurned && /lsb/i.test(text)), `${field} ${value}: ${text}`)
      }
    }),
    { numRuns: 2000 },
  )
})
