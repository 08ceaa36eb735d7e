import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findNumber,
  findPosition,
  type JsonObject,
  readDashedEui,
  readGateway,
  readHexadecimal,
  readMilliseconds,
} from './message-fields.ts'
import { NotOurMessage } from './network-message.ts'

test('reads EUIs with and without dashes, and payloads in hexadecimal', () => {
  for (const eui of ['00aa0000000000a1', '00-AA-00-00-00-00-00-A1', '00:aa:00:00:00:00:00:a1']) {
    assert.equal(readDashedEui({ eui }, 'eui'), '00AA0000000000A1')
  }
  assert.deepEqual(readHexadecimal({ data: '00fF' }, 'data'), Buffer.from([0, 255]))
  assert.deepEqual(readHexadecimal({}, 'data'), Buffer.alloc(0))
  for (const eui of ['', '00AA', 'x'.repeat(16), undefined, 7]) {
    assert.throws(() => readDashedEui({ eui }, 'eui'), NotOurMessage)
  }
  for (const data of ['0', 'zz', 5]) {
    assert.throws(() => readHexadecimal({ data }, 'data'), NotOurMessage)
  }
})

test('takes numbers out of texts, and nothing for what is no number', () => {
  const numbers = { a: 7, b: '-31.000000', c: '', d: 'x', e: null, f: [7], g: Number.NaN, h: '1e9' }
  const read = Object.keys(numbers).map((name) => findNumber(numbers, name))
  assert.deepEqual(read, [7, -31, ...Array<undefined>(6).fill(undefined)])
})

test('takes zeros and what is not on Earth for no position', () => {
  const read = (lat: unknown, lon: unknown) => findPosition({ lat, lon }, 'lat', 'lon')
  assert.deepEqual(read('47.1', 8), { latitude: 47.1, longitude: 8 })
  assert.deepEqual(read(0, 8), { latitude: 0, longitude: 8 })
  for (const [lat, lon] of [
    ['0.000000', '0.000000'],
    [91, 0],
    [0, 181],
    [undefined, 8],
  ]) {
    assert.equal(read(lat, lon), undefined)
  }
})

test('reads times in milliseconds and in seconds, with their fractions', () => {
  const read = (ts: unknown) => readMilliseconds({ ts }, 'ts')
  assert.equal(read(1470850675433), '2016-08-10T17:37:55.433000Z')
  assert.equal(read('1470850675433'), '2016-08-10T17:37:55.433000Z')
  assert.equal(read(1669718927.862), '2022-11-29T10:48:47.862000Z')
  assert.equal(read(1669718927.7951567), '2022-11-29T10:48:47.795157Z')
  assert.equal(read(1772449214), '2026-03-02T11:00:14.000000Z')
  for (const ts of [-1, 0, 1e18, 'now', undefined, null, Number.NaN]) {
    assert.equal(read(ts), undefined, String(ts))
  }
})

test('takes a gateway by its EUI, or else by the name that its network has for it', () => {
  const read = (gateway: object) => readGateway(gateway as JsonObject, 'eui', 'id')
  assert.equal(read({ eui: '00-aa-00-00-00-00-00-f1', id: 'roof' }), '00AA0000000000F1')
  assert.equal(read({ eui: '', id: '00aa0000000000f1' }), '00AA0000000000F1')
  assert.equal(read({ eui: 'aa77bb88', id: 'roof' }), 'aa77bb88')
  assert.equal(read({ id: 506 }), '506')
  for (const id of ['', 'on the roof', 'x'.repeat(41), {}, null, undefined]) {
    assert.equal(read({ eui: null, id }), '')
  }
})
