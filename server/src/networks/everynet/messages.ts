import {
  findNumber,
  findPosition,
  isObject,
  type JsonObject,
  noteMissing,
  readBytes,
  readDashedEui,
  readGateway,
  readMilliseconds,
  readObject,
  readPort,
  readText,
  readUint32,
  requireObject,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type DeviceEvent,
  type DownlinkEvent,
  type DownlinkRequest,
  type NetworkMessage,
  type Nothing,
  NotOurMessage,
  type Uplink,
} from '../network-message.ts'
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

// The uplinks that an HTTP connection of Everynet posts.

/**
 * Reads an `uplink`. With duplicates switched on in the filter, Everynet sends one message for each
 * gateway, all with the same `packet_hash`. Port 0 carries MAC commands.
 */
function readFrame(meta: JsonObject, params: JsonObject, arrivedAt: string): NetworkMessage[] {
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

// What an HTTP connection of Everynet posts: `{ type, meta, params }`. ns.docs.everynet.io, data
// API (Messages and types) and adapters/http2.

/** Reads one message. Throws `NotOurMessage`. */
export function readMessages({
  body,
  receivedAt,
}: Pick<CallbackRequest, 'body' | 'receivedAt'>): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  const type = readText(body, 'type', 40)
  const reader = readers.get(type)
  if (!reader) {
    throw new NotOurMessage(
      type === '' ? 'type is missing.' : 'type does not name a message of Everynet.',
    )
  }
  const meta = requireObject(body, 'meta')
  const params = type === 'uplink' ? requireObject(body, 'params') : readObject(body, 'params')
  return reader(meta, params ?? {}, receivedAt)
}

type Reader = (meta: JsonObject, params: JsonObject, receivedAt: string) => NetworkMessage[]

const readers = new Map<string, Reader>([
  ['uplink', readFrame],
  ['downlink', (...parts) => [readTransmission(...parts)]],
  ['downlink_request', (meta, params) => [readRequest(meta, params)]],
  ['status', (...parts) => [readStatus(...parts)]],
  ['status_response', (...parts) => [readStatus(...parts)]],
  ['info', readInfo],
  ['warning', (...parts) => readProblem('WARNING', ...parts)],
  ['error', (...parts) => readProblem('ERROR', ...parts)],
  // For devices whose keys Everynet does not have; it has the keys of all devices registered here.
  ['join_request', () => [nothing]],
  ['location', () => [nothing]],
])

/** Port 0 carries the network's own MAC commands. */
function readTransmission(
  meta: JsonObject,
  params: JsonObject,
  receivedAt: string,
): DownlinkEvent | Nothing {
  const devEui = readDashedEui(meta, 'device')
  const hash = readHash(meta)
  const fCntDown = readUint32(params, 'counter_down')
  const occurredAt = readMilliseconds(meta, 'time') ?? receivedAt
  const gatewayEui = readText(meta, 'gateway', 40).toUpperCase()
  if ((findNumber(params, 'port') ?? 0) === 0) return nothing
  return {
    kind: 'downlink',
    state: 'sent',
    devEui,
    queueItemId: hash,
    ...(gatewayEui ? { gatewayEui } : {}),
    deduplicationKey: `downlink:${hash}:${fCntDown}`,
    occurredAt,
    details: { fCntDown },
  }
}

/**
 * Everynet waits a second for the answer, and asks up to three times. Request, answer and downlink
 * have the same `packet_hash`.
 */
function readRequest(meta: JsonObject, params: JsonObject): DownlinkRequest {
  const counter = readUint32(params, 'counter_down')
  return {
    kind: 'downlink_request',
    devEui: readDashedEui(meta, 'device'),
    queueItemId: readHash(meta),
    maximumLength: readUint32(params, 'max_size'),
    answer: ({ fPort, payload, confirmed }, isMore) => ({
      meta,
      type: 'downlink_response',
      params: {
        port: fPort,
        payload: Buffer.from(payload).toString('base64'),
        confirmed,
        counter_down: counter,
        pending: isMore,
      },
    }),
  }
}

/** Battery and margin as LoRaWAN has them (DevStatusAns); 0 means an external source. */
function readStatus(meta: JsonObject, params: JsonObject, receivedAt: string): DeviceEvent {
  const battery = findNumber(params, 'battery') ?? unknownBattery
  const isKnown = battery > 0 && battery < unknownBattery
  return {
    kind: 'status',
    devEui: readDashedEui(meta, 'device'),
    deduplicationKey: `status:${readHash(meta)}`,
    occurredAt: readMilliseconds(meta, 'time') ?? receivedAt,
    details: {
      margin: findNumber(params, 'snr') ?? 0,
      externalPowerSource: battery === 0,
      ...(isKnown ? { batteryLevel: (battery / fullBattery) * 100 } : {}),
    },
  }
}

const fullBattery = 254
const unknownBattery = 255

/** One comes with every uplink. It is also the only report of a join. */
function readInfo(meta: JsonObject, params: JsonObject, receivedAt: string): NetworkMessage[] {
  if (!/^join request accepted/i.test(readText(params, 'message'))) return [nothing]
  return [
    {
      kind: 'join',
      devEui: readDashedEui(meta, 'device'),
      deduplicationKey: `join:${readHash(meta)}`,
      occurredAt: readMilliseconds(meta, 'time') ?? receivedAt,
      details: { devAddr: readText(meta, 'device_addr', 16) },
    },
  ]
}

/** A problem without a device is one of the connection. */
function readProblem(
  level: string,
  meta: JsonObject,
  params: JsonObject,
  receivedAt: string,
): NetworkMessage[] {
  if (readText(meta, 'device', 40) === '') return [nothing]
  const description = readText(params, 'message')
  const hash = readText(meta, 'packet_hash', 100)
  const occurredAt = readMilliseconds(meta, 'time') ?? receivedAt
  const common = {
    devEui: readDashedEui(meta, 'device'),
    deduplicationKey: `${level.toLowerCase()}:${hash}:${occurredAt}`,
    occurredAt,
    details: { level, code: readText(params, 'code', 100) || 'EVERYNET', description },
  }
  if (hash === '' || !isAboutDownlink(description)) return [{ kind: 'log', ...common }]
  return [{ kind: 'downlink', state: 'failed', queueItemId: hash, reason: description, ...common }]
}

/**
 * By Everynet's lists of errors and warnings: a downlink was not sent because the answer came late,
 * was not understood, or is not allowed. An empty payload was sent, to acknowledge an uplink.
 */
function isAboutDownlink(description: string): boolean {
  if (/empty payload/i.test(description)) return false
  return /downlink|application (data|returned)/i.test(description)
}

function readHash(meta: JsonObject): string {
  const hash = readText(meta, 'packet_hash', 100)
  if (hash === '') throw new NotOurMessage('packet_hash is missing.')
  return hash
}
