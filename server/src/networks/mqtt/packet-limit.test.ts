import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { watchPackets } from './packet-limit.ts'

const limit = 200

/** A PUBLISH whose length takes as few bytes as it can (MQTT 3.1.1, section 2.2.3). */
function packetOf(length: number): Buffer {
  const header = [0x30]
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    header.push((rest % 128) + (rest >= 128 ? 0x80 : 0))
    if (rest < 128) break
  }
  // 0xff everywhere: read as a header, each of these bytes would announce too much.
  return Buffer.concat([Buffer.from(header), Buffer.alloc(length, 0xff)])
}

/** How often a stream of these bytes, in pieces of such a length, is called too large. */
function countAlarms(bytes: Buffer, pieceLength: number): number {
  const stream = new PassThrough()
  let alarms = 0
  watchPackets(stream, limit, () => {
    alarms += 1
  })
  for (let at = 0; at < bytes.length; at += pieceLength) {
    stream.emit('data', bytes.subarray(at, at + pieceLength))
  }
  return alarms
}

test('lets packets up to the limit pass, however the stream is cut', () => {
  const packets = Buffer.concat([0, 1, 127, 128, limit, 0, limit].map(packetOf))
  for (const pieceLength of [1, 2, 3, 100, packets.length]) {
    assert.equal(countAlarms(packets, pieceLength), 0, `pieces of ${pieceLength}`)
  }
})

test('tells once that a packet beyond the limit is announced, however the stream is cut', () => {
  const packets = Buffer.concat([packetOf(3), packetOf(limit + 1), packetOf(limit + 1)])
  for (const pieceLength of [1, 2, 3, 100, packets.length]) {
    assert.equal(countAlarms(packets, pieceLength), 1, `pieces of ${pieceLength}`)
  }
})

test('takes a length of more than four bytes for one beyond the limit', () => {
  assert.equal(countAlarms(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x00]), 1), 1)
})
