// What Senet sends to a notification target "HTTP": one flat JSON object for each uplink. The
// target's options select the RF fields and others. docs.senetco.io/ap/api, "Uplink API".
import {
  isObject,
  type JsonObject,
  readDashedEui,
  readDecimal,
  readHexadecimal,
  readPort,
  readText,
  readTime,
  readTruth,
  readUint32,
} from '../message-fields.ts'
import {
  type DownlinkEvent,
  type NetworkMessage,
  NotOurMessage,
  type Uplink,
} from '../network-message.ts'
import {
  makeAcknowledgement,
  makeUplink,
  nothing,
  type ReadReception,
  toHertz,
  toWhole,
} from '../uplink.ts'

/** Reads an uplink and the downlink that it acknowledges. Throws `NotOurMessage`. */
export function readMessages(body: unknown): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  const uplink = readUplink(body)
  // Port 0 carries MAC commands, and without a port there is no payload.
  const received: NetworkMessage[] = uplink.fPort === 0 ? [] : [uplink]
  const acknowledged = readAcknowledgement(body, uplink)
  if (acknowledged) received.push(acknowledged)
  return received.length > 0 ? received : [nothing]
}

/**
 * Counters start again with every join, so a join has a number. Where the number is left out, the
 * time tells apart the frames of two joins. With "Include Duplicate Uplinks" each gateway has a
 * message, with `dup` on all but the first.
 */
function readUplink(body: JsonObject): Uplink {
  if (!readText(body, 'devEui', 23)) throw new NotOurMessage('devEui is missing.')
  const devEui = readDashedEui(body, 'devEui')
  const fCnt = readUint32(body, 'seqno')
  const receivedAt = readTime(body, 'txtime')
  return makeUplink({
    devEui,
    deduplicationKey: `${devEui}:${readUint32(body, 'joinId') || receivedAt}:${fCnt}`,
    receivedAt,
    fPort: readPort(body, 'port'),
    fCnt,
    payload: readHexadecimal(body, 'pdu'),
    receptions: readReceptions(body),
    dataRate: nameDataRate(readText(body, 'ismBand', 20), body.datarate),
    frequency: toHertz(readDecimal(body, 'freq')),
    isPartial: true,
  })
}

/** Without "Include RF Data" only the gateway is told. */
function readReceptions(body: JsonObject): ReadReception[] {
  if (!readText(body, 'gwEui', 23)) return []
  const gatewayEui = readDashedEui(body, 'gwEui')
  const readSignal = (name: string) =>
    (body[name] ?? undefined) === undefined ? undefined : readDecimal(body, name)
  return [{ gatewayEui, rssi: toWhole(readSignal('rssi')), snr: readSignal('snr') }]
}

/** Downlinks that came through the API are named. */
function readAcknowledgement(body: JsonObject, uplink: Uplink): DownlinkEvent | undefined {
  const queueItemId = readUint32(body, 'ackDnMsgId')
  if (!readTruth(body, 'ack') || queueItemId === 0) return undefined
  return { ...makeAcknowledgement(uplink, String(queueItemId)), details: {} }
}

/** Spreading factor and bandwidth (kHz) by data rate, LoRaWAN Regional Parameters RP002-1.0.4. */
const upToSf10 = ['SF10BW125', 'SF9BW125', 'SF8BW125', 'SF7BW125', 'SF8BW500']
const upToSf12 = ['SF12BW125', 'SF11BW125', 'SF10BW125', 'SF9BW125', 'SF8BW125', 'SF7BW125']
const withFsk = [...upToSf12, 'SF7BW250', 'FSK50']

const bands: Record<string, readonly string[]> = {
  US915: upToSf10,
  AU915: [...upToSf12, 'SF8BW500'],
  EU868: withFsk,
  EU433: withFsk,
  CN779: withFsk,
  AS923: withFsk,
  RU864: withFsk,
  IN865: upToSf12,
  KR920: upToSf12,
  CN470: upToSf12,
}

/** Undefined for a band that is not named, or whose numbers have another meaning. */
export function nameDataRate(band: string, number: unknown): string | undefined {
  if (!Object.hasOwn(bands, band)) return undefined
  const index = typeof number === 'string' ? Number(number || Number.NaN) : number
  return typeof index === 'number' ? bands[band]?.[index] : undefined
}
