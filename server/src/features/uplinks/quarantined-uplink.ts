import type { Uplink } from '../../networks/network-message.ts'
import { holdUplink } from '../../networks/uplink.ts'

/** Of a message or an uplink no more than this is kept in the quarantine, in bytes. */
const mostKept = 8 * 1024

/**
 * The text of which `readUplink` makes the same uplink again, but for the receptions that were too
 * many; they come best first. Undefined when it is too long all the same.
 */
export function writeUplink(uplink: Uplink): string | undefined {
  const payload = Buffer.from(uplink.payload).toString('hex')
  for (let most = uplink.receptions.length; ; most = Math.floor(most / 2)) {
    const text = JSON.stringify({
      ...uplink,
      payload,
      receptions: uplink.receptions.slice(0, most),
    })
    if (Buffer.byteLength(text) <= mostKept) return text
    if (most === 0) return undefined
  }
}

/** The beginning of a message, by which a person sees what it was. */
export function excerptOf(message: Buffer): Buffer {
  if (message.length <= mostKept) return message
  let end = mostKept
  // Not in the middle of a character: bytes that continue one begin with the bits 10.
  while (end > mostKept - 4 && ((message[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return message.subarray(0, end)
}

/** Reads what `writeUplink` wrote, and nothing else; it may have been long ago. */
export function readUplink(text: string): Uplink {
  const written = JSON.parse(text)
  return holdUplink({ ...written, payload: Buffer.from(written.payload, 'hex') })
}
