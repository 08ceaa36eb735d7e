import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NetworkConnection } from '../../../networks/network.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import { withBreaker } from './circuit-breaker.ts'

const timing = { failures: 3, firstPauseMs: 1_000, longestPauseMs: 2_000 }

/** A network of which only `check` is called, and a clock. */
function createNetwork() {
  const state = { calls: 0, time: 0, error: undefined as Error | undefined }
  const check = async (): Promise<void> => {
    state.calls += 1
    if (state.error) throw state.error
  }
  const { guarded: connection } = withBreaker(
    { check } as NetworkConnection,
    () => state.time,
    timing,
  )
  const attempt = () =>
    connection.check().then(
      () => 'ok',
      (error: Error) => error.message,
    )
  return { state, attempt }
}

const away = new NetworkError('unreachable', 'It is away.', { about: 'account' })

test('leaves a network alone after it failed some times in a row', async () => {
  const { state, attempt } = createNetwork()
  state.error = away
  for (let index = 0; index < 10; index += 1) await attempt()
  assert.equal(state.calls, 3)
  assert.match(await attempt(), /It is away\. The next attempt is made later\./)
})

test('tries once after each pause, and the pauses grow up to the longest', async () => {
  const { state, attempt } = createNetwork()
  state.error = away
  for (let index = 0; index < 3; index += 1) await attempt()
  // A pause is at most as long as these, and at least four fifths of them.
  const waits = [1_000, 1_250, 1_563, 1_954, 2_000, 2_000]
  for (const [index, wait] of waits.entries()) {
    state.time += wait * 0.7
    await attempt()
    assert.equal(state.calls, 3 + index, `still in pause ${index}`)
    state.time += wait * 0.3
    await Promise.all([attempt(), attempt()])
    assert.equal(state.calls, 4 + index, `one attempt after pause ${index}`)
  }
})

test('is as before once the network answers again', async () => {
  const { state, attempt } = createNetwork()
  state.error = away
  for (let index = 0; index < 3; index += 1) await attempt()
  state.error = undefined
  state.time += 1_000
  assert.deepEqual([await attempt(), await attempt()], ['ok', 'ok'])
})

test('a refusal is an answer, for good or for now', async () => {
  for (const kind of ['refused', 'not_yet', 'unauthorized'] as const) {
    const { state, attempt } = createNetwork()
    state.error = new NetworkError(kind, 'No.')
    for (let index = 0; index < 10; index += 1) assert.equal(await attempt(), 'No.')
    assert.equal(state.calls, 10)
  }
})

test('an error that is about one thing alone does not count', async () => {
  const { state, attempt } = createNetwork()
  state.error = new NetworkError('unreachable', 'No.', { about: 'device' })
  for (let index = 0; index < 10; index += 1) assert.equal(await attempt(), 'No.')
})

test('what fails during a pause was certainly not done', async () => {
  const { state } = createNetwork()
  const check = async (): Promise<void> => {
    throw away
  }
  const { guarded: connection } = withBreaker(
    { check } as NetworkConnection,
    () => state.time,
    timing,
  )
  for (let index = 0; index < 3; index += 1) await connection.check().catch(() => {})
  await assert.rejects(connection.check(), (error) => {
    return error instanceof NetworkError && error.isUndone
  })
})
