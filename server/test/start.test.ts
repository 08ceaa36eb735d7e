import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import Fastify from 'fastify'
import { closeApp, drainApp } from '../src/process/close-app.ts'

/** Starts a server whose only answer waits for `answer()`, and sends a request to it. */
async function startSlowServer() {
  const { promise: isAsked, resolve: tellAsked } = Promise.withResolvers<void>()
  const { promise: letGo, resolve: answer } = Promise.withResolvers<void>()
  const app = Fastify({ keepAliveTimeout: 60_000 })
  app.get('/', async () => {
    tellAsked()
    await letGo
    return 'answered'
  })
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(address.port), address.hostname)
  await once(socket, 'connect')
  const received = text(socket)
  socket.write('GET / HTTP/1.1\r\nHost: example.test\r\nConnection: keep-alive\r\n\r\n')
  await isAsked
  return { app, answer, received }
}

test('a server that is closed answers what is under way, and keeps no connection', async () => {
  const { app, answer, received } = await startSlowServer()
  const closed = closeApp(app, 60_000)
  answer()
  await closed
  assert.match(await received, /^HTTP\/1\.1 200 OK.*answered$/s)
})

test('a server that is about to be closed takes leave of clients by its answers', async () => {
  const app = Fastify({ keepAliveTimeout: 60_000 })
  app.get('/', async () => 'answered')
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const connectionOf = async () => {
    const [answer] = await once(get(address, { agent }), 'response')
    assert.equal(await text(answer), 'answered')
    return answer.headers.connection
  }
  assert.equal(await connectionOf(), 'keep-alive')
  const drained = drainApp(app, 60_000)
  assert.equal(await connectionOf(), 'close')
  await drained
  await app.close()
})

test('a server that is closed waits no longer than its patience', async () => {
  const { app, answer, received } = await startSlowServer()
  await closeApp(app, 20)
  assert.equal(await received.catch(() => ''), '')
  answer()
})
