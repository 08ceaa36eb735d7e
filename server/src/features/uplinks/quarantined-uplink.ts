import { holdUplink } from '../../networks/message-range.ts'
import type { Uplink } from '../../networks/network-message.ts'

/** The text of which `readUplink` makes the same uplink again. */
export function writeUplink(uplink: Uplink): string {
  return JSON.stringify({ ...uplink, payload: Buffer.from(uplink.payload).toString('hex') })
}

/** Reads what `writeUplink` wrote, and nothing else; it may have been long ago. */
export function readUplink(text: string): Uplink {
  const written = JSON.parse(text)
  return holdUplink({ ...written, payload: Buffer.from(written.payload, 'hex') })
}
