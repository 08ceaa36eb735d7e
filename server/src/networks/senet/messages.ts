// What Senet sends to a notification target "HTTP": one flat JSON object for each uplink. The
// target's options select the RF fields and others. docs.senetco.io/ap/api, "Uplink API".

import {
  findCounter,
  findNumber,
  isObject,
  type JsonObject,
  noteMissing,
  readDashedEui,
  readGateway,
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
  isTelling,
  keyByTime,
  makeAcknowledgement,
  makeUplink,
  nothing,
  type ReadReception,
  timeOf,
  toHertz,
  toWhole,
} from '../uplink.ts'

/** Reads an uplink and the downlink that it acknowledges. Throws `NotOurMessage`. */
export function readMessages(body: unknown, receivedAt: string): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  const uplink = readUplink(body, receivedAt)
  // Port 0 carries MAC commands, and without a port there is no payload.
  const received: NetworkMessage[] = uplink.fPort === 0 ? [] : [uplink]
  const acknowledged = readAcknowledgement(body, uplink)
  if (acknowledged) received.push(acknowledged)
  return received.length > 0 ? received : [nothing]
}

/**
 * Counters start again with every join, so a join has a number. If the number is left out, the
 * time distinguishes the frames of two joins. With "Include Duplicate Uplinks" each gateway has a
 * message, with `dup` on all but the first.
 */
function readUplink(body: JsonObject, arrivedAt: string): Uplink {
  noteMissing(body, 'seqno', 'txtime')
  const devEui = readDashedEui(body, 'devEui')
  const fCnt = findCounter(body, 'seqno')
  const time = timeOf(arrivedAt, readTime(body, 'txtime') ?? readTime(body, 'gwRxTime'))
  return makeUplink({
    devEui,
    ...time,
    ...readKey(body, { devEui, fCnt }, time),
    fPort: readPort(body, 'port'),
    fCnt: fCnt ?? 0,
    payload: readHexadecimal(body, 'pdu'),
    receptions: readReceptions(body),
    dataRate: nameDataRate(readText(body, 'ismBand', 20), findNumber(body, 'datarate')),
    frequency: toHertz(findNumber(body, 'freq')),
    isPartial: true,
  })
}

function readKey(
  body: JsonObject,
  { devEui, fCnt }: { devEui: string; fCnt: number | undefined },
  time: Pick<Uplink, 'receivedAt' | 'isDatedHere'>,
): Pick<Uplink, 'deduplicationKey' | 'isTimeless'> {
  const join = readUint32(body, 'joinId')
  if (join > 0 && fCnt !== undefined) return { deduplicationKey: `${devEui}:${join}:${fCnt}` }
  if (time.isDatedHere) return keyByTime(`${devEui}:${fCnt ?? ''}`, time)
  return { deduplicationKey: `${devEui}:${time.receivedAt}:${fCnt ?? ''}` }
}

/** Without "Include RF Data" only the gateway is given. */
function readReceptions(body: JsonObject): ReadReception[] {
  const reception = {
    gatewayEui: readGateway(body, 'gwEui'),
    rssi: toWhole(findNumber(body, 'rssi')),
    snr: findNumber(body, 'snr'),
  }
  return isTelling(reception) ? [reception] : []
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
