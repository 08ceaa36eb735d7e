import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { HttpError } from './errors.ts'

function startWork(inSlot: ReturnType<typeof createConcurrencyLimit>, log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const done = inSlot(() => {
    log.push(name)
    return promise
  })
  return { done, finish: () => resolve(name), fail: () => reject(new Error(name)) }
}

test('runs so many at once, and the others in the order in which they came', async () => {
  const inSlot = createConcurrencyLimit({ atOnce: 2, waiting: 2 })
  const started: string[] = []
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => startWork(inSlot, started, name))
  await Promise.resolve()
  assert.deepEqual(started, ['a', 'b'])
  b?.finish()
  assert.equal(await b?.done, 'b')
  assert.deepEqual(started, ['a', 'b', 'c'])
  a?.finish()
  c?.finish()
  await Promise.all([a?.done, c?.done])
  assert.deepEqual(started, ['a', 'b', 'c', 'd'])
  d?.finish()
  assert.equal(await d?.done, 'd')
})

test('turns away with a 503 whoever finds the line full, and starts nothing', async () => {
  const inSlot = createConcurrencyLimit({ atOnce: 1, waiting: 1 })
  const started: string[] = []
  const [a, b, c] = ['a', 'b', 'c'].map((name) => startWork(inSlot, started, name))
  await assert.rejects(
    async () => c?.done,
    (error) => {
      assert.ok(error instanceof HttpError)
      assert.equal(error.status, 503)
      assert.equal(error.headers['retry-after'], '1')
      return true
    },
  )
  a?.finish()
  await a?.done
  b?.finish()
  await b?.done
  assert.deepEqual(started, ['a', 'b'])
})

test('frees the slot of work that fails', async () => {
  const inSlot = createConcurrencyLimit({ atOnce: 1, waiting: 0 })
  const started: string[] = []
  const failing = startWork(inSlot, started, 'a')
  failing.fail()
  await assert.rejects(failing.done, { message: 'a' })
  assert.equal(await inSlot(async () => 'next'), 'next')
})
