import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { startBroker } from '../../../test/broker.ts'
import { createSink, onceSubscribed, timing } from '../../../test/message-sink.ts'
import { thisMachine } from '../../../test/outside.ts'
import { until } from '../../../test/until.ts'
import { findAccountFaults } from '../account-fields.ts'
import { placeFields } from '../aws/account.ts'
import type { Outside } from '../outside.ts'
import { findBrokerFault } from './broker.ts'
import { subscribe } from './subscription.ts'

test('reports a broker whose address cannot be used, and tries again', async (context) => {
  for (const url of ['wss://a;x/', 'mqtts://\u00AD/', 'mqtts://169.254.169.254;x/', 'nonsense']) {
    assert.notEqual(findBrokerFault(url), undefined, url)
    assert.ok(
      'mqtt_url' in findAccountFaults({ accountFields: placeFields }, { mqtt_url: url }),
      url,
    )
    let calls = 0
    const source = { topic: 'x', clientId: 'c', read: () => [], outside: thisMachine }
    const { problems, sink } = createSink()
    const address = () => {
      calls += 1
      return url
    }
    const subscription = subscribe({ ...source, url, sign: address }, sink, timing)
    context.after(() => subscription.close())
    await until(() => calls > 1)
    assert.equal(problems.length, 1)
  }
  assert.equal(findBrokerFault('wss://[::1]:8443/mqtt?a=b'), undefined)
})

test('resolves the name of a broker by the lookup that checks addresses', async (context) => {
  for (const protocol of ['mqtt', 'mqtts', 'ws', 'wss']) {
    const { problems, sink } = createSink()
    const lookup: Outside['lookup'] = (name, _options, callback) =>
      callback(Object.assign(new Error(`${name} is not for you`), { code: 'EACCES' }), [])
    const url = `${protocol}://broker.test:1/mqtt`
    const outside = { check: () => undefined, lookup }
    const source = { url, topic: 'x', clientId: 'c', read: () => [], outside }
    const subscription = subscribe(source, sink, timing)
    context.after(() => subscription.close())
    await until(() => problems.length > 0)
    assert.match(problems[0] ?? '', /broker\.test is not for you/, protocol)
  }
})

test('ends a connection on which a packet beyond the limit is announced', async (context) => {
  const { problems, sink } = createSink()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    // CONNACK, and the header of a PUBLISH of 256 MB in two pieces.
    socket.once('data', () => {
      socket.write(Buffer.from([0x20, 2, 0, 0, 0x30, 0xff]))
      setImmediate(() => socket.write(Buffer.from([0xff, 0xff, 0x7f])))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  context.after(() => void server.close())
  const { port } = server.address() as AddressInfo
  const url = `mqtt://127.0.0.1:${port}`
  const source = { url, topic: 'x', clientId: 'c', read: () => [], outside: thisMachine }
  const subscription = subscribe(source, sink, timing)
  context.after(() => subscription.close())
  await until(() => problems.length > 0)
  assert.match(problems[0] ?? '', /too large/)
})

test('ends a WebSocket on which a message beyond the limit is announced', async (context) => {
  const { problems, sink } = createSink()
  const reasons: number[] = []
  const server = createHttpServer().on('upgrade', ({ headers }, socket) => {
    socket.on('error', () => undefined)
    // RFC 6455, section 4.2.2; then the header of a binary message of 1 MiB (section 5.2).
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: mqtt\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.write(Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 16, 0, 0]))
    socket.on('data', (sent: Buffer) => {
      const frame = sent.subarray(-8)
      if (frame[0] !== 0x88) return
      reasons.push(readReason(frame))
      socket.end()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  context.after(() => void server.close())
  const { port } = server.address() as AddressInfo
  const url = `ws://127.0.0.1:${port}/mqtt`
  const source = { url, topic: 'x', clientId: 'c', read: () => [], outside: thisMachine }
  const subscription = subscribe(source, sink, timing)
  context.after(() => subscription.close())
  await until(() => problems.length > 0)
  // "Message too big", section 7.4.1.
  assert.equal(reasons[0], 1009)
})

/** Of a closing frame, which is masked with the four bytes before it (RFC 6455, section 5.3). */
function readReason(frame: Buffer): number {
  return frame.readUInt16BE(6) ^ frame.readUInt16BE(2)
}

test('goes by its own client id and session, whatever the address says of them', async (context) => {
  const setting = await startBroker(context)
  const { sink } = createSink()
  const known = new Promise<{ id: string; clean: boolean }>((resolve) => {
    setting.broker.once('client', ({ id, clean }) => resolve({ id, clean }))
  })
  const url = `${setting.source.url}/?clientId=somebody-else&clean=true`
  const subscription = subscribe({ ...setting.source, url }, sink, timing)
  context.after(() => subscription.close())
  assert.deepEqual(await known, { id: 'lfctest', clean: false })
})

test('acknowledges and reports a message at which reading fails', async (context) => {
  const setting = await startBroker(context)
  const { problems, sink } = createSink()
  const read = () => {
    throw new TypeError('no such thing')
  }
  const subscribed = onceSubscribed(setting)
  const subscription = subscribe({ ...setting.source, read }, sink, timing)
  context.after(() => subscription.close())
  await subscribed
  await setting.publish(1)
  await until(() => setting.acknowledged.length === 1)
  assert.match(problems[0] ?? '', /was not read: TypeError/)
})
