import { createRecentlyRead } from '../../db/recently-read.ts'
import { decodeFrame } from '../../sensors/decode.ts'
import { renderMessage } from '../../sensors/render.ts'
import type { Reading } from '../../sensors/sensor.ts'

/*
 * The message of an uplink, which newer rows leave out if only the built-in decoder makes it from
 * the payload (docs/decisions/0031-rows-of-uplinks.md). Not that of codecs, which change, and of frames that
 * were read together with others.
 */

export interface StoredText {
  decoded_message: string | null
  /** Hexadecimal. */
  payload: string
}

/** Messages by payload: the newest uplinks are read again and again. */
const recent = createRecentlyRead<string>(1000)

/** `decoded_message` of the API. */
export function messageOf({ decoded_message, payload }: StoredText): string {
  return decoded_message ?? recent.get(payload) ?? remember(payload)
}

function remember(payload: string): string {
  const message = renderPayload(payload)
  recent.set(payload, message)
  return message
}

/** The message of a frame, in hexadecimal, that a built-in decoder reads. */
export function renderPayload(payload: string): string {
  return renderMessage(readPayload(payload))
}

/** The same as plain text in one line. */
export function linePayload(payload: string): string {
  return readPayload(payload).lines.join('\n').replaceAll('\n', '; ')
}

/** No decoder looks at the port (sensors/decode.ts). */
function readPayload(payload: string): Reading {
  return decodeFrame({ bytes: Buffer.from(payload, 'hex'), fPort: 0 })
}
