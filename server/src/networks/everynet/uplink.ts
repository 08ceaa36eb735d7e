// The uplinks that an HTTP connection of Everynet posts.
import { findPosition, readGateway } from '../gateway-fields.ts'
import {
  findNumber,
  type JsonObject,
  readBytes,
  readDashedEui,
  readObject,
  readPort,
  readText,
  readUint32,
} from '../message-fields.ts'
import { readMilliseconds } from '../message-times.ts'
import type { DeviceEvent, NetworkMessage, Uplink } from '../network-message.ts'
import { noteMissing } from '../unread.ts'
import {
  isTelling,
  keyByTime,
  makeAcknowledgement,
  makeUplink,
  nameLora,
  nothing,
  type ReadReception,
  timeOf,
  toHertz,
} from '../uplink.ts'

/**
 * Reads an `uplink`. With duplicates switched on in the filter, Everynet sends one message for each
 * gateway, all with the same `packet_hash`. Port 0 carries MAC commands.
 */
export function readFrame(
  meta: JsonObject,
  params: JsonObject,
  arrivedAt: string,
): NetworkMessage[] {
  noteMissing(meta, 'packet_hash', 'time', 'gateway')
  noteMissing(params, 'counter_up')
  const devEui = readDashedEui(meta, 'device')
  const time = timeOf(
    arrivedAt,
    readMilliseconds(meta, 'time') ?? readMilliseconds(params, 'rx_time'),
  )
  const fCnt = readUint32(params, 'counter_up')
  const hash = readText(meta, 'packet_hash', 100)
  const key = hash ? { deduplicationKey: hash } : keyByTime(`${devEui}:${fCnt}`, time)
  const header = readObject(readObject(params, 'lora') ?? {}, 'header')
  const frame = { devEui, ...time, ...key, fCnt, fPort: readPort(params, 'port') }
  const { fPort } = frame
  const messages: NetworkMessage[] = fPort === 0 ? [] : [readUplink(frame, meta, params)]
  if (header?.ack === true) messages.push(makeAcknowledgement(frame))
  return messages.length === 0 ? [nothing] : messages
}

type Frame = Omit<Uplink, 'kind' | 'payload' | 'receptions'>

function readUplink(frame: Frame, meta: JsonObject, params: JsonObject): Uplink | DeviceEvent {
  const isEncrypted = typeof params.payload !== 'string' && !!params.encrypted_payload
  if (isEncrypted) return readEncrypted(frame, params)
  const radio = readObject(params, 'radio') ?? {}
  return makeUplink({
    ...frame,
    payload: readBytes(params, 'payload'),
    receptions: readReceptions(meta, radio),
    dataRate: readDataRate(radio),
    frequency: toHertz(findNumber(radio, 'freq')),
    isPartial: true,
  })
}

function readEncrypted(
  { devEui, deduplicationKey, receivedAt, fCnt }: Frame,
  params: JsonObject,
): DeviceEvent {
  return {
    kind: 'log',
    devEui,
    deduplicationKey: `encrypted:${deduplicationKey}`,
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

function readReceptions(meta: JsonObject, radio: JsonObject): ReadReception[] {
  const hardware = readObject(radio, 'hardware') ?? {}
  const reception = {
    gatewayEui: meta.gateway === undefined ? '' : readGateway(meta, 'gateway').toUpperCase(),
    rssi: findNumber(hardware, 'rssi'),
    snr: findNumber(hardware, 'snr'),
    ...findPosition(readObject(hardware, 'gps') ?? {}, 'lat', 'lng'),
  }
  return isTelling(reception) ? [reception] : []
}

function readDataRate(radio: JsonObject): string | undefined {
  const modulation = readObject(radio, 'modulation') ?? {}
  return nameLora(findNumber(modulation, 'spreading'), findNumber(modulation, 'bandwidth'))
}
