import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../test/properties.ts'
import { fromAttribute, toAttribute } from './devices.ts'

test('writes a name so that it may stand in an attribute, and reads it again', () => {
  assert.equal(toAttribute('Back door #2'), 'Back#20door#20#232')
  assert.equal(toAttribute('Küche'), 'K#C3#BCche')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
      const value = toAttribute(name)
      assert.match(value, /^[a-zA-Z0-9_.,@/:#=-]{0,800}$/)
      if (value.length < 780) assert.equal(fromAttribute(value), name)
    }),
  )
})

test('cuts a name that is too long at a whole letter', () => {
  const value = toAttribute('ж'.repeat(255))
  assert.equal(value.length, 798)
  assert.equal(fromAttribute(value), 'ж'.repeat(133))
})

test('shows what others wrote as it is', () => {
  assert.equal(fromAttribute('#FF'), '#FF')
  assert.equal(fromAttribute('room#12x'), 'room\u0012x')
})
