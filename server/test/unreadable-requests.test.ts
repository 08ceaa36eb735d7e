import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { startListening } from './service.ts'

/** Raw bytes that Node's parser refuses, and bytes that it wrongly accepts. */

const service = await startListening({ after })
const { port } = new URL(service.services.publicUrl)

async function send(
  bytes: string | Buffer,
): Promise<{ status: number; id: string; body: unknown }> {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(bytes)
  const chunks: Buffer[] = []
  for await (const chunk of socket) {
    chunks.push(chunk)
    if (Buffer.concat(chunks).includes('}')) break
  }
  const text = Buffer.concat(chunks).toString()
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const id = /^x-request-id: ([0-9a-f-]{36})$/im.exec(head)?.[1] ?? ''
  assert.notEqual(id, '', text)
  assert.match(head, /^content-type: application\/json/im)
  return { status: Number(head.split(' ')[1]), id, body: JSON.parse(body) }
}

const noHttp = 'The request is not valid HTTP.'
const oneHost = 'The request must have one Host header.'
const noAddress = 'The address is not valid.'
const tooLarge = 'The headers of the request are too large.'

const unreadable: [name: string, bytes: string | Buffer, status: number, message: string][] = [
  ['a bad request line', 'GET\r\n\r\n', 400, noHttp],
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, noHttp],
  ['a bad header', 'GET /v1/devices HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n', 400, noHttp],
  ['an unknown method', 'FETCH /v1/devices HTTP/1.1\r\nHost: a\r\n\r\n', 400, noHttp],
  ['large headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, tooLarge],
  ['two Host headers', 'GET /v1/devices HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, oneHost],
  ['the same Host twice', 'GET /livez HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n', 400, oneHost],
  ['no Host header', 'GET /v1/devices HTTP/1.1\r\n\r\n', 400, oneHost],
  [
    'bytes in the address',
    Buffer.from('GET /v1/devices/\xff HTTP/1.1\r\nHost: a\r\n\r\n', 'latin1'),
    400,
    noHttp,
  ],
  ['no UTF-8 in the path', 'GET /v1/devices/%ff HTTP/1.1\r\nHost: a\r\n\r\n', 400, noAddress],
  [
    'no UTF-8 in the query',
    'GET /v1/devices?search=%c0%af HTTP/1.1\r\nHost: a\r\n\r\n',
    400,
    noAddress,
  ],
]

for (const [name, bytes, status, message] of unreadable) {
  test(`${name} is ${status}, with an id and a message`, async () => {
    const answer = await send(bytes)
    assert.deepEqual([answer.status, answer.body], [status, { message }])
  })
}

test('HTTP/1.0 needs no Host header', async () => {
  const { status } = await send('GET /livez HTTP/1.0\r\n\r\n')
  assert.equal(status, 200)
})
