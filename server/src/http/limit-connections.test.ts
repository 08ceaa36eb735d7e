import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/database.ts'
import { makeInstallation } from '../../test/process.ts'
import { until } from '../../test/until.ts'

const files = 200
/** Connections that are opened at once. */
const portion = files / 8
const isOpen = (socket: Socket) => socket.readyState === 'open'

test('idle connections leave room for others, and for the database', async (t) => {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const { start, address, port } = await makeInstallation(t)
  const settings = { DATABASE_URL: database.url, SECRET_KEY: 'x'.repeat(32) }
  const server = start(settings, undefined, { files })
  await server.waitFor('"msg":"serving"')
  const sockets: Socket[] = []
  t.after(() => sockets.forEach((socket) => void socket.destroy()))
  const open = async (begin = '') => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.resume().write(begin)
    sockets.push(socket)
    return socket
  }
  const busy = request(`${address}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' },
  })
  // Listened to from the beginning: a machine under load may take longer than a body may.
  const answered = once(busy, 'response') as Promise<[IncomingMessage]>
  const isUnderWay = once(busy, 'continue')
  busy.flushHeaders()
  await isUnderWay

  const used = await open('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(used, 'data')
  for (let count = 0; count < 2 * files; count += portion) {
    const begun = (at: number) => (at % 2 === 0 ? '' : 'POST /v1/callbacks/x HTTP/1.1\r\nhost:')
    await Promise.all(Array.from({ length: portion }, (_, at) => open(begun(at))))
  }
  await until(() => sockets.filter(isOpen).length <= files / 2)
  assert.equal(isOpen(used), false, 'the one that was idle for longest is closed')
  assert.ok(sockets.slice(-files / 4).every(isOpen), 'the last ones are left')
  for (const path of ['/livez', '/readyz']) {
    const answer = await fetch(address + path, { headers: { connection: 'close' } })
    assert.equal(answer.status, 200)
  }
  busy.end('{}')
  assert.equal((await answered)[0].statusCode, 422)
  await server.waitFor('the longest idle first')
  // Half a request and none at all are waited for: 10 s, by looks every 2 s.
  await until(() => sockets.filter(isOpen).length === 0)
})
