import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { fc } from '../../test/properties.ts'
import { createSealer, SealError } from './seal.ts'

function isDamaged(error: unknown): boolean {
  return error instanceof SealError && error.reason === 'damaged'
}

describe('a sealer', () => {
  const sealer = createSealer(Buffer.alloc(32, 7))
  const text = fc.string({ unit: 'binary' })

  test('opens what it sealed, and never seals the same way twice', () => {
    fc.assert(
      fc.property(text, text, (plain, context) => {
        const sealed = sealer.seal(plain, context)
        assert.equal(sealer.open(sealed, context), plain)
        assert.notDeepEqual(sealer.seal(plain, context), sealed)
      }),
    )
  })

  test('refuses a value with any bit changed, or cut short', () => {
    const sealed = sealer.seal('0123456789abcdef', 'devices.device_key:42')
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      assert.throws(() => sealer.open(changed, 'devices.device_key:42'), SealError)
    }
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(
        () => sealer.open(sealed.subarray(0, length), 'devices.device_key:42'),
        isDamaged,
      )
    }
  })

  test('refuses a value moved to another row', () => {
    const sealed = sealer.seal('a secret', 'devices.device_key:42')
    assert.throws(() => sealer.open(sealed, 'devices.device_key:43'), isDamaged)
  })

  test('tells a wrong key from damage, without showing the value', () => {
    const other = createSealer(Buffer.alloc(32, 8))
    assert.throws(
      () => other.open(sealer.seal('a secret', 'users.totp:1'), 'users.totp:1'),
      (error: unknown) => {
        assert(error instanceof SealError)
        assert.equal(error.reason, 'wrong key')
        assert.match(error.message, /users\.totp:1 was sealed with another key/)
        return true
      },
    )
  })

  test('seals with its first key, and opens what any of its keys sealed', () => {
    const other = createSealer(Buffer.alloc(32, 8))
    const both = createSealer(Buffer.alloc(32, 8), Buffer.alloc(32, 7))
    assert.equal(both.open(sealer.seal('a secret', 'users.totp:1'), 'users.totp:1'), 'a secret')
    assert.equal(other.open(both.seal('a secret', 'users.totp:1'), 'users.totp:1'), 'a secret')
    assert.throws(() => sealer.open(both.seal('a', 'users.totp:1'), 'users.totp:1'), SealError)
  })

  test('refuses a key that has not 32 bytes', () => {
    assert.throws(() => createSealer(randomBytes(16)), /32 bytes/)
  })
})
