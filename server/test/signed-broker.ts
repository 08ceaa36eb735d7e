import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import type { TestContext } from 'node:test'
import { Aedes } from 'aedes'
import { signatureOf } from '../src/networks/aws/signature.ts'
import type { AccountValues } from '../src/networks/network.ts'

/** An MQTT broker over WebSocket that checks the signature in the address, as AWS IoT does. */
export async function startSignedBroker(
  context: Pick<TestContext, 'after'>,
  account: AccountValues,
) {
  const broker = await Aedes.createBroker()
  const addresses: { isRight: boolean }[] = []
  const sockets = new Set<Duplex>()
  const server = createServer()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    const isRight = isSigned(request, account)
    addresses.push({ isRight })
    if (!isRight) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    // The handshake answer, RFC 6455, section 4.2.2.
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: mqtt\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    broker.handle(unframe(socket))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  context.after(async () => {
    cut()
    server.close()
    await new Promise<void>((resolve) => void broker.close(resolve))
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return { broker, addresses, cut, url: `ws://127.0.0.1:${address.port}/mqtt` }
}

function isSigned({ url = '', headers }: IncomingMessage, account: AccountValues): boolean {
  const { pathname, searchParams } = new URL(url, 'http://broker')
  const { 'X-Amz-Signature': signature, ...query } = Object.fromEntries(searchParams)
  const request = { method: 'GET', path: pathname, query, headers: { host: headers.host ?? '' } }
  const signing = {
    accessKeyId: account.access_key_id ?? '',
    secretAccessKey: account.secret_access_key ?? '',
    region: account.region ?? '',
    service: 'iotdevicegateway',
    time: query['X-Amz-Date'] ?? '',
  }
  return signature === signatureOf({ ...request, body: '' }, signing)
}

/** Reads and writes the content of binary WebSocket frames (RFC 6455, section 5.2). */
function unframe(socket: Duplex): Duplex {
  let received = Buffer.alloc(0)
  const inner = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      const long = Buffer.from([0x82, 126, chunk.length >> 8, chunk.length & 0xff])
      const head = chunk.length < 126 ? Buffer.from([0x82, chunk.length]) : long
      socket.write(Buffer.concat([head, chunk]), done)
    },
  })
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    // Passes all payloads on as one chunk, as aedes expects.
    const payloads: Uint8Array[] = []
    for (let frame = readFrame(received); frame; frame = readFrame(received)) {
      received = received.subarray(frame.length)
      if (frame.isBinary) payloads.push(frame.payload)
    }
    if (payloads.length > 0) inner.push(Buffer.concat(payloads))
  })
  socket.on('close', () => inner.destroy())
  return inner
}

/** Reads a masked frame of up to 65,535 bytes. */
function readFrame(bytes: Buffer) {
  if (bytes.length < 6) return undefined
  const short = (bytes[1] ?? 0) & 0x7f
  const isShort = short < 126
  const start = isShort ? 6 : 8
  const size = isShort ? short : bytes.readUInt16BE(2)
  if (bytes.length < start + size) return undefined
  const mask = bytes.subarray(start - 4, start)
  const payload = bytes.subarray(start, start + size).map((byte, at) => byte ^ (mask[at % 4] ?? 0))
  return { length: start + size, payload, isBinary: ((bytes[0] ?? 0) & 0x0f) === 2 }
}
