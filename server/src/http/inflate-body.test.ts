import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { connectChirpStack, makeUp, post } from '../../test/chirpstack-uplinks.ts'
import { addLocalDevice, connectAccount, euiOf } from '../../test/fleet.ts'
import { startListening } from '../../test/service.ts'

const service = await startListening({ after })
const callback = await connectChirpStack(service)
await addLocalDevice(service, 1)

function send(body: unknown, encoding?: string) {
  const headers: Record<string, string> = encoding ? { 'content-encoding': encoding } : {}
  return post(service, callback, body, { headers })
}

const up = () => Buffer.from(JSON.stringify(makeUp({ eui: euiOf(1) })))

async function countUplinks(): Promise<number> {
  const { body } = await service.call('GET', `/v1/devices/${euiOf(1)}/uplink`)
  return body.meta.total
}

test('stores messages in gzip and deflate as the plain ones on the same connection', async () => {
  const bodies: [Buffer, string?][] = [
    [up()],
    [gzipSync(up()), 'gzip'],
    [gzipSync(up()), 'X-GZIP'],
    [deflateSync(up()), 'deflate'],
    [up(), 'identity'],
    [up()],
  ]
  for (const [body, encoding] of bodies) {
    const answer = await send(body, encoding)
    assert.equal(answer.status, 200, `${encoding}: ${answer.text}`)
  }
  assert.equal(await countUplinks(), bodies.length)
})

test('skips a byte order mark in messages and requests', async () => {
  const count = await countUplinks()
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  assert.equal((await send(Buffer.concat([mark, up()]))).status, 200)
  assert.equal((await send(gzipSync(Buffer.concat([mark, up()])), 'gzip')).status, 200)
  assert.equal(await countUplinks(), count + 2)
  const body = `\ufeff${JSON.stringify({ groupName: 'North' })}`
  const headers = { 'content-type': 'application/json' }
  const answer = await service.call('POST', '/v1/device-groups', { body, headers })
  assert.ok(answer.status < 300, answer.text)
})

test('inflates no more than a body may have, and refuses what is no gzip', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))
  const [big, cut, none] = await Promise.all([
    send(bomb, 'gzip'),
    send(gzipSync(up()).subarray(0, 40), 'gzip'),
    send(up(), 'gzip'),
  ])
  assert.equal(big.status, 413, big.text)
  assert.deepEqual([cut.status, none.status], [400, 400])
  assert.match(none.body.message, /not valid gzip or deflate/)
})

test('answers 415 to encodings that it does not know, and to any of other requests', async () => {
  for (const encoding of ['br', 'gzip, gzip', 'aes128gcm']) {
    const answer = await send(up(), encoding)
    assert.deepEqual([answer.status, answer.headers['accept-encoding']], [415, 'gzip, deflate'])
  }
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const body = JSON.stringify({ groupName: 'South' })
  const answer = await service.call('POST', '/v1/device-groups', { body, headers })
  assert.equal(answer.status, 415, answer.text)
})

test('names the setting to change where ThingPark sends XML, or LORIOT base64', async () => {
  const account = {
    server: 'https://127.0.0.1:1',
    ...{ client_id: 'sub-1', client_secret: 'invented', as_id: 'service' },
    device_model_id: 'LORA/GenericA.1.0.3a_ETSI',
  }
  const thingPark = await connectAccount(service, 'actility', account)
  const xml =
    '<?xml version="1.0"?><DevEUI_uplink><DevEUI>00AA000000000001</DevEUI></DevEUI_uplink>'
  const loriot = await connectAccount(service, 'loriot', {
    ...{ server: 'http://127.0.0.1:1', api_key: 'invented', application_id: 'BE7A2562' },
  })
  const base64 = { cmd: 'rx', EUI: euiOf(1), ts: 1772449214000, fcnt: 71, port: 2, data: 'EAMB' }
  for (const [{ callback: at }, body, words] of [
    [thingPark, xml, /is XML.*"Content Type".*JSON/],
    [loriot, JSON.stringify(base64), /base64.*data format.*LORIOT.*hexadecimal/],
  ] as const) {
    const { pathname } = new URL(at.url)
    const headers = { [at.header]: at.value, 'content-type': 'text/plain' }
    const answer = await service.call('POST', pathname, { as: null, headers, body })
    assert.equal(answer.status, 400)
    assert.match(answer.body.message, words)
  }
})

test('takes messages of ThingPark only by the secret where the account has no AS key', async () => {
  const { callback: at } = await connectAccount(service, 'actility', {
    server: 'https://127.0.0.1:1',
    ...{ client_id: 'sub-1', client_secret: 'invented', as_id: 'service' },
    device_model_id: 'LORA/GenericA.1.0.3a_ETSI',
  })
  const body = {
    DevEUI_uplink: {
      ...{ Time: '2026-03-01T11:59:00.000+00:00', DevEUI: '00AA000000000002', FPort: 2, FCntUp: 1 },
      payload_hex: '100301',
    },
  }
  const path = `${new URL(at.url).pathname}?LrnDevEui=00AA000000000002&Token=00`
  const sent = { as: null, body, headers: { [at.header]: at.value } }
  assert.equal((await service.call('POST', path, sent)).status, 200)
  const wrong = { ...sent, headers: { [at.header]: 'another' } }
  assert.equal((await service.call('POST', path, wrong)).status, 401)
})
