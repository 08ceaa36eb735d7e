import type { Duplex } from 'node:stream'

/** The longest MQTT packet or WebSocket message that is taken into memory, in bytes. */
export const packetLimit = 300 * 1024

/**
 * Calls `onTooLarge` once, when the fixed header of a packet announces more than `limit` bytes. The
 * header is the type in one byte and the remaining length in up to four (MQTT 3.1.1, section 2.2).
 */
export function watchPackets(stream: Duplex, limit: number, onTooLarge: () => void): void {
  /** Bytes left of the packet that is being skipped. */
  let left = 0
  let lengthBytes = -1
  let length = 0

  const isTooLarge = (chunk: Buffer): boolean => {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const skipped = Math.min(left, chunk.length - at)
        left -= skipped
        at += skipped
        continue
      }
      const byte = chunk[at] ?? 0
      at += 1
      lengthBytes += 1
      if (lengthBytes === 0) continue
      length += (byte & 0x7f) * 128 ** (lengthBytes - 1)
      if (length > limit || lengthBytes > 4) return true
      if (byte >= 0x80) continue
      left = length
      length = 0
      lengthBytes = -1
    }
    return false
  }
  const look = (chunk: Buffer) => {
    if (!isTooLarge(chunk)) return
    stream.off('data', look)
    onTooLarge()
  }
  stream.on('data', look)
}
