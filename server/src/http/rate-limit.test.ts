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
  const free = { isAllowed: true, remaining: Number.POSITIVE_INFINITY, resetSeconds: 0 }
  assert.deepEqual(
    [allow('a', 0), allow('t', 0, null), createRateLimiter(1).allow('b', 0, 0)],
    [free, free, free],
  )
})

test('a tenant has the allowance of 20 callers, or what it was given', () => {
  const { allow } = createRateLimiter(3)
  assert.equal(allow('tenant', 0, null).remaining, 59)
  assert.equal(allow('other', 0, 2).remaining, 1)
})

test('forgets the caller heard longest ago when there are too many', () => {
  const { allow } = createRateLimiter(1)
  allow('again', 0)
  allow('first', 0)
  allow('again', 60_000)
  for (let index = 2; index < 100_000; index += 1) allow(`one ${index}`, 60_000)
  assert.deepEqual(
    ['first', 'again'].map((key) => allow(key, 60_000 - 1).isAllowed),
    [false, false],
  )
  allow('one more', 60_000)
  assert.equal(allow('again', 60_000).isAllowed, false)
  assert.equal(allow('first', 59_999).isAllowed, true)
})

test('the callers of a minute are many', () => {
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

test('counts of others about callers that were not sent change nothing', async () => {
  const { allow, share } = createRateLimiter(10)
  allow('a', 5)
  await share(async () => [
    { key: 'a', start: 2, count: 3 },
    { key: 'b', start: 2, count: 9 },
  ])
  assert.deepEqual(allow('a', 6).remaining, 6)
  assert.equal(allow('b', 6).remaining, 9)
  assert.equal(allow('a', 60_002).remaining, 9, 'the minute that began earlier counts')
})
