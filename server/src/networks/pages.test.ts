import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from './network-error.ts'
import { limitPages } from './pages.ts'

test('passes pages on, and ends a list that does not end', async () => {
  async function* endless() {
    for (let page = 1; ; page += 1) yield page
  }
  const seen: number[] = []
  const readAll = async () => {
    for await (const page of limitPages('AWS', endless(), 3)) seen.push(page)
  }
  await assert.rejects(
    readAll(),
    (error) => error instanceof NetworkError && error.kind === 'unreachable',
  )
  assert.deepEqual(seen, [1, 2, 3])
})
