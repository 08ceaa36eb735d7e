import {
  findCounter,
  findNumber,
  isObject,
  type JsonObject,
  noteMissing,
  readBytes,
  readDecimal,
  readEui,
  readGateway,
  readList,
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
  type CallbackRequest,
  type DeviceEvent,
  type DownlinkEvent,
  type NetworkMessage,
  type Nothing,
  NotOurMessage,
  type Uplink,
} from '../network-message.ts'
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
interface Envelope {
  devEui: string
  ids: JsonObject
  body: JsonObject
  /** When the service received the message. */
  receivedAt: string
}

/**
 * Reads an `uplink_message`. A port that is left out is port 0, which carries MAC commands: nothing
 * to keep.
 */
function readUplink(message: JsonObject, envelope: Envelope): Uplink | Nothing {
  if (message.app_s_key) {
    throw new NotOurMessage(
      'The payload is encrypted: turn off "Skip payload encryption and decryption" of the application in The Things Stack.',
    )
  }
  noteMissing(message, 'rx_metadata', 'settings')
  const { devEui, body, receivedAt } = envelope
  // The time of the network server is the year 1 in a message that the console simulates.
  const time = timeOf(receivedAt, readTime(message, 'received_at') ?? readTime(body, 'received_at'))
  const uplink = makeUplink({
    devEui,
    ...time,
    ...readKey(message, envelope, time),
    fPort: readPort(message, 'f_port'),
    fCnt: readUint32(message, 'f_cnt'),
    payload: readBytes(message, 'frm_payload'),
    receptions: readObjects(message, 'rx_metadata').map(readReception),
    ...readTransmission(message),
  })
  return uplink.fPort === 0 ? nothing : uplink
}

/**
 * The key is that of LoRaWAN itself, device, session and counter. An ABP session may have no id, and
 * its counter starts again with the device: the time is then part of the key. An uplink that the
 * console simulates has neither session nor counter.
 */
function readKey(
  message: JsonObject,
  { devEui, ids, body }: Envelope,
  time: Pick<Uplink, 'receivedAt' | 'isDatedHere'>,
): Pick<Uplink, 'deduplicationKey' | 'isTimeless'> {
  if (body.simulated === true) return keyByTime(`simulated:${devEui}`, time)
  const session = readText(message, 'session_key_id', 200)
  const fCnt = message.f_cnt === undefined ? 0 : findCounter(message, 'f_cnt')
  if (session !== '' && fCnt !== undefined) {
    return { deduplicationKey: `up:${devEui}:${session}:${fCnt}` }
  }
  const name = `up:${devEui}:${session || readText(ids, 'dev_addr', 16)}`
  if (time.isDatedHere) return keyByTime(`${name}:${fCnt ?? ''}`, time)
  return { deduplicationKey: `${name}:${time.receivedAt}:${fCnt ?? ''}` }
}

/** Beyond Packet Broker, the network of a gateway may give its EUI, its id or neither. */
function readReception(item: JsonObject): ReadReception {
  const broker = readObject(item, 'packet_broker')
  const gateway = readObject(item, 'gateway_ids') ?? {}
  return {
    gatewayEui:
      broker && !gateway.eui
        ? readGateway(broker, 'forwarder_gateway_eui', 'forwarder_gateway_id')
        : readGateway(gateway, 'eui', 'gateway_id'),
    rssi: toWhole(readDecimal(item, 'rssi')),
    snr: readDecimal(item, 'snr'),
    ...readPosition(readObject(item, 'location')),
  }
}

function readTransmission(message: JsonObject) {
  const settings = readObject(message, 'settings')
  if (!settings) return {}
  return {
    frequency: findNumber(settings, 'frequency'),
    dataRate: readDataRate(readObject(settings, 'data_rate') ?? {}),
  }
}

/** `SF7BW125`, `FSK50` (kbit/s), `LRFHSS137` (kHz). */
function readDataRate(rate: JsonObject): string | undefined {
  const lora = readObject(rate, 'lora')
  if (lora) return nameLora(readUint32(lora, 'spreading_factor'), readUint32(lora, 'bandwidth'))
  const fsk = readObject(rate, 'fsk')
  if (fsk) return nameRate('FSK', readUint32(fsk, 'bit_rate'))
  const hopping = readObject(rate, 'lrfhss')
  return hopping && nameRate('LRFHSS', readUint32(hopping, 'operating_channel_width'))
}

// What The Things Stack sends to a webhook and publishes by MQTT: `ApplicationUp` of
// api/ttn/lorawan/v3/messages.proto in JSON, where zero values are left out. The member that is
// there says what it is. thethingsindustries.com/docs/integrations/data-formats

/** Reads one message. Throws `NotOurMessage`. */
export function readMessage({
  body,
  receivedAt,
}: Pick<CallbackRequest, 'body' | 'receivedAt'>): NetworkMessage {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  const ids = requireObject(body, 'end_device_ids')
  const [name, reader] = readers.find(([member]) => isObject(body[member])) ?? []
  if (!name || !reader) {
    throw new NotOurMessage('It holds no message of The Things Stack v3, such as uplink_message.')
  }
  const content = requireObject(body, name)
  const common = { devEui: readEui(ids, 'dev_eui'), ids, body, receivedAt }
  return reader(content, common)
}

type Reader = (content: JsonObject, envelope: Envelope) => NetworkMessage

const readers: readonly (readonly [member: string, read: Reader])[] = [
  ['uplink_message', readUplink],
  ['join_accept', readJoin],
  ['downlink_sent', (content, envelope) => readDownlink('sent', content, envelope)],
  ['downlink_ack', (content, envelope) => readDownlink('acknowledged', content, envelope)],
  ['downlink_nack', readRefusal],
  ['downlink_failed', readFailure],
  ['location_solved', readLocation],
  ['downlink_queue_invalidated', readInvalidation],
  // Said by the answer to the push already; the same uplink a second time; other programs' data.
  ['downlink_queued', () => nothing],
  ['uplink_normalized', () => nothing],
  ['service_data', () => nothing],
]

function readJoin(content: JsonObject, { devEui, ids, body, receivedAt }: Envelope): DeviceEvent {
  const occurredAt = readAnyTime(content, body, receivedAt)
  return {
    kind: 'join',
    devEui,
    deduplicationKey: `join:${devEui}:${readText(content, 'session_key_id', 200) || occurredAt}`,
    occurredAt,
    details: { devAddr: readText(ids, 'dev_addr', 16) },
  }
}

function readDownlink(
  state: DownlinkEvent['state'],
  downlink: JsonObject,
  { devEui, body, receivedAt }: Envelope,
): DownlinkEvent {
  const queueItemId = readQueueItemId(downlink)
  const fCntDown = readUint32(downlink, 'f_cnt')
  const session = readText(downlink, 'session_key_id', 200)
  return {
    kind: 'downlink',
    state,
    devEui,
    ...(queueItemId === undefined ? {} : { queueItemId }),
    deduplicationKey: `${state}:${devEui}:${queueItemId ?? ''}:${session}:${fCntDown}`,
    occurredAt: readAnyTime({}, body, receivedAt),
    details: { fCntDown },
  }
}

/** How often a cluster repeats a confirmed downlink that names no limit of its own. */
const usualAttempts = 8

/**
 * The application server queues the downlink again in front of the others, until it has made the
 * attempts of `confirmed_retry`. Former versions do not count them, and never give up.
 */
function readRefusal(downlink: JsonObject, envelope: Envelope): DownlinkEvent {
  const event = readDownlink('not_acknowledged', downlink, envelope)
  const { attempt, max_attempts } = readObject(downlink, 'confirmed_retry') ?? {}
  const isRepeated = Number(attempt ?? 0) < Number(max_attempts ?? usualAttempts)
  const which = Number(attempt) > 0 ? `attempt ${Number(attempt)}` : 'it'
  const end = isRepeated ? ': The Things Stack sends it again.' : ', which was the last one.'
  return {
    ...event,
    ...(isRepeated && { isRepeated }),
    reason: `The device did not acknowledge ${which}${end}`,
  }
}

/** The network server gave the downlink up: too long, expired, or without a gateway. */
function readFailure(content: JsonObject, envelope: Envelope): DownlinkEvent {
  const downlink = requireObject(content, 'downlink')
  const error = readObject(content, 'error') ?? {}
  const event = readDownlink('failed', downlink, envelope)
  const name = readText(error, 'name', 200)
  const words = fillIn(readText(error, 'message_format'), readObject(error, 'attributes') ?? {})
  return {
    ...event,
    reason: words || name || 'The Things Stack gave the downlink up.',
    details: { ...event.details, error: name },
  }
}

/** `invalid {field}` with the attributes of the error in place of their names. */
function fillIn(format: string, attributes: JsonObject): string {
  return format.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
}

function readLocation(content: JsonObject, envelope: Envelope): DeviceEvent {
  const location = readObject(content, 'location') ?? {}
  const occurredAt = readAnyTime(content, envelope.body, envelope.receivedAt)
  return {
    kind: 'log',
    devEui: envelope.devEui,
    deduplicationKey: `location:${envelope.devEui}:${occurredAt}`,
    occurredAt,
    details: {
      code: 'LOCATION',
      service: readText(content, 'service', 200),
      latitude: readDecimal(location, 'latitude'),
      longitude: readDecimal(location, 'longitude'),
      altitude: readDecimal(location, 'altitude'),
      source: readText(location, 'source', 100) || 'SOURCE_UNKNOWN',
      accuracy: readDecimal(location, 'accuracy'),
    },
  }
}

/** The application server queues the downlinks again by itself (handleDownlinkQueueInvalidated). */
function readInvalidation(content: JsonObject, envelope: Envelope): DeviceEvent {
  const session = readText(content, 'session_key_id', 200)
  const lastFCntDown = readUint32(content, 'last_f_cnt_down')
  return {
    kind: 'log',
    devEui: envelope.devEui,
    deduplicationKey: `invalidated:${envelope.devEui}:${session}:${lastFCntDown}`,
    occurredAt: readAnyTime(content, envelope.body, envelope.receivedAt),
    details: { code: 'DOWNLINK_QUEUE_INVALIDATED', lastFCntDown },
  }
}

/** The time of the message, or of the application server, or else of its arrival. */
function readAnyTime(content: JsonObject, body: JsonObject, receivedAt: string): string {
  return readTime(content, 'received_at') ?? readTime(body, 'received_at') ?? receivedAt
}

/** Begins the correlation ids of our downlinks; they may have 100 characters (messages.proto). */
export const ownCorrelationPrefix = 'fleet:'

/**
 * The id of a downlink: our own, or the first one of somebody else's downlink, so that it is never
 * mistaken for ours.
 */
export function readQueueItemId(downlink: JsonObject): string | undefined {
  const ids = readList(downlink, 'correlation_ids').filter((id) => typeof id === 'string')
  const id = ids.find((text) => text.startsWith(ownCorrelationPrefix)) ?? ids[0]
  return id?.slice(0, 100)
}
