import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareJson } from './differences.ts'

test('names each place where two values differ', () => {
  const before = { a: 1, b: { c: [1, 2], d: 'x' }, gone: null, same: true }
  const after = { a: 2, b: { c: [1, 3, 4], d: { e: 1 } }, same: true, new: 0 }
  assert.deepEqual(compareJson(before, after), [
    { path: 'a', before: 1, after: 2 },
    { path: 'b.c.1', before: 2, after: 3 },
    { path: 'b.c.2', after: 4 },
    { path: 'b.d', before: 'x', after: { e: 1 } },
    { path: 'gone', before: null },
    { path: 'new', after: 0 },
  ])
})

test('passes over the last digits of numbers and the spelling of times', () => {
  const before = { sum: 0.30000000000000004, time: '2026-03-01T12:00:00.123456789Z', zero: 0 }
  const after = { sum: 0.3, time: '2026-03-01T12:00:00.123Z', zero: -0 }
  assert.deepEqual(compareJson(before, after), [])
  assert.equal(compareJson({ time: '2026-03-01T12:00:00Z' }, { time: '2026-03-01' }).length, 1)
  assert.equal(compareJson({ list: [] }, { list: {} }).length, 1)
})

test('names twenty at most', () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]))
  assert.equal(compareJson(many, {}).length, 20)
})
