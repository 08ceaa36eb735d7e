import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restAfter } from './rest-after.ts'

test('a rest is as long as the work, but never holds up a stop', async () => {
  const restOf = async (worked: number, times?: number) => {
    const begin = performance.now()
    await restAfter(begin - worked, times)
    return performance.now() - begin
  }
  const [short, long] = await Promise.all([restOf(20, 9), restOf(60_000, 9)])
  assert(short >= 179 && short < long, `${short} ms`)
  assert(long < 25_000, `${long} ms`)
})
