// AWS IoT Core carries any JSON. A device, or the software of its gateway, publishes uplinks in
// this form to `<topic_prefix>/<DevEUI>/up`:
//   { "payload": "100301", "deviceId"?: DevEUI, "fPort"?: 1, "fCnt"?: 0, "time"?: ISO 8601 or ms }
// The rule adds `topic` and `timestamp`: when AWS received the message, in milliseconds.

import { toEui } from '../../lora/eui.ts'
import { readConfirmation, readMoment } from '../aws/messages.ts'
import {
  isObject,
  type JsonObject,
  readHexadecimal,
  readPort,
  readText,
  readUint32,
} from '../message-fields.ts'
import { type CallbackRequest, type NetworkMessage, NotOurMessage } from '../network-message.ts'
import { keyByTime, makeUplink, nothing, timeOf } from '../uplink.ts'

/** Pure. Throws `NotOurMessage`. */
export function readMessages(request: CallbackRequest): NetworkMessage[] {
  return [readConfirmation(request) ?? readUplink(request.body, request.receivedAt)]
}

/**
 * Reads one uplink with `topic` and `timestamp`. `arrivedAt` (ISO 8601 in UTC with microseconds) is
 * taken if it has no time.
 */
export function readUplink(body: unknown, arrivedAt: string): NetworkMessage {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  const fPort = body.fPort === undefined ? 1 : readPort(body, 'fPort')
  const devEui = readDevEui(body)
  const payload = Buffer.from(readPayload(body))
  const time = timeOf(arrivedAt, readMoment(body, 'time') ?? readMoment(body, 'timestamp'))
  const fCnt = readUint32(body, 'fCnt')
  if (fPort === 0) return nothing
  const frame = `${fCnt}:${payload.toString('hex')}`
  return makeUplink({
    devEui,
    ...time,
    ...(time.isDatedHere
      ? keyByTime(`${devEui}:${frame}`, time)
      : { deduplicationKey: `${devEui}:${time.receivedAt}:${frame}` }),
    fPort,
    fCnt,
    payload,
    receptions: [],
  })
}

/** Reads it from the message, or else from the last level but one of the topic. */
function readDevEui(body: JsonObject): string {
  const level = readText(body, 'topic', 512).split('/').at(-2) ?? ''
  const eui = toEui(readText(body, 'deviceId', 64) || level)
  if (eui !== undefined) return eui
  throw new NotOurMessage('deviceId must be an EUI of 16 hexadecimal digits.')
}

function readPayload(body: JsonObject): Uint8Array {
  const payload = readHexadecimal(body, 'payload')
  // No LoRaWAN frame is longer (RP002-1.0.4).
  if (payload.length <= 242) return payload
  throw new NotOurMessage('payload must have 242 bytes at most.')
}
