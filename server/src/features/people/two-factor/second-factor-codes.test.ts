import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt } from '../../../../test/authenticator.ts'
import { fc } from '../../../../test/properties.ts'
import { findTimeStep, makeSecret } from './second-factor.ts'

/** RFC 6238, appendix B: seconds, and the SHA-1 code of 8 digits, of which 6 are the last six. */
const vectors: [number, string, number][] = [
  [59, '94287082', 0x1],
  [1111111109, '07081804', 0x23523ec],
  [1111111111, '14050471', 0x23523ed],
  [1234567890, '89005924', 0x273ef07],
  [2000000000, '69279037', 0x3f940aa],
  [20000000000, '65353130', 0x27bc86aa],
]
/** `12345678901234567890` in base32. */
const vectorSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

function after(seconds: number): Date {
  return new Date(seconds * 1000)
}

for (const [seconds, code, step] of vectors) {
  test(`agrees with RFC 6238 at ${seconds} seconds`, () => {
    assert.equal(findTimeStep(vectorSecret, code.slice(2), after(seconds)), step)
    assert.equal(codeAt(vectorSecret, after(seconds)), code.slice(2))
  })
}

const anyTime = fc.date({
  min: new Date('2020-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
})

test('takes the code of the current step and of the one before, and tells which', () => {
  const secret = makeSecret()
  fc.assert(
    fc.property(anyTime, (now) => {
      const step = Math.floor(now.getTime() / 30_000)
      const codes = [step - 2, step - 1, step, step + 1].map((at) =>
        codeAt(secret, new Date(at * 30_000)),
      )
      fc.pre(new Set(codes).size === codes.length)
      const found = codes.map((code) => findTimeStep(secret, code, now))
      assert.deepEqual(found, [undefined, step - 1, step, undefined])
    }),
  )
})

test('a code lasts from the start of its step to the end of the next', () => {
  const start = new Date('2026-03-01T12:00:30.000Z').getTime()
  const code = codeAt(vectorSecret, new Date(start))
  const isTaken = (milliseconds: number) =>
    findTimeStep(vectorSecret, code, new Date(start + milliseconds)) !== undefined
  assert.deepEqual([-1, 0, 29_999, 59_999, 60_000].map(isTaken), [false, true, true, true, false])
})

test('makes secrets of 20 bytes, each another', () => {
  const secrets = Array.from({ length: 50 }, makeSecret)
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.equal(new Set(secrets).size, secrets.length)
})
