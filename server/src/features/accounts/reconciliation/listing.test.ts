import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedThing } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { readList } from './network-side.ts'

const thing = { eui: '00AA000000000001', name: 'Cellar' }
const never = () => false

async function* repeat(page: ListedThing[]): AsyncGenerator<ListedThing[]> {
  while (true) yield page
}

function isError(kind: NetworkError['kind'], words: RegExp) {
  return (error: unknown) =>
    error instanceof NetworkError && error.kind === kind && words.test(error.message)
}

test('ends a list whose server repeats a page for ever', async () => {
  const page = Array.from({ length: 1000 }, () => thing)
  const words = /more than 500000 devices/
  await assert.rejects(readList('device', repeat(page), never), isError('refused', words))
})

test('ends a list of empty pages', async () => {
  const words = /does not stop listing gateways/
  await assert.rejects(readList('gateway', repeat([]), never), isError('unreachable', words))
})

test('ends a list when its time is up', async () => {
  let asked = 0
  const timeIsUp = () => {
    asked += 1
    return asked === 3
  }
  const words = /takes too long to list its devices/
  await assert.rejects(readList('device', repeat([thing]), timeIsUp), isError('unreachable', words))
  assert.equal(asked, 3)
})
