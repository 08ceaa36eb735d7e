import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnConnections, ownConnections } from './own-connections.ts'

interface Trial {
  server: Server
  own: OwnConnections
  /** The bodies that were taken, and how they are answered. */
  taken: { body: string; answer(): void }[]
  open(options?: { allowHalfOpen?: boolean }): { socket: Socket; text(): string }
}

const head = (body: string) => `POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}`
const post = (body: string) => `${head(body)}\r\n\r\n${body}`
const get = 'GET /else HTTP/1.1\r\nHost: a\r\n\r\n'

/** A server that takes requests to `/taken`, and answers all others by Node's HTTP. */
async function startTrial(t: TestContext, { isManual = false } = {}): Promise<Trial> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(`node ${request.url}`))
  })
  server.keepAliveTimeout = 12_000
  const taken: Trial['taken'] = []
  const own = ownConnections(server, {
    largestBody: 1000,
    take({ url, body }, _socket, done) {
      if (url !== '/taken') return false
      const text = body.toString()
      const answer = () => done(`own ${text};`)
      taken.push({ body: text, answer })
      if (!isManual) setImmediate(answer)
      return true
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  t.after(() => {
    own.end()
    server.close()
    server.closeAllConnections()
  })
  return {
    ...{ server, own, taken },
    open(options = {}) {
      const socket = connect({ port, host: '127.0.0.1', ...options })
      let text = ''
      socket.on('data', (bytes) => {
        text += bytes
      })
      t.after(() => socket.destroy())
      return { socket, text: () => text }
    },
  }
}

async function until(isTrue: () => boolean, what: () => string): Promise<void> {
  const end = Date.now() + 5000
  while (!isTrue()) {
    assert.ok(Date.now() < end, what())
    await sleep(2)
  }
}

test('requests that come together are answered one after the other', async (t) => {
  const { open } = await startTrial(t)
  const { socket, text } = open()
  socket.write(post('1') + post('22') + post('333'))
  await until(() => text() === 'own 1;own 22;own 333;', text)
})

test('a request that comes byte by byte is answered', async (t) => {
  const { open } = await startTrial(t)
  const { socket, text } = open()
  socket.setNoDelay(true)
  for (const byte of post('1')) {
    socket.write(byte)
    await sleep(0)
  }
  await until(() => text() === 'own 1;', text)
})

test('with the first other request Node has the connection, whole and for good', async (t) => {
  const { open, taken } = await startTrial(t)
  const { socket, text } = open()
  socket.write(post('1') + get + post('2'))
  await until(() => text().endsWith('node /taken'), text)
  assert.match(text(), /^own 1;HTTP\/1\.1 200 OK.*node \/elseHTTP\/1\.1 200 OK.*node \/taken$/s)
  socket.write(post('3'))
  await until(() => text().split('node /taken').length === 3, text)
  assert.deepEqual(
    taken.map(({ body }) => body),
    ['1'],
  )
})

test('what is larger, or not for it, goes to Node with its body', async (t) => {
  const { open } = await startTrial(t)
  for (const request of [post('x'.repeat(1001)), post('1').replace('/taken', '/else')]) {
    const { socket, text } = open()
    socket.write(request.slice(0, 90))
    await sleep(5)
    socket.write(request.slice(90))
    await until(() => /node \/(else|taken)$/.test(text()), text)
  }
})

test('a client that has closed its side has the answer, and the connection ends', async (t) => {
  const { open, taken } = await startTrial(t, { isManual: true })
  const { socket, text } = open({ allowHalfOpen: true })
  socket.end(post('1'))
  await until(() => taken.length === 1, text)
  await sleep(10)
  taken[0]?.answer()
  await once(socket, 'close')
  assert.equal(text(), 'own 1;')
})

test('a client that goes away before its answer does no harm', async (t) => {
  const { open, taken, server } = await startTrial(t, { isManual: true })
  const { socket, text } = open()
  socket.write(post('1') + post('2'))
  await until(() => taken.length === 1, text)
  socket.resetAndDestroy()
  await once(socket, 'close')
  const count = () => new Promise((resolve) => server.getConnections((_, many) => resolve(many)))
  while ((await count()) !== 0) await sleep(2)
  taken[0]?.answer()
  assert.equal(taken.length, 1)
})

test('a client that does not read its answers is not read either', async (t) => {
  const { open, taken } = await startTrial(t)
  const { socket } = open()
  socket.pause()
  const many = post('x'.repeat(900)).repeat(2000)
  const burst = () => new Promise((resolve) => socket.write(many, resolve))
  await Promise.race([burst().then(burst).then(burst).then(burst), sleep(1500)])
  assert.ok(taken.length < 8000, `${taken.length} requests were read`)
})

test('at the end idle connections close at once, the others with their answer', async (t) => {
  const { open, own, taken } = await startTrial(t, { isManual: true })
  const [idle, busy] = [open(), open()]
  busy.socket.write(post('1'))
  await until(() => taken.length === 1, busy.text)
  own.end()
  await once(idle.socket, 'close')
  taken[0]?.answer()
  await once(busy.socket, 'close')
  assert.equal(busy.text(), 'own 1;')
})

test('once all are left, the next request of a connection is answered by Node', async (t) => {
  const { open, own } = await startTrial(t)
  const { socket, text } = open()
  socket.write(post('1'))
  await until(() => text() === 'own 1;', text)
  own.leaveAll()
  socket.write(post('2'))
  await until(() => text().endsWith('node /taken'), text)
})

test('half a request is left to Node and its limits of time, an idle connection ends', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { open, server } = await startTrial(t)
  server.keepAliveTimeout = 1
  const [half, idle] = [open(), open()]
  half.socket.write(post('12').slice(0, -1))
  idle.socket.write(post('1'))
  await until(() => idle.text() === 'own 1;', idle.text)
  await sleep(10)
  t.mock.timers.tick(5000)
  await once(idle.socket, 'close')
  half.socket.write('2')
  await until(() => half.text().endsWith('node /taken'), half.text)
})
