import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { thisMachine } from '../../test/outside.ts'
import { NetworkError, readRetryAfter } from './network-error.ts'
import { openRest, RefusedCall, type RestOptions } from './rest.ts'

async function startServer(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options: Partial<RestOptions> = {},
) {
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}/api/`
  const rest = openRest({ name: 'Testnet', base, outside: thisMachine, secrets: [], ...options })
  t.after(() => rest.close())
  return rest
}

const get = { method: 'GET', path: '/things' } as const

async function failure(call: Promise<unknown>): Promise<NetworkError> {
  const error = await call.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof NetworkError, String(error))
  return error
}

test('sends JSON and a query below the base address, and reads JSON', async (t) => {
  const rest = await startServer(
    t,
    async (request, response) => {
      const chunks = []
      for await (const chunk of request) chunks.push(chunk)
      const { method, url, headers } = request
      const sent = { method, url, key: headers['x-key'], body: Buffer.concat(chunks).toString() }
      response.writeHead(201).end(JSON.stringify(sent))
    },
    { headers: () => ({ 'x-key': 'k' }) },
  )
  const answer = await rest.call({
    method: 'POST',
    path: '/things',
    query: { name: 'a b&c', isNew: true },
    body: { eui: 'FF' },
  })
  assert.deepEqual(
    [answer.status, answer.body],
    [
      201,
      {
        method: 'POST',
        url: '/api/things?name=a+b%26c&isNew=true',
        key: 'k',
        body: '{"eui":"FF"}',
      },
    ],
  )
})

const failures: [status: number, kind: string, isUndone: boolean][] = [
  [400, 'refused', true],
  [401, 'unauthorized', true],
  [403, 'unauthorized', true],
  [404, 'refused', true],
  [408, 'unreachable', false],
  [409, 'refused', true],
  [422, 'refused', true],
  [429, 'slow_down', true],
  [500, 'unreachable', false],
  [503, 'unreachable', true],
  [302, 'unreachable', false],
]

for (const [status, kind, isUndone] of failures) {
  test(`takes status ${status} for ${kind}`, async (t) => {
    const rest = await startServer(t, (_request, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' })
      response.end(JSON.stringify({ message: 'The device is not there.' }))
    })
    const error = await failure(rest.call(get))
    assert.deepEqual([error.kind, error.isUndone], [kind, isUndone])
    if (status !== 302) assert.match(error.message, /The device is not there/)
    if (error instanceof RefusedCall) assert.equal(error.status, status)
  })
}

const waits: [headers: Record<string, string>, retryAfterMs: number | undefined][] = [
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '7', 'x-rate-limit-retry': '2' }, 7_000],
  [{ 'x-rate-limit-reset': '60', 'x-rate-limit-retry': '2' }, 2_000],
  [{ 'ratelimit-reset': '30' }, 30_000],
  [{ 'x-ratelimit-reset': '1.5' }, 1_500],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '999999' }, 3_600_000],
  [{}, undefined],
]

for (const [headers, retryAfterMs] of waits) {
  test(`reads ${JSON.stringify(headers)} as ${retryAfterMs} ms to wait`, async (t) => {
    const rest = await startServer(t, (_request, response) => {
      response.writeHead(429, headers).end('{"message":"rate limit exceeded"}')
    })
    const error = await failure(rest.call(get))
    assert.equal(error.message, 'Testnet asks to slow down: rate limit exceeded.')
    assert.deepEqual([error.about, error.retryAfterMs], ['account', retryAfterMs])
  })
}

test('reads a moment to wait for, as a date and as a number', () => {
  const now = Date.parse('2026-01-01T12:00:00Z')
  const moment = (value: string, name = 'retry-after') => readRetryAfter({ [name]: value }, now)
  assert.equal(moment('Thu, 01 Jan 2026 12:00:30 GMT'), 30_000)
  assert.equal(moment('Thu, 01 Jan 2026 11:00:30 GMT'), 0)
  assert.equal(moment(String(now / 1000 + 5), 'x-ratelimit-reset'), 5_000)
  assert.equal(moment(String(now + 5_000), 'x-ratelimit-reset'), 5_000)
})

test('says in the network’s own words what is wrong, without its secrets', async (t) => {
  const rest = await startServer(
    t,
    (_request, response) => {
      response.writeHead(400).end('{"errors":[{"text":"key s3cret is bad"}]}')
    },
    {
      secrets: ['s3cret', ''],
      explain: (body) => (body as { errors: { text: string }[] }).errors[0]?.text,
    },
  )
  const error = await failure(rest.call(get))
  assert.equal(error.message, 'Testnet refused: key [secret] is bad.')
})

test('hides a secret as it stands in an address too, and any text may be one', async (t) => {
  const rest = await startServer(
    t,
    (request, response) => {
      response.writeHead(404).end(JSON.stringify({ message: `no ${request.url}` }))
    },
    { secrets: ['\ud800', 'a+b/c='] },
  )
  const error = await failure(rest.call({ ...get, query: { token: 'a+b/c=' } }))
  assert.equal(error.message, 'Testnet refused: no /api/things?token=[secret].')
})

test('is unreachable when nobody listens, and certainly did nothing', async () => {
  const base = 'http://127.0.0.1:1'
  const rest = openRest({ name: 'Testnet', base, outside: thisMachine, secrets: [] })
  const error = await failure(rest.call(get))
  assert.deepEqual([error.kind, error.isUndone], ['unreachable', true])
  rest.close()
})

test('waits no longer than its deadline, for the answer as well as for its end', async (t) => {
  for (const answer of [
    () => {},
    (_: unknown, response: ServerResponse) => void response.write('{'),
  ]) {
    const rest = await startServer(t, answer, { deadlineMs: 100 })
    const error = await failure(rest.call(get))
    assert.deepEqual([error.kind, error.isUndone], ['unreachable', false])
    assert.match(error.message, /did not answer in time/)
  }
})

test('takes no answer that is too long', async (t) => {
  const rest = await startServer(t, (_request, response) => {
    response.end(Buffer.alloc(5 * 1024 * 1024, 'x'))
  })
  assert.match((await failure(rest.call(get))).message, /longer than 4 MiB/)
})

test('shows no page of HTML in a message', async (t) => {
  const rest = await startServer(t, (_request, response) => {
    response.writeHead(502).end('<html><body>Bad Gateway</body></html>')
  })
  const error = await failure(rest.call(get))
  assert.match(error.message, /could not be reached: status 502\.$/)
})
