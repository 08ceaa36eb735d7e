import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatchSpacing } from './batch-timing.ts'

/** A spacing of 8 ms on a clock that the test moves. */
function startAt(time: number) {
  const clock = { time }
  return { clock, spacing: createBatchSpacing(() => clock.time, 8) }
}

test('an uplink that comes alone does not wait', () => {
  const { clock, spacing } = startAt(1000)
  for (let uplink = 0; uplink < 3; uplink += 1) {
    assert.equal(spacing.timeUntilDue(1), 0)
    spacing.begin(1)
    clock.time += 8
  }
})

test('an uplink soon after a batch waits for the rest of the time, many do not', () => {
  const { clock, spacing } = startAt(1000)
  spacing.begin(1)
  clock.time += 3
  assert.equal(spacing.timeUntilDue(1), 5)
  assert.equal(spacing.timeUntilDue(32), 0)
})

test('a sender that sends one after the other waits ever more seldom', () => {
  const { clock, spacing } = startAt(1000)
  const waits: number[] = []
  for (let uplink = 0; uplink < 100; uplink += 1) {
    const wait = spacing.timeUntilDue(1)
    if (wait > 0) waits.push(uplink)
    clock.time += wait
    spacing.begin(1)
    clock.time += 2
  }
  assert.deepEqual(waits, [1, 2, 3, 4, 13, 30, 63])
})

test('a wait that brought company is repeated', () => {
  const { clock, spacing } = startAt(1000)
  spacing.begin(1)
  for (let batch = 0; batch < 5; batch += 1) {
    clock.time += 2
    assert.equal(spacing.timeUntilDue(1), 6)
    clock.time += 6
    spacing.begin(2)
  }
})
