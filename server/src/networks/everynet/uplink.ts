import {
  findNumber,
  findPosition,
  type JsonObject,
  readBytes,
  readDashedEui,
  readInteger,
  readObject,
  readSeconds,
  readText,
  readUint32,
} from '../message-fields.ts'
import {
  type DeviceEvent,
  type DownlinkEvent,
  type NetworkMessage,
  NotOurMessage,
  type Reception,
  type Uplink,
} from '../network-message.ts'

/**
 * Reads an `uplink`. With duplicates switched on in its filter, Everynet sends one for each gateway,
 * all with one `packet_hash`. Port 0 carries MAC commands.
 */
export function readFrame(meta: JsonObject, params: JsonObject): NetworkMessage[] {
  const hash = readText(meta, 'packet_hash', 100)
  if (hash === '') throw new NotOurMessage('packet_hash is missing.')
  const devEui = readDashedEui(meta, 'device')
  const receivedAt = readSeconds(meta, 'time')
  const fCnt = readUint32(params, 'counter_up')
  const header = readObject(readObject(params, 'lora') ?? {}, 'header')
  const fPort = readInteger(params, 'port', 0, 255)
  const common = { devEui, hash, receivedAt, fCnt, fPort }
  const messages: NetworkMessage[] = fPort === 0 ? [] : [readUplink(common, meta, params)]
  if (header?.ack === true) messages.push(toAcknowledgement(common))
  return messages.length === 0 ? [{ kind: 'nothing' }] : messages
}

interface Frame {
  devEui: string
  hash: string
  receivedAt: string
  fCnt: number
  fPort: number
}

function readUplink(
  { devEui, hash, receivedAt, fCnt, fPort }: Frame,
  meta: JsonObject,
  params: JsonObject,
): Uplink | DeviceEvent {
  const isEncrypted = typeof params.payload !== 'string' && !!params.encrypted_payload
  if (isEncrypted) {
    return {
      kind: 'log',
      devEui,
      deduplicationKey: `encrypted:${hash}`,
      occurredAt: receivedAt,
      details: {
        code: 'ENCRYPTED',
        description:
          'Everynet has no key of the device (encryption APP): its payload cannot be read.',
        fCnt,
        encryptedPayload: readText(params, 'encrypted_payload'),
      },
    }
  }
  const radio = readObject(params, 'radio') ?? {}
  const megahertz = findNumber(radio, 'freq') ?? 0
  const dataRate = readDataRate(radio)
  return {
    kind: 'uplink',
    devEui,
    deduplicationKey: hash,
    receivedAt,
    fPort,
    fCnt,
    payload: readBytes(params, 'payload'),
    receptions: readReceptions(meta, radio),
    ...(dataRate === undefined ? {} : { dataRate }),
    ...(megahertz > 0 ? { frequency: Math.round(megahertz * 1_000_000) } : {}),
    isPartial: true,
  }
}

function toAcknowledgement({ devEui, hash, receivedAt, fCnt }: Frame): DownlinkEvent {
  return {
    kind: 'downlink',
    state: 'acknowledged',
    devEui,
    deduplicationKey: `ack:${hash}`,
    occurredAt: receivedAt,
    details: { fCntUp: fCnt },
  }
}

function readReceptions(meta: JsonObject, radio: JsonObject): Reception[] {
  const gatewayEui = readText(meta, 'gateway', 40).toUpperCase()
  if (gatewayEui === '') return []
  const hardware = readObject(radio, 'hardware') ?? {}
  const rssi = findNumber(hardware, 'rssi')
  const snr = findNumber(hardware, 'snr')
  return [
    {
      gatewayEui,
      ...(rssi === undefined ? {} : { rssi }),
      ...(snr === undefined ? {} : { snr }),
      ...findPosition(readObject(hardware, 'gps') ?? {}, 'lat', 'lng'),
    },
  ]
}

function readDataRate(radio: JsonObject): string | undefined {
  const modulation = readObject(radio, 'modulation') ?? {}
  const spreading = findNumber(modulation, 'spreading')
  const bandwidth = findNumber(modulation, 'bandwidth')
  if (!spreading || !bandwidth) return undefined
  return `SF${spreading}BW${bandwidth / 1000}`
}
