// What Wanesy pushes: `<address>/dataUp` and `<address>/dataDownEvent`. wikikerlink.fr/wanesy-ran,
// "API guide"; DataUpDto and GatewayInfoDto of the GMS REST API 3.2.6. The members of an event are
// those of Orange's sample kerlink2lo (DataDownEventDto), its states those of
// SoftwareAG/cumulocity-lora (KerlinkIntegrationService): Kerlink's own list is not public.

import {
  findNumber,
  findPosition,
  isObject,
  type JsonObject,
  leaveOut,
  noteMissing,
  readBytes,
  readDashedEui,
  readGateway,
  readHexadecimal,
  readMilliseconds,
  readObjects,
  readPort,
  readText,
  readTruth,
  readUint32,
  requireObject,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type DownlinkEvent,
  type NetworkMessage,
  type Nothing,
  NotOurMessage,
  type Uplink,
} from '../network-message.ts'
import {
  keyByTime,
  makeUplink,
  nothing,
  type ReadReception,
  timeOf,
  toHertz,
  toWhole,
} from '../uplink.ts'

/** Distinguishes messages by their members: a push configuration can change both addresses. */
export function readMessages({
  body,
  receivedAt,
}: Pick<CallbackRequest, 'body' | 'receivedAt'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The message must be a JSON object.')
  if (body.dataDownId !== undefined) return [readEvent(body, receivedAt)]
  if (body.endDevice !== undefined) return [readUplink(body, receivedAt)]
  throw new NotOurMessage('The message is none of Wanesy: it has no endDevice and no dataDownId.')
}

/**
 * Messages that could not be pushed come again with the same `id`. Frames that a gateway kept while
 * it was offline (`delayed`) have the time at which the gateway received them.
 */
function readUplink(body: JsonObject, arrivedAt: string): Uplink | Nothing {
  noteMissing(body, 'recvTime', 'fCntUp')
  const devEui = readDashedEui(requireObject(body, 'endDevice'), 'devEui')
  const [first, second] = readTruth(body, 'delayed') ? gatewayFirst : serverFirst
  const time = timeOf(arrivedAt, readMilliseconds(body, first) ?? readMilliseconds(body, second))
  const fCnt = readUint32(body, 'fCntUp')
  const id = readText(body, 'id', 100)
  const uplink = makeUplink({
    devEui,
    ...time,
    ...(id ? { deduplicationKey: id } : keyByTime(`${devEui}:${fCnt}`, time)),
    // Frames with only MAC commands have no port.
    fPort: readPort(body, 'fPort'),
    fCnt,
    payload: readPayload(body),
    // Only at the detail level NETWORK.
    receptions: readObjects(body, 'gwInfo').map(readReception),
    // In MHz.
    frequency: toHertz(findNumber(body, 'ulFrequency')),
    // `SF12BW125`
    dataRate: readText(body, 'dataRate', 100),
  })
  return uplink.fPort === 0 ? nothing : uplink
}

const serverFirst = ['recvTime', 'gwRecvTime'] as const
const gatewayFirst = ['gwRecvTime', 'recvTime'] as const

/**
 * Hexadecimal if the cluster is set to it (`hexa`), base64 otherwise. Older versions do not name
 * the encoding: a payload that looks hexadecimal is then read as such.
 */
function readPayload(body: JsonObject): Uint8Array {
  const encoding = readText(body, 'encodingType', 100).toUpperCase()
  if (encoding.startsWith('HEX')) return readHexadecimal(body, 'payload')
  if (encoding.startsWith('BASE')) return readBytes(body, 'payload')
  if (encoding !== '') leaveOut('encodingType', encoding)
  const text = typeof body.payload === 'string' ? body.payload : ''
  const looksHexadecimal = text.length % 2 === 0 && /^([0-9a-f]*|[0-9A-F]*)$/.test(text)
  return looksHexadecimal ? readHexadecimal(body, 'payload') : readBytes(body, 'payload')
}

function readReception(item: JsonObject): ReadReception {
  return {
    gatewayEui: readGateway(item, 'gwEui'),
    rssi: toWhole(findNumber(item, 'rssi')),
    snr: findNumber(item, 'snr'),
    ...findPosition(item, 'latitude', 'longitude'),
  }
}

/**
 * An event carries neither the device nor a time. IN_PROGRESS means sent once there was an attempt,
 * for example while a confirmed downlink waits for its acknowledgement.
 */
function readEvent(body: JsonObject, receivedAt: string): DownlinkEvent | Nothing {
  const queueItemId = readText(body, 'dataDownId', 100)
  if (!queueItemId) throw new NotOurMessage('dataDownId is missing.')
  const status = readText(body, 'status', 100)
  const event = readText(body, 'event', 100)
  const attempts = findNumber(body, 'nbAttempts') ?? 0
  const isSent = status === 'OK' || (status === 'IN_PROGRESS' && attempts > 0)
  if (!isSent && status !== 'KO') return nothing
  return {
    kind: 'downlink',
    state: isSent ? 'sent' : 'failed',
    queueItemId,
    deduplicationKey: `${queueItemId}:${event}:${status}:${attempts}`,
    occurredAt: receivedAt,
    ...(isSent ? {} : { reason: `Wanesy gave up the downlink (${event || 'no reason given'}).` }),
    details: { event, status, attempts },
  }
}
