// Stands between the socket of a broker and mqtt.js. mqtt.js parses all that has arrived before it
// handles any of it, and handles all of it in one turn of the event loop: 130 kB of PINGRESP kept
// everything else waiting for 6 s, and 32 kB of PUBREL for 50 s.
import { type Duplex, Writable } from 'node:stream'

/** The longest MQTT packet or WebSocket message that is taken into memory, in bytes. */
export const packetLimit = 300 * 1024
/** What is parsed and handled in one turn of the event loop. Each piece counts like a packet. */
const roomOfTurn = { packets: 64, bytes: 32 * 1024 }

/** Reasons to end a connection besides packets that are too large. Each rule returns its reason. */
export interface ArrivalRules {
  /** Gets the count of all bytes, before any of them is parsed. */
  refuseBytes?(count: number): string | undefined
  /** Gets the first byte of each packet: type and flags (MQTT 3.1.1, section 2.2). */
  refusePacket?(firstByte: number): string | undefined
}

/** What still may pass in a turn. */
type Room = typeof roomOfTurn

/** How far the bytes go that may pass, or why the connection ends. */
type Portion = { to: number; refusal?: undefined } | { refusal: string }

/**
 * Follows the packets of a connection, however the stream is cut, and returns a function that looks
 * at `chunk` from the byte `from` as far as there is `room`, and takes that from it. The fixed header of a packet is its type in one byte and the
 * remaining length in up to four (MQTT 3.1.1, section 2.2).
 */
export function createPacketReader(
  limit: number,
  { refusePacket }: ArrivalRules = {},
): (chunk: Buffer, from: number, room: Room) => Portion {
  /** Bytes left of the packet that is being skipped. */
  let left = 0
  let lengthBytes = -1
  let length = 0
  return (chunk, from, room) => {
    const end = Math.min(chunk.length, from + room.bytes)
    let at = from
    while (at < end && room.packets > 0) {
      const byte = chunk[at] ?? 0
      if (left > 0) {
        const skipped = Math.min(left, end - at)
        left -= skipped
        at += skipped
        if (left === 0) room.packets -= 1
        continue
      }
      at += 1
      lengthBytes += 1
      if (lengthBytes === 0) {
        const refusal = refusePacket?.(byte)
        if (refusal) return { refusal }
        continue
      }
      length += (byte & 0x7f) * 128 ** (lengthBytes - 1)
      if (length > limit || lengthBytes > 4) {
        return { refusal: 'The MQTT broker sent a packet that is too large.' }
      }
      if (byte >= 0x80) continue
      if (length === 0) room.packets -= 1
      left = length
      length = 0
      lengthBytes = -1
    }
    room.packets -= 1
    room.bytes -= at - from
    return { to: at }
  }
}

/**
 * Takes what `stream` delivers and hands it to `destination`, the next portion when the last is
 * handled, and in one turn of the event loop as much as there is room for. After a refusal nothing
 * passes.
 */
export function createPacketGuard(
  stream: Duplex,
  destination: NodeJS.WritableStream,
  rules: ArrivalRules,
  onRefused: (refusal: string) => void,
): Writable {
  const read = createPacketReader(packetLimit, rules)
  const takeRoom = createRoom()
  let isRefused = false
  const refuse = (refusal: string) => {
    isRefused = true
    onRefused(refusal)
  }
  const pass = (chunk: Buffer, from: number, done: () => void) => {
    const room = takeRoom()
    if (room.packets <= 0 || room.bytes <= 0) {
      setImmediate(pass, chunk, from, done)
      return
    }
    const portion = isRefused || stream.destroyed ? { to: from } : read(chunk, from, room)
    if (portion.refusal !== undefined) refuse(portion.refusal)
    else if (portion.to > from) return handOver(chunk, from, portion.to, done)
    done()
  }
  const handOver = (chunk: Buffer, from: number, to: number, done: () => void) => {
    const next = () => (to < chunk.length ? pass(chunk, to, done) : done())
    destination.write(chunk.subarray(from, to), next)
  }
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const refusal = isRefused ? undefined : rules.refuseBytes?.(chunk.length)
      if (refusal) refuse(refusal)
      pass(chunk, 0, done)
    },
  })
}

/** Returns the room of the present turn of the event loop. */
function createRoom(): () => Room {
  let room: Room | undefined
  return () => {
    if (!room) {
      room = { ...roomOfTurn }
      setImmediate(() => {
        room = undefined
      })
    }
    return room
  }
}

/** Counts calls, and returns false from the one on that is above `limit` within a minute. */
export function createMinuteLimit(limit: number): () => boolean {
  let begin = performance.now()
  let count = 0
  return () => {
    const now = performance.now()
    if (now - begin > 60_000) {
      begin = now
      count = 0
    }
    count += 1
    return count <= limit
  }
}
