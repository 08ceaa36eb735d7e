import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../test/properties.ts'
import { countFrames, type HeardFrame } from './frame-losses.ts'

const minute = 60_000

/** Frames ten minutes apart. */
function frames(...counters: number[]): HeardFrame[] {
  return counters.map((fCnt, index) => ({ fCnt, time: index * 10 * minute }))
}

function count(heard: readonly HeardFrame[], joins: readonly number[] = []) {
  const { parts, restarts } = countFrames(heard, joins, () => 0)
  const reasons = restarts.map(({ reason }) => reason)
  return { ...(parts.get(0) ?? { received: 0, lost: 0, repeated: 0 }), reasons }
}

test('counts the gaps of the frame counter', () => {
  const counts = count(frames(7, 8, 11, 12, 14))
  assert.deepEqual(counts, { received: 5, lost: 3, repeated: 0, reasons: [] })
})

test('does not count a join or a restart of the sensor as a loss', () => {
  const joined = count(frames(900, 901, 4, 5), [15 * minute])
  assert.deepEqual(joined, { received: 4, lost: 0, repeated: 0, reasons: ['join'] })
  // A join at a larger number than the last one is no gap either.
  assert.deepEqual(count(frames(2, 3, 6), [15 * minute]).lost, 0)
  const restarted = count(frames(900, 901, 0, 1, 3))
  assert.deepEqual(restarted, { received: 5, lost: 1, repeated: 0, reasons: ['restart'] })
  assert.deepEqual(count(frames(1, 2, 60_000)).reasons, ['restart'])
})

test('follows a counter of 16 bits over its end', () => {
  const counts = count(frames(65_533, 65_534, 1, 2))
  assert.deepEqual(counts, { received: 4, lost: 2, repeated: 0, reasons: ['wrap'] })
  assert.deepEqual(count(frames(65_535, 65_536, 65_537)).reasons, [])
})

test('counts a repeated frame once, and a late one as received', () => {
  assert.deepEqual(count(frames(7, 8, 8, 9)), { received: 3, lost: 0, repeated: 1, reasons: [] })
  const late = [7, 9, 8, 7, 10].map((fCnt, index) => ({ fCnt, time: index * 1000 }))
  assert.deepEqual(count(late), { received: 4, lost: 0, repeated: 1, reasons: [] })
})

test('counts a loss in the part of the frame that shows it', () => {
  const { parts } = countFrames(frames(1, 2, 5), [], (time) => Math.floor(time / (15 * minute)))
  assert.deepEqual(
    [...parts],
    [
      [0, { received: 2, lost: 0, repeated: 0 }],
      [1, { received: 1, lost: 3 - 1, repeated: 0 }],
    ],
  )
})

test('finds exactly the frames that were left out of one session', () => {
  const session = fc.tuple(
    fc.nat(100_000),
    fc.array(fc.boolean(), { minLength: 2, maxLength: 300 }),
  )
  fc.assert(
    fc.property(session, ([start, isHeard]) => {
      const first = isHeard.indexOf(true)
      const last = isHeard.lastIndexOf(true)
      fc.pre(first >= 0)
      const heard = isHeard.flatMap((is, index) => {
        return is ? [{ fCnt: start + index, time: index * 10 * minute }] : []
      })
      const counts = count(heard)
      assert.equal(counts.received, heard.length)
      assert.equal(counts.lost, last - first + 1 - heard.length)
      assert.deepEqual(counts.reasons, [])
    }),
  )
})

test('counts every frame once and no negative loss, whatever the counters are', () => {
  const heard = fc.array(
    fc.record({
      fCnt: fc.oneof(fc.nat(20), fc.integer({ min: 65_000, max: 66_000 }), fc.nat(4_294_967_295)),
      step: fc.nat(5 * minute),
    }),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(heard, fc.array(fc.nat(500 * minute), { maxLength: 5 }), (steps, joins) => {
      let time = 0
      const list = steps.map(({ fCnt, step }) => {
        time += step
        return { fCnt, time }
      })
      const { parts } = countFrames(list, joins, (at) => Math.floor(at / (60 * minute)))
      const counts = [...parts.values()]
      assert.ok(counts.every(({ lost }) => lost >= 0))
      const seen = counts.reduce((sum, { received, repeated }) => sum + received + repeated, 0)
      assert.equal(seen, list.length)
    }),
  )
})
