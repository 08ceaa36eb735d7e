import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBreaker } from './breaker.ts'

function start() {
  let time = 0
  const breaker = createBreaker(() => time)
  return {
    ...breaker,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

test('pauses a codec after three faults, and only that codec', () => {
  const breaker = start()
  breaker.noteFault('a', 1)
  breaker.noteFault('a', 1)
  assert.equal(breaker.pauseOf('a'), 0)
  breaker.noteFault('a', 1)
  assert.equal(breaker.pauseOf('a'), 10_000)
  assert.equal(breaker.pauseOf('b'), 0)
})

test('pauses twice as long after each further fault, up to five minutes', () => {
  const breaker = start()
  for (const points of [1, 2]) breaker.noteFault('a', points)
  const pauses = Array.from({ length: 7 }, () => {
    const pause = breaker.pauseOf('a')
    breaker.pass(pause)
    assert.equal(breaker.pauseOf('a'), 0)
    breaker.noteFault('a', 1)
    return pause / 1000
  })
  assert.deepEqual(pauses, [10, 20, 40, 80, 160, 300, 300])
})

test('good calls make up for faults', () => {
  const breaker = start()
  for (let round = 0; round < 20; round += 1) {
    breaker.noteFault('a', 1)
    for (let call = 0; call < 10; call += 1) breaker.noteSuccess('a')
  }
  assert.equal(breaker.pauseOf('a'), 0)
})

test('a fault that ends a thread pauses at once; what is made up for is forgotten', () => {
  const breaker = start()
  breaker.noteFault('a', 3)
  assert.equal(breaker.pauseOf('a'), 10_000)
  for (let call = 0; call < 21; call += 1) breaker.noteSuccess('a')
  assert.equal(breaker.pauseOf('a'), 0)
  breaker.noteFault('a', 2)
  assert.equal(breaker.pauseOf('a'), 0)
})

test('the next pause is longer until good calls have made up for all faults', () => {
  const breaker = start()
  const pauseAfter = (calls: number) => {
    for (let call = 0; call < calls; call += 1) breaker.noteSuccess('a')
    breaker.noteFault('a', 3)
    return breaker.pauseOf('a')
  }
  assert.deepEqual([pauseAfter(0), pauseAfter(11), pauseAfter(25)], [10_000, 20_000, 10_000])
})

test('remembers 10,000 codecs, and forgets the oldest first', () => {
  const breaker = start()
  for (let index = 0; index < 10_000; index += 1) breaker.noteFault(`${index}`, 3)
  assert.equal(breaker.pauseOf('0'), 10_000)
  breaker.noteFault('new', 1)
  assert.deepEqual([breaker.pauseOf('0'), breaker.pauseOf('1')], [0, 10_000])
})
