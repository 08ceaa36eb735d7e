import { readGateway, readPosition } from '../gateway-fields.ts'
import {
  findCounter,
  findNumber,
  type JsonObject,
  readBytes,
  readDecimal,
  readObject,
  readObjects,
  readPort,
  readText,
  readUint32,
} from '../message-fields.ts'
import { readTime } from '../message-times.ts'
import type { Nothing, Uplink } from '../network-message.ts'
import { noteMissing } from '../unread.ts'
import {
  keyByTime,
  makeUplink,
  nameLora,
  nameRate,
  nothing,
  type ReadReception,
  timeOf,
  toWhole,
} from '../uplink.ts'

/** The members of a message besides its content. */
export interface Envelope {
  devEui: string
  /** When the service received the message. */
  receivedAt: string
}

/**
 * Reads an `up` event. Port 0 carries MAC commands, and a frame without a port has no payload:
 * neither is kept. An empty payload on a port of the application is an uplink.
 */
export function readUplink(body: JsonObject, { devEui, receivedAt }: Envelope): Uplink | Nothing {
  noteMissing(body, 'deduplicationId', 'time', 'rxInfo', 'txInfo')
  const time = timeOf(receivedAt, readTime(body, 'time'))
  const fCnt = findCounter(body, 'fCnt') ?? 0
  const deduplicationKey = readText(body, 'deduplicationId', 100)
  const uplink = makeUplink({
    devEui,
    ...(deduplicationKey ? { deduplicationKey } : keyByTime(`${devEui}:${fCnt}`, time)),
    ...time,
    fPort: readPort(body, 'fPort'),
    fCnt,
    payload: readBytes(body, 'data'),
    receptions: readObjects(body, 'rxInfo').map(readReception),
    ...readTransmission(body),
  })
  return uplink.fPort === 0 ? nothing : uplink
}

/** A roaming partner gives no gateway, or its own name for it. */
function readReception(item: JsonObject): ReadReception {
  return {
    gatewayEui: readGateway(item, 'gatewayId'),
    rssi: toWhole(readDecimal(item, 'rssi')),
    snr: readDecimal(item, 'snr'),
    ...readPosition(readObject(item, 'location')),
  }
}

function readTransmission(body: JsonObject) {
  const txInfo = readObject(body, 'txInfo')
  if (!txInfo) return {}
  return {
    frequency: findNumber(txInfo, 'frequency'),
    dataRate: readDataRate(readObject(txInfo, 'modulation') ?? {}),
  }
}

/** `SF11BW125`, `FSK50` (kbit/s), `LRFHSS137` (kHz). */
function readDataRate(modulation: JsonObject): string | undefined {
  const lora = readObject(modulation, 'lora')
  if (lora) {
    return nameLora(readUint32(lora, 'spreadingFactor'), readUint32(lora, 'bandwidth'))
  }
  const fsk = readObject(modulation, 'fsk')
  if (fsk) return nameRate('FSK', readUint32(fsk, 'datarate'))
  const hopping = readObject(modulation, 'lrFhss')
  return hopping && nameRate('LRFHSS', readUint32(hopping, 'operatingChannelWidth'))
}
