import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/until.ts'
import { type OwnConnections, ownConnections } from './own-connections.ts'

interface Trial {
  server: Server
  own: OwnConnections
  /** Moves the clock; the connections are looked at soon. */
  pass(milliseconds: number): Promise<void>
  /** The bytes that the server has read of all connections. */
  bytesRead(): number
  /** The bodies that were taken, and how they are answered. */
  taken: { body: string; answer(): void }[]
  open(options?: { allowHalfOpen?: boolean }): { socket: Socket; text(): string }
}

const head = (body: string) => `POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}`
const post = (body: string) => `${head(body)}\r\n\r\n${body}`
const get = 'GET /else HTTP/1.1\r\nHost: a\r\n\r\n'

/** Milliseconds between looks at the connections. */
const interval = 5

/** A server that takes requests to `/taken`, and answers all others by Node's HTTP. */
async function startTrial(t: TestContext, { isManual = false } = {}): Promise<Trial> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(`node ${request.url}`))
  })
  server.keepAliveTimeout = 12_000
  let time = 0
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const taken: Trial['taken'] = []
  const own = ownConnections(server, {
    largestBody: 1000,
    interval,
    now: () => time,
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
    bytesRead: () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    pass(milliseconds) {
      time += milliseconds
      return sleep(4 * interval)
    },
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

test('requests that come together are answered one after the other', async (t) => {
  const { open } = await startTrial(t)
  const { socket, text } = open()
  socket.write(post('1') + post('22') + post('333'))
  await until(() => text() === 'own 1;own 22;own 333;')
})

test('a request that comes byte by byte is answered', async (t) => {
  const { open } = await startTrial(t)
  const { socket, text } = open()
  socket.setNoDelay(true)
  for (const byte of post('1')) {
    socket.write(byte)
    await sleep(0)
  }
  await until(() => text() === 'own 1;')
})

test('with the first other request Node has the connection, whole and for good', async (t) => {
  const { open, taken } = await startTrial(t)
  const { socket, text } = open()
  socket.write(post('1') + get + post('2'))
  await until(() => text().endsWith('node /taken'))
  assert.match(text(), /^own 1;HTTP\/1\.1 200 OK.*node \/elseHTTP\/1\.1 200 OK.*node \/taken$/s)
  socket.write(post('3'))
  await until(() => text().split('node /taken').length === 3)
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
    await until(() => /node \/(else|taken)$/.test(text()))
  }
})

test('a client that has closed its side has the answer, and the connection ends', async (t) => {
  const { open, taken } = await startTrial(t, { isManual: true })
  const { socket, text } = open({ allowHalfOpen: true })
  socket.end(post('1'))
  await until(() => taken.length === 1)
  await sleep(10)
  taken[0]?.answer()
  await once(socket, 'close')
  assert.equal(text(), 'own 1;')
})

test('a client that goes away before its answer does no harm', async (t) => {
  const { open, taken, server } = await startTrial(t, { isManual: true })
  const { socket } = open()
  socket.write(post('1') + post('2'))
  await until(() => taken.length === 1)
  socket.resetAndDestroy()
  await once(socket, 'close')
  const count = () => new Promise((resolve) => server.getConnections((_, many) => resolve(many)))
  await until(async () => (await count()) === 0)
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
  await until(() => taken.length === 1)
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
  await until(() => text() === 'own 1;')
  own.leaveAll()
  socket.write(post('2'))
  await until(() => text().endsWith('node /taken'))
})

test('half a request is left to Node and its limits of time after some seconds', async (t) => {
  const { open, pass, bytesRead } = await startTrial(t)
  const { socket, text } = open()
  const begin = post('1') + post('22').slice(0, -1)
  socket.write(begin)
  await until(() => text() === 'own 1;' && bytesRead() === begin.length)
  await pass(4000)
  socket.write('2')
  await until(() => text() === 'own 1;own 22;')
  socket.write(post('333').slice(0, -1))
  await until(() => bytesRead() === begin.length + post('333').length)
  await pass(5001)
  socket.write('3')
  await until(() => text().endsWith('node /taken'))
})

test('an idle connection ends a second after the time that clients are told', async (t) => {
  const { open, pass } = await startTrial(t)
  const { socket, text } = open()
  socket.write(post('1'))
  await until(() => text() === 'own 1;')
  await pass(12_900)
  socket.write(post('2'))
  await until(() => text() === 'own 1;own 2;')
  const closed = once(socket, 'close')
  await pass(13_001)
  await closed
})

test('what comes while a request waits for its answer is not read without end', async (t) => {
  const { open, taken, bytesRead } = await startTrial(t, { isManual: true })
  const { socket } = open()
  socket.write(post('x'.repeat(900)).repeat(5000))
  for (let answered = 0; answered < 30; answered += 1) {
    await until(() => taken.length > answered)
    taken[answered]?.answer()
    await sleep(2)
  }
  // A portion of the socket for each answer would be 2 MB.
  assert.ok(bytesRead() < 400_000, `${bytesRead()} bytes were read`)
})

test('a connection whose answer is not read ends with all connections', async (t) => {
  const { open, server, taken } = await startTrial(t)
  const { socket } = open()
  socket.pause()
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(post('x'.repeat(900)).repeat(20_000))
  await until(() => taken.length > 100)
  await sleep(100)
  server.closeAllConnections()
  socket.resume()
  await closed
})
