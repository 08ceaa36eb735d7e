import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { until } from '../../test/until.ts'
import type { Caller } from './endpoint.ts'
import {
  createOpenStreams,
  type EventStream,
  type OpenStreams,
  sendEvents,
} from './event-stream.ts'

const caller = {
  ...{ sessionId: 1, userId: 1, tokenHash: Buffer.alloc(32) },
  ...{ organizationId: 1, tenantId: 1, isOwner: true, permissions: [] },
}

async function serve(follow: (stream: EventStream) => void) {
  const app = Fastify()
  const streams = createOpenStreams(app)
  app.get('/', async (_request, reply) =>
    sendEvents(reply, follow, { streams, caller, checkAgain: async () => undefined }),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const client = connect(port, '127.0.0.1')
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return { app, client }
}

test('cuts off a client that does not read, and holds little of what waits for it', async () => {
  let most = 0
  let isOver = false
  const { app, client } = await serve((stream) => {
    const piece = `data: ${'x'.repeat(64 * 1024)}\n\n`
    const timer = setInterval(() => {
      stream.send(piece)
      most += piece.length
    }, 1)
    stream.over.addEventListener('abort', () => {
      clearInterval(timer)
      isOver = true
    })
  })
  client.pause()
  await until(() => isOver)
  // What the sockets of the machine hold, and the megabyte here.
  assert.ok(most < 32 * 1024 * 1024, `${most} bytes`)
  client.destroy()
  await app.close()
})

test('lets a client that reads slowly take what it is sent', async () => {
  let sent = 0
  const { app, client } = await serve(async (stream) => {
    while (!stream.over.aborted && sent < 200) {
      stream.send(`data: ${'x'.repeat(64 * 1024)}\n\n`)
      sent += 1
      await stream.taken()
    }
    stream.end()
  })
  let read = 0
  client.on('data', (piece) => {
    read += piece.length
  })
  await once(client, 'data')
  await until(() => read > 200 * 64 * 1024)
  assert.equal(sent, 200)
  client.destroy()
  await app.close()
})

/** Opens streams of an organization until they are refused. */
async function fill(streams: OpenStreams, place: Partial<Caller>, keys = false): Promise<number> {
  for (let count = 0; ; count += 1) {
    // Each user or key has one.
    const own = { ...caller, ...place, userId: (place.organizationId ?? 0) * 1000 + count }
    const key = { id: count, name: 'Key' }
    try {
      streams.enter(keys ? { ...own, key } : own, () => undefined)
    } catch {
      return count
    }
  }
}

test('the streams of API keys, organizations and tenants are bounded, each for itself', async () => {
  const app = Fastify()
  const streams = createOpenStreams(app)
  assert.equal(await fill(streams, { organizationId: 2, tenantId: 2 }, true), 50)
  assert.equal(await fill(streams, { organizationId: 2, tenantId: 2 }), 50)
  assert.equal(await fill(streams, { organizationId: 3, tenantId: 2 }), 100)
  assert.equal(await fill(streams, { organizationId: 4, tenantId: 2 }), 0)
  for (let tenant = 10; tenant < 18; tenant += 1) {
    for (const organizationId of [tenant, tenant + 100]) {
      await fill(streams, { organizationId, tenantId: tenant })
    }
  }
  assert.ok((await fill(streams, { organizationId: 50, tenantId: 50 })) > 0)
  await app.close()
})
