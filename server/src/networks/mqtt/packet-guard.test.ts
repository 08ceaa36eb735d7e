import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPacketReader } from './packet-guard.ts'

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

/** The first refusal of a stream of these bytes, in pieces of such a length. */
function findRefusal(bytes: Buffer, pieceLength: number): string | undefined {
  const read = createPacketReader(limit)
  for (let start = 0; start < bytes.length; start += pieceLength) {
    const piece = bytes.subarray(start, start + pieceLength)
    for (let at = 0; at < piece.length; ) {
      const portion = read(piece, at, { packets: 2, bytes: 150 })
      if (portion.refusal !== undefined) return portion.refusal
      assert.ok(portion.to > at, 'it comes to an end')
      at = portion.to
    }
  }
  return undefined
}

test('lets packets up to the limit pass, however the stream is cut', () => {
  const packets = Buffer.concat([0, 1, 127, 128, limit, 0, limit].map(packetOf))
  for (const pieceLength of [1, 2, 3, 100, packets.length]) {
    assert.equal(findRefusal(packets, pieceLength), undefined, `pieces of ${pieceLength}`)
  }
})

test('refuses a packet beyond the limit, however the stream is cut', () => {
  const packets = Buffer.concat([packetOf(3), packetOf(limit + 1), packetOf(limit + 1)])
  for (const pieceLength of [1, 2, 3, 100, packets.length]) {
    assert.match(findRefusal(packets, pieceLength) ?? '', /too large/, `pieces of ${pieceLength}`)
  }
})

test('takes a length of more than four bytes for one beyond the limit', () => {
  assert.match(findRefusal(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x00]), 1) ?? '', /too large/)
})
