import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenCache } from './access-token.ts'
import { NetworkError } from './network-error.ts'
import { RefusedCall } from './rest.ts'

const hour = 3_600_000

function createCache() {
  let fetched = 0
  let time = 0
  const cache = createTokenCache(
    async () => {
      fetched += 1
      return { token: `token ${fetched}`, expiresAt: time + hour }
    },
    () => time,
  )
  const setTime = (to: number) => {
    time = to
  }
  return { cache, setTime }
}

test('fetches one token for all that need it at once', async () => {
  const { cache } = createCache()
  const tokens = await Promise.all([cache.get(), cache.get(), cache.get()])
  assert.deepEqual(tokens, ['token 1', 'token 1', 'token 1'])
})

test('fetches another one before the last expires', async () => {
  const { cache, setTime } = createCache()
  await cache.get()
  setTime(hour - 61_000)
  assert.equal(await cache.get(), 'token 1')
  setTime(hour - 59_000)
  assert.equal(await cache.get(), 'token 2')
})

test('a call with a token that was revoked is made once more, with a new one', async () => {
  const { cache } = createCache()
  await cache.get()
  const used: string[] = []
  const result = await cache.use(async () => {
    used.push(await cache.get())
    if (used.length === 1) throw turnedAway()
    return 'done'
  })
  assert.deepEqual([result, used], ['done', ['token 1', 'token 2']])
})

test('a call that is turned away again fails', async () => {
  const { cache } = createCache()
  await cache.get()
  let calls = 0
  const call = async () => {
    calls += 1
    throw turnedAway()
  }
  await assert.rejects(cache.use(call), RefusedCall)
  assert.equal(calls, 2)
})

test('sends credentials that were refused once a minute, and those of an outage at once', async () => {
  for (const [kind, expected] of [
    ['unauthorized', 2],
    ['unreachable', 4],
  ] as const) {
    let time = 0
    let fetched = 0
    const cache = createTokenCache(
      async () => {
        fetched += 1
        throw new NetworkError(kind, 'No.')
      },
      () => time,
    )
    for (time of [0, 1, 59_999, 60_000]) await assert.rejects(cache.get(), /No\./)
    assert.equal(fetched, expected, kind)
  }
})

function turnedAway(): RefusedCall {
  return new RefusedCall({ kind: 'unauthorized', message: 'expired' }, { status: 401, body: '' })
}
