import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import {
  connectChirpStack,
  exampleEui,
  makeUp,
  readExample,
} from '../../../test/chirpstack-uplinks.ts'
import { addLocalDevice } from '../../../test/fleet.ts'
import { startListening } from '../../../test/service.ts'

/* Messages on one connection, most of which Node's HTTP and Fastify do not see. */

const service = await startListening({ after })
const { publicUrl } = service.services
const callback = await connectChirpStack(service)
await addLocalDevice(service, exampleEui)

interface Message {
  url?: string
  body: string
  headers?: Record<string, string>
}

const address = `${callback.path}?event=up`
const usual = { 'content-type': 'application/json', [callback.header]: callback.value }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
after(() => agent.destroy())

async function sendOnConnection({ url = address, body, headers = {} }: Message) {
  const sent = sendRequest(publicUrl + url, {
    ...{ method: 'POST', agent },
    headers: { ...usual, ...headers, 'content-length': String(Buffer.byteLength(body)) },
  }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

/** The same without a connection, so only by Fastify. */
async function sendToFastify({ url = address, body, headers = {} }: Message) {
  const sent = { method: 'POST', url, headers: { ...usual, ...headers }, payload: body } as const
  const answer = await service.app.inject(sent)
  return { status: answer.statusCode, headers: answer.headers, body: answer.body }
}

const up = () => JSON.stringify(makeUp())
const join = JSON.stringify(readExample('join'))

const messages: [what: string, status: number, make: () => Message][] = [
  ['an uplink', 200, () => ({ body: up() })],
  ['a wrong secret', 401, () => ({ body: up(), headers: { [callback.header]: 'wrong' } })],
  ['no JSON', 400, () => ({ body: '{' })],
  ['another event', 200, () => ({ url: `${callback.path}?event=join`, body: join })],
  ['an uplink without its parts', 400, () => ({ body: '{"deviceInfo":{}}' })],
  ['an unknown network', 404, () => ({ url: address.replace('chirpstack', 'none'), body: up() })],
  [
    'an unknown account',
    401,
    () => ({ url: address.replace(/[0-9a-f]{4}\?/, '0000?'), body: up() }),
  ],
  ['another type of content', 200, () => ({ body: up(), headers: { 'content-type': 'a/b' } })],
]

test('each answer is that of Fastify, and the connection stays', async () => {
  const sockets = new Set<unknown>()
  agent.on('free', (socket) => sockets.add(socket))
  for (const [what, status, make] of messages) {
    // A known sender from here on.
    assert.equal((await sendOnConnection({ body: up() })).status, 200)
    const own = await sendOnConnection(make())
    const byFastify = await sendToFastify(make())
    assert.equal(own.status, status, `${what}: ${own.body}`)
    for (const answer of [own, byFastify]) {
      assert.match(String(answer.headers['x-request-id']), /^[0-9a-f-]{36}$/)
      assert.ok(Math.abs(Date.parse(String(answer.headers.date)) - Date.now()) < 60_000)
      for (const name of ['x-request-id', 'date', 'keep-alive']) delete answer.headers[name]
    }
    assert.deepEqual(own, byFastify, what)
  }
  assert.equal(sockets.size, 1)
})

test('what a connection has sent is stored before its answer', async () => {
  const count = async () => {
    const [row] = await service.services.db.query<{ count: number }>(
      'select count(*)::integer as count from uplinks',
    )
    return row?.count ?? 0
  }
  for (let uplink = 0; uplink < 3; uplink += 1) {
    const before = await count()
    assert.equal((await sendOnConnection({ body: up() })).status, 200)
    assert.equal(await count(), before + 1)
  }
})

test('uplinks of a device that was deleted elsewhere are judged by the endpoint', async () => {
  const { db } = service.services
  await db.query('update devices set deleted_at = now() where eui = $1', [exampleEui])
  assert.equal((await sendOnConnection({ body: up() })).status, 200)
  const rows = await db.query<{ reason: string }>('select reason from quarantined_messages')
  assert.deepEqual(
    rows.map(({ reason }) => reason),
    ['unknown_device'],
  )
})
