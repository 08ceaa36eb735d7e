import assert from 'node:assert/strict'
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { findFreePort } from './port.ts'

/** A message as the browser gets it. */
interface Pushed {
  title: string
  body: string
  path: string
}

/** For tests: a push service (RFC 8030) with a browser behind it, which reads what it gets. */
export interface PushService {
  /** What the browser would send to our service. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string }; name: string }
  received: { headers: IncomingHttpHeaders; message: Pushed }[]
  /** What it answers; 201 by default. */
  status: number
}

export async function startPushService(
  t: { after(end: () => Promise<void>): unknown },
  publicKey: string,
): Promise<PushService> {
  const port = await findFreePort()
  const browser = createECDH('prime256v1')
  const p256dh = browser.generateKeys()
  const auth = randomBytes(16)
  const origin = `http://127.0.0.1:${port}`
  const service: PushService = {
    subscription: {
      endpoint: `${origin}/push/one`,
      keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
      name: 'Chromium on Linux',
    },
    received: [],
    status: 201,
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { headers } = request
    assert.equal(headers['content-encoding'], 'aes128gcm')
    assert.match(String(headers.ttl), /^\d+$/)
    checkVapid(String(headers.authorization), { origin, publicKey })
    const text = decrypt(Buffer.concat(chunks), { browser, p256dh, auth })
    service.received.push({ headers, message: JSON.parse(text) })
    response.writeHead(service.status).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return service
}

/** RFC 8292: who sends is proven to this push service, for a day at most. */
function checkVapid(header: string, { origin, publicKey }: { origin: string; publicKey: string }) {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(header) ?? []
  assert.equal(key, publicKey)
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)]
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
  const signed = Buffer.from(`${head}.${claims}`)
  const signer = {
    key: createPublicKey({ key: jwk, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  } as const
  assert.ok(verify('sha256', signed, signer, Buffer.from(signature, 'base64url')))
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  assert.equal(aud, origin)
  assert.ok(exp <= Date.now() / 1000 + 24 * 3600)
  assert.match(sub, /^(https:|mailto:)/)
}

interface Browser {
  browser: ReturnType<typeof createECDH>
  p256dh: Buffer
  auth: Buffer
}

/** RFC 8291 on top of RFC 8188: one record. */
function decrypt(message: Buffer, { browser, p256dh, auth }: Browser): string {
  const salt = message.subarray(0, 16)
  const keyLength = message.readUInt8(20)
  const senderKey = message.subarray(21, 21 + keyLength)
  const record = message.subarray(21 + keyLength)
  assert.ok(record.length <= message.readUInt32BE(16) && message.length <= 4096)
  const shared = browser.computeSecret(senderKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey])
  const input = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
  const key = hkdfSync('sha256', input, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = hkdfSync('sha256', input, salt, 'Content-Encoding: nonce\0', 12)
  const decipher = createDecipheriv('aes-128-gcm', Buffer.from(key), Buffer.from(nonce))
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  assert.ok(end >= 0)
  return plain.subarray(0, end).toString('utf8')
}
