import {
  isObject,
  type JsonObject,
  readBytes,
  readDecimal,
  readEui,
  readInt32,
  readInteger,
  readList,
  readObject,
  readPosition,
  readText,
  readTime,
  readUint32,
} from '../message-fields.ts'
import { type Nothing, NotOurMessage, type Reception, type Uplink } from '../network-message.ts'

/**
 * Reads an `up` event. Port 0 carries MAC commands, and no port at all means no payload: both
 * are nothing to keep. An empty payload on a port of the application is an uplink.
 */
export function readUplink(body: JsonObject, devEui: string): Uplink | Nothing {
  const deduplicationKey = readText(body, 'deduplicationId', 100)
  if (!deduplicationKey) throw new NotOurMessage('deduplicationId is missing.')
  const uplink: Uplink = {
    kind: 'uplink',
    devEui,
    deduplicationKey,
    receivedAt: readTime(body, 'time'),
    fPort: readInteger(body, 'fPort', 0, 255),
    fCnt: readUint32(body, 'fCnt'),
    payload: readBytes(body, 'data'),
    receptions: readReceptions(body),
    ...readTransmission(body),
  }
  return uplink.fPort === 0 ? { kind: 'nothing' } : uplink
}

/** One reception for each gateway: one with two antennas reports twice, the better one counts. */
function readReceptions(body: JsonObject): Reception[] {
  const receptions = readList(body, 'rxInfo').map(readReception)
  receptions.sort((a, b) => (b.snr ?? -Infinity) - (a.snr ?? -Infinity))
  if (receptions.length < 2) return receptions
  const seen = new Set<string>()
  return receptions.filter(({ gatewayEui }) => !seen.has(gatewayEui) && seen.add(gatewayEui))
}

function readReception(item: unknown): Reception {
  if (!isObject(item)) throw new NotOurMessage('rxInfo must be a list of objects.')
  const snr = readDecimal(item, 'snr')
  return {
    gatewayEui: readEui(item, 'gatewayId'),
    rssi: readInt32(item, 'rssi'),
    ...(snr === undefined ? {} : { snr }),
    ...readPosition(readObject(item, 'location')),
  }
}

function readTransmission(body: JsonObject): { frequency?: number; dataRate?: string } {
  const txInfo = readObject(body, 'txInfo')
  if (!txInfo) return {}
  const frequency = readUint32(txInfo, 'frequency')
  const dataRate = readDataRate(readObject(txInfo, 'modulation') ?? {})
  return {
    ...(frequency > 0 ? { frequency } : {}),
    ...(dataRate === undefined ? {} : { dataRate }),
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
