// Tektelic network server, HTTP application integration, without a data converter: the members as
// tago-io/decoders decoders/network/lorawan-tektelic shows them in a recorded message.
import {
  isObject,
  type JsonObject,
  readDashedEui,
  readInteger,
  readList,
  readObject,
  readText,
  readUint32,
} from '../message-fields.ts'
import { type Nothing, NotOurMessage, type Uplink } from '../network-message.ts'
import { keyOf, nameDataRate, readReceptionOf, readTimeOr, sortReceptions } from './fields.ts'

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The time is that of the first gateway, which is empty where it has no GPS. */
export function readTektelic(body: JsonObject, receivedAt: string): Uplink | Nothing {
  const about = readObject(body, 'payloadMetaData') ?? {}
  const devEui = readDashedEui(readObject(about, 'deviceMetaData') ?? {}, 'deviceEUI')
  const fPort = readInteger(about, 'fport', 0, 255)
  if (fPort === 0) return { kind: 'nothing' }
  const fCnt = readUint32(about, 'fcount')
  const gateways = readList(about, 'gatewayMetaDataList').map(readGateway)
  const first = gateways[0]?.signal ?? {}
  const frequency = readUint32(first, 'frequency')
  const moments = [readText(first, 'time', 40), readUint32(first, 'timestamp')]
  return {
    kind: 'uplink',
    devEui,
    ...keyOf(`tektelic:${fCnt}`, moments, receivedAt),
    receivedAt: readTimeOr(first, 'time', receivedAt),
    fPort,
    fCnt,
    payload: readPayload(body.payload),
    receptions: sortReceptions(gateways.map(({ reception }) => reception)),
    ...nameDataRate(readObject(first, 'dataRate')),
    ...(frequency > 0 ? { frequency } : {}),
  }
}

function readGateway(item: unknown) {
  if (!isObject(item)) throw new NotOurMessage('gatewayMetaDataList must be a list of objects.')
  const signal = readObject(item, 'rxInfo') ?? {}
  return { signal, reception: readReceptionOf(readText(item, 'mac', 32), signal, item) }
}

/**
 * The frame as base64, as `payload_hex`, or as `bytes`: a list of numbers, also one written as
 * text, of which negative ones are Java's signed bytes. What a converter made of it is none.
 */
function readPayload(payload: unknown): Uint8Array {
  if (typeof payload === 'string' && base64.test(payload)) return Buffer.from(payload, 'base64')
  if (isObject(payload)) {
    const { payload_hex: hex, bytes } = payload
    if (typeof hex === 'string' && /^([0-9a-f]{2})*$/i.test(hex)) return Buffer.from(hex, 'hex')
    const list = typeof bytes === 'string' ? parseList(bytes) : bytes
    if (Array.isArray(list) && list.length <= 255 && list.every(isByte)) return Buffer.from(list)
  }
  throw new NotOurMessage('payload must hold the bytes of the frame, without a data converter.')
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= -128 && Number(value) <= 255
}
