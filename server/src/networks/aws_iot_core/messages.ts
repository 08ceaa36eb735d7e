// AWS IoT Core carries any JSON. A device, or the software beside its gateway, publishes uplinks in
// this form to `<topic_prefix>/<DevEUI>/up`:
//   { "payload": "100301", "deviceId"?: DevEUI, "fPort"?: 1, "fCnt"?: 0, "time"?: ISO 8601 or ms }
// The rule adds `topic` and `timestamp`: when AWS received the message, in milliseconds.

import { toEui } from '../../lora/eui.ts'
import { readConfirmation, readMoment } from '../aws/messages.ts'
import { isObject, type JsonObject, readInteger, readText, readUint32 } from '../message-fields.ts'
import { type CallbackRequest, type NetworkMessage, NotOurMessage } from '../network-message.ts'
import { nothing } from '../uplink.ts'

/** Pure. Throws `NotOurMessage`. */
export function readMessages(request: CallbackRequest): NetworkMessage[] {
  return [readConfirmation(request) ?? readUplink(request.body)]
}

/**
 * Reads one uplink with `topic` and `timestamp`. `arrivedAt` (ISO 8601 in UTC with microseconds) is
 * taken where there is no `timestamp`.
 */
export function readUplink(body: unknown, arrivedAt?: string): NetworkMessage {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  const fPort = body.fPort === undefined ? 1 : readInteger(body, 'fPort', 0, 255)
  const devEui = readDevEui(body)
  const payload = readPayload(body)
  const isTimeless = body.time === undefined && arrivedAt !== undefined
  const receivedAt = isTimeless
    ? arrivedAt
    : readMoment(body, body.time === undefined ? 'timestamp' : 'time')
  const fCnt = readUint32(body, 'fCnt')
  if (fPort === 0) return nothing
  return {
    kind: 'uplink',
    devEui,
    deduplicationKey: isTimeless
      ? `${devEui}:${fCnt}:${payload.toString('hex')}:${receivedAt}`
      : `${devEui}:${receivedAt}:${fCnt}:${payload.toString('hex')}`,
    receivedAt,
    fPort,
    fCnt,
    payload,
    receptions: [],
    ...(isTimeless ? { isTimeless } : {}),
  }
}

/** Reads it from the message, or else from the last level but one of the topic. */
function readDevEui(body: JsonObject): string {
  const level = readText(body, 'topic', 512).split('/').at(-2) ?? ''
  const eui = toEui(readText(body, 'deviceId', 64) || level)
  if (eui !== undefined) return eui
  throw new NotOurMessage('deviceId must be an EUI of 16 hexadecimal digits.')
}

function readPayload(body: JsonObject): Buffer {
  // No LoRaWAN frame is longer than 242 bytes (RP002-1.0.4).
  const text = readText(body, 'payload', 484)
  if (/^([0-9a-f]{2})*$/i.test(text)) return Buffer.from(text, 'hex')
  throw new NotOurMessage('payload must be hexadecimal.')
}
