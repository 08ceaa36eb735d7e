// What The Things Stack sends to a webhook and publishes by MQTT: `ApplicationUp` of
// api/ttn/lorawan/v3/messages.proto in JSON, where zero values are left out. The member that is
// there says what it is. thethingsindustries.com/docs/integrations/data-formats
import {
  isObject,
  type JsonObject,
  readDecimal,
  readEui,
  readList,
  readObject,
  readText,
  readUint32,
  requireObject,
} from '../message-fields.ts'
import { readTime } from '../message-times.ts'
import {
  type CallbackRequest,
  type DeviceEvent,
  type DownlinkEvent,
  type NetworkMessage,
  NotOurMessage,
} from '../network-message.ts'
import { nothing } from '../uplink.ts'
import { type Envelope, readUplink } from './uplink.ts'

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
