import {
  type JsonObject,
  readBytes,
  readDecimal,
  readEui,
  readInt32,
  readObject,
  readObjects,
  readPort,
  readPosition,
  readText,
  readTime,
  readUint32,
} from '../message-fields.ts'
import { type Nothing, NotOurMessage, type Uplink } from '../network-message.ts'
import { makeUplink, nothing, type ReadReception } from '../uplink.ts'

/**
 * Reads an `up` event. Port 0 carries MAC commands, and a frame without a port has no payload:
 * neither is kept. An empty payload on a port of the application is an uplink.
 */
export function readUplink(body: JsonObject, devEui: string): Uplink | Nothing {
  const deduplicationKey = readText(body, 'deduplicationId', 100)
  if (!deduplicationKey) throw new NotOurMessage('deduplicationId is missing.')
  const uplink = makeUplink({
    devEui,
    deduplicationKey,
    receivedAt: readTime(body, 'time'),
    fPort: readPort(body, 'fPort'),
    fCnt: readUint32(body, 'fCnt'),
    payload: readBytes(body, 'data'),
    receptions: readObjects(body, 'rxInfo').map(readReception),
    ...readTransmission(body),
  })
  return uplink.fPort === 0 ? nothing : uplink
}

function readReception(item: JsonObject): ReadReception {
  return {
    gatewayEui: readEui(item, 'gatewayId'),
    rssi: readInt32(item, 'rssi'),
    snr: readDecimal(item, 'snr'),
    ...readPosition(readObject(item, 'location')),
  }
}

function readTransmission(body: JsonObject) {
  const txInfo = readObject(body, 'txInfo')
  if (!txInfo) return {}
  return {
    frequency: readUint32(txInfo, 'frequency'),
    dataRate: readDataRate(readObject(txInfo, 'modulation') ?? {}),
  }
}

/** `SF11BW125`, `FSK50` (kbit/s), `LRFHSS137` (kHz). */
function readDataRate(modulation: JsonObject): string | undefined {
  const lora = readObject(modulation, 'lora')
  if (lora) {
    return `SF${readUint32(lora, 'spreadingFactor')}BW${readUint32(lora, 'bandwidth') / 1000}`
  }
  const fsk = readObject(modulation, 'fsk')
  if (fsk) return `FSK${readUint32(fsk, 'datarate') / 1000}`
  const frequencyHopping = readObject(modulation, 'lrFhss')
  if (frequencyHopping) {
    return `LRFHSS${readUint32(frequencyHopping, 'operatingChannelWidth') / 1000}`
  }
  return undefined
}
