// What gateways with a network server of their own post or publish:
// MultiTech Conduit, "app-connect": github.com/MultiTechSystems/lorawan-app-connect, README.md.
// Milesight UG gateways, HTTP transmission:
// milesight.com/building-iot-gateway/en/application-guide/uplink-data.html.
// Tektelic network server, HTTP application integration without a data converter: the members as a
// recorded message in tago-io/decoders, decoders/network/lorawan-tektelic, shows them.

import {
  findNumber,
  isEmpty,
  isObject,
  type JsonObject,
  noteMissing,
  readBytes,
  readDashedEui,
  readGateway,
  readObject,
  readObjects,
  readPort,
  readPosition,
  readText,
  readTime,
  readUint32,
  requireObject,
} from '../message-fields.ts'
import {
  type NetworkMessage,
  type Nothing,
  NotOurMessage,
  type Uplink,
} from '../network-message.ts'
import {
  isTelling,
  makeUplink,
  nameLora,
  nothing,
  type ReadReception,
  timeOf,
  toHertz,
} from '../uplink.ts'

/** MultiTech posts up to 10 messages at once. */
const mostMessages = 100

/**
 * Reads one message or a list of them. `receivedAt` (ISO 8601 in UTC with microseconds) is taken
 * if a gateway has no clock. Pure. Throws `NotOurMessage`.
 */
export function readMessages(body: unknown, receivedAt: string): NetworkMessage[] {
  if (!Array.isArray(body)) return [readMessage(body, receivedAt)]
  if (body.length > mostMessages) {
    throw new NotOurMessage(`The list must not hold more than ${mostMessages} messages.`)
  }
  return body.map((item) => readMessage(item, receivedAt))
}

/** The names of the members show which product sent the message. */
function readMessage(body: unknown, receivedAt: string): NetworkMessage {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object, or a list of them.')
  if ('deveui' in body) return readMultiTech(body, receivedAt)
  if ('devEUI' in body) return readMilesight(body, receivedAt)
  if ('payloadMetaData' in body) return readTektelic(body, receivedAt)
  // A join of MultiTech names its device only in the path.
  if ('gweui' in body && 'appeui' in body) return nothing
  throw new NotOurMessage(
    'This is no uplink of a MultiTech (deveui), Milesight (devEUI) or Tektelic (payloadMetaData) gateway.',
  )
}

/** EUIs have dashes, `freq` is in MHz, `lsnr` in dB. Port 0 carries only MAC commands. */
function readMultiTech(body: JsonObject, receivedAt: string): Uplink | Nothing {
  const devEui = readDashedEui(body, 'deveui')
  const fPort = readPort(body, 'port')
  if (fPort === 0) return nothing
  noteMissing(body, 'fcnt', 'gweui')
  const fCnt = readUint32(body, 'fcnt')
  // A repeated message has the same time; without a clock, the same counter of the radio.
  const time = findTime(body, 'time')
  const moments = [time && readText(body, 'time', 40), findNumber(body, 'tmst')]
  const reception = {
    gatewayEui: body.gweui === undefined ? '' : readGateway(body, 'gweui'),
    rssi: findNumber(body, 'rssi'),
    snr: findNumber(body, 'lsnr'),
  }
  return makeUplink({
    devEui,
    ...timeOf(receivedAt, time),
    ...toKey(`multitech:${readText(body, 'devaddr', 16)}:${fCnt}`, moments, receivedAt),
    fPort,
    fCnt,
    payload: readBytes(body, 'data'),
    receptions: isTelling(reception) ? [reception] : [],
    dataRate: readText(body, 'datr', 20),
    frequency: toHertz(findNumber(body, 'freq')),
  })
}

/** `data` is base64, `frequency` in Hz, `bandwidth` in kHz. */
function readMilesight(body: JsonObject, receivedAt: string): Uplink | Nothing {
  const devEui = readDashedEui(body, 'devEUI')
  const fPort = readPort(body, 'fPort')
  if (fPort === 0) return nothing
  noteMissing(body, 'fCnt', 'rxInfo')
  const fCnt = readUint32(body, 'fCnt')
  const txInfo = readObject(body, 'txInfo') ?? {}
  const gateways = readObjects(body, 'rxInfo')
  const named = ['time', 'gatewayTime'].find((name) => findTime(body, name) !== undefined)
  const ofGateway = findTime(gateways[0] ?? {}, 'time')
  return makeUplink({
    devEui,
    ...timeOf(receivedAt, named && findTime(body, named), ofGateway),
    ...toKey(`milesight:${fCnt}`, [named && readText(body, named, 40), ofGateway], receivedAt),
    fPort,
    fCnt,
    payload: readBytes(body, 'data'),
    receptions: gateways.map((item) => readReception(item, item)).filter(isTelling),
    dataRate: nameDataRate(readObject(txInfo, 'dataRate')),
    frequency: findNumber(txInfo, 'frequency'),
  })
}

/** The time is that of the first gateway, and empty if that has no GPS. */
function readTektelic(body: JsonObject, receivedAt: string): Uplink | Nothing {
  const about = requireObject(body, 'payloadMetaData')
  const devEui = readDashedEui(requireObject(about, 'deviceMetaData'), 'deviceEUI')
  const fPort = readPort(about, 'fport')
  if (fPort === 0) return nothing
  noteMissing(about, 'fcount', 'gatewayMetaDataList')
  const fCnt = readUint32(about, 'fcount')
  const gateways = readObjects(about, 'gatewayMetaDataList').map((gateway) => {
    const signal = readObject(gateway, 'rxInfo') ?? {}
    return { signal, reception: readReception(gateway, signal) }
  })
  const first = gateways[0]?.signal ?? {}
  const time = findTime(first, 'time')
  const moments = [time && readText(first, 'time', 40), findNumber(first, 'timestamp')]
  return makeUplink({
    devEui,
    ...timeOf(receivedAt, time),
    ...toKey(`tektelic:${fCnt}`, moments, receivedAt),
    fPort,
    fCnt,
    payload: readTektelicPayload(body.payload),
    receptions: gateways.map(({ reception }) => reception).filter(isTelling),
    dataRate: nameDataRate(readObject(first, 'dataRate')),
    frequency: findNumber(first, 'frequency'),
  })
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * The frame as base64, as `payload_hex`, or as `bytes`: a list of numbers, which may be written as
 * text; negative ones are Java's signed bytes. The output of a data converter is refused.
 */
function readTektelicPayload(payload: unknown): Uint8Array {
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

/**
 * A key of what names the frame and of the first moment that the gateway gives, which differs after
 * the next join, when counters start again, and is the same when the frame is sent again. Without a
 * moment each arrival counts: storing a frame twice costs less than losing a new one.
 */
function toKey(
  frame: string,
  moments: readonly (string | number | undefined)[],
  receivedAt: string,
): Pick<Uplink, 'deduplicationKey' | 'isTimeless'> {
  const moment = moments.find((each) => each !== undefined && each !== '' && each !== 0)
  if (moment !== undefined) return { deduplicationKey: `${frame}:${moment}` }
  return { deduplicationKey: `${frame}:${receivedAt}`, isTimeless: true }
}

/** Empty if the gateway has no clock. */
function findTime(parent: JsonObject, name: string): string | undefined {
  return isEmpty(parent, name) ? undefined : readTime(parent, name)
}

/** LoRa Server, from which this form comes, has named the gateway in several ways. */
function readReception(gateway: JsonObject, signal: JsonObject): ReadReception {
  return {
    gatewayEui: readGateway(gateway, 'mac', 'gatewayID', 'gatewayId', 'name'),
    rssi: findNumber(signal, 'rssi'),
    snr: findNumber(signal, 'loRaSNR') ?? findNumber(signal, 'snr'),
    ...readPlace(readObject(gateway, 'location') ?? gateway),
  }
}

/** Null if the gateway has no GPS. */
function readPlace(place: JsonObject) {
  const isKnown = !isEmpty(place, 'latitude') && !isEmpty(place, 'longitude')
  return isKnown ? readPosition(place) : undefined
}

/** `SF10BW125` of `{ modulation: "LORA", spreadFactor: 10, bandwidth: 125 }`. */
function nameDataRate(dataRate: JsonObject | undefined): string | undefined {
  if (!dataRate) return undefined
  const spreading = findNumber(dataRate, 'spreadFactor') ?? findNumber(dataRate, 'spreadingFactor')
  return nameLora(spreading, (findNumber(dataRate, 'bandwidth') ?? 0) * 1000)
}
