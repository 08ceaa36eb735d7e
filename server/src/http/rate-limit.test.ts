import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimiter } from './rate-limit.ts'

test('allows so many requests a minute to each caller, and all of them again after it', () => {
  const { allow } = createRateLimiter(2)
  assert.deepEqual(allow('a', 0), { isAllowed: true, remaining: 1, resetSeconds: 60 })
  assert.deepEqual(allow('a', 30_500), { isAllowed: true, remaining: 0, resetSeconds: 30 })
  assert.deepEqual(allow('a', 59_999), { isAllowed: false, remaining: 0, resetSeconds: 1 })
  assert.equal(allow('b', 59_999).isAllowed, true)
  assert.deepEqual(allow('a', 60_000), { isAllowed: true, remaining: 1, resetSeconds: 60 })
})

test('a limit of 0 allows everything', () => {
  const { allow } = createRateLimiter(0)
  for (let count = 0; count < 5000; count += 1) assert.equal(allow('a', 0).isAllowed, true)
})

test('forgets the caller heard longest ago when there are too many', () => {
  const { allow } = createRateLimiter(1)
  allow('first', 0)
  for (let index = 0; index < 100_000; index += 1) allow(`caller ${index}`, 1)
  assert.equal(allow('caller 99999', 2).isAllowed, false)
  assert.equal(allow('first', 2).isAllowed, true)
})

test('requests that come while the counts are shared still count', async () => {
  const { allow, share } = createRateLimiter(10)
  for (let count = 0; count < 3; count += 1) allow('a', 0)
  const answer = Promise.withResolvers<{ key: string; start: number; count: number }[]>()
  const sharing = share((counts) => {
    assert.deepEqual(counts, [{ key: 'a', start: 0, count: 3 }])
    return answer.promise
  })
  for (let count = 0; count < 2; count += 1) allow('a', 0)
  // Another process had 4.
  answer.resolve([{ key: 'a', start: 0, count: 7 }])
  await sharing
  assert.equal(allow('a', 0).remaining, 0)
  assert.equal(allow('a', 0).isAllowed, false)
  await share(async (counts) => {
    assert.deepEqual(counts, [{ key: 'a', start: 0, count: 4 }])
    return [{ key: 'a', start: 0, count: 11 }]
  })
  await share(() => assert.fail('nothing is new'))
})
