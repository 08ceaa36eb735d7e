// What a ChirpStack v4 sends: POST <callback>?event=<event>, JSON.
// chirpstack.io/docs/chirpstack/integrations/events.html; the messages are those of
// chirpstack/chirpstack api/proto/integration/integration.proto in the proto3 JSON mapping.
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
  readInt32,
  readObject,
  readObjects,
  readPort,
  readPosition,
  readText,
  readTime,
  readTruth,
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
  /** When the service received the message. */
  receivedAt: string
}

/**
 * Reads an `up` event. Port 0 carries MAC commands, and a frame without a port has no payload:
 * neither is kept. An empty payload on a port of the application is an uplink.
 */
function readUplink(body: JsonObject, { devEui, receivedAt }: Envelope): Uplink | Nothing {
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
    ...readRadio(body),
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

function readRadio(body: JsonObject) {
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

/**
 * Reads one event. Throws `NotOurMessage`.
 *
 * The `deduplicationId` of an `ack` is that of the uplink which carried it (empty when a
 * downlink timed out), so the keys of all but uplinks start with the event's name.
 */
export function readMessage({
  query,
  body,
  receivedAt,
}: Pick<CallbackRequest, 'query' | 'body' | 'receivedAt'>): NetworkMessage {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  refuseVersion3(body)
  const reader = readers.get(query.event ?? '')
  if (!reader) {
    throw new NotOurMessage(
      query.event
        ? 'The query parameter event does not name an event of ChirpStack v4.'
        : 'The query parameter event is missing: ChirpStack v4 sends it with every event.',
    )
  }
  return reader(body, { devEui: readEui(requireObject(body, 'deviceInfo'), 'devEui'), receivedAt })
}

type Reader = (body: JsonObject, envelope: Envelope) => NetworkMessage

const readers = new Map<string, Reader>([
  ['up', readUplink],
  ['join', readJoin],
  ['ack', readAcknowledgement],
  ['txack', readTransmission],
  ['log', readLog],
  ['status', readStatus],
  ['location', readLocation],
  ['integration', readIntegration],
])

/** ChirpStack v3 names the device `devEUI` at the top and has no deviceInfo. */
function refuseVersion3(body: JsonObject) {
  if (body.deviceInfo !== undefined) return
  if (body.devEUI === undefined && body.applicationID === undefined) return
  throw new NotOurMessage(
    'This looks like a message of ChirpStack v3: the JSON encoding of ChirpStack v4 is needed.',
  )
}

function readJoin(body: JsonObject, { devEui, receivedAt }: Envelope): DeviceEvent {
  return {
    kind: 'join',
    devEui,
    deduplicationKey: `join:${readDeduplicationId(body, { devEui, receivedAt })}`,
    occurredAt: readTime(body, 'time') ?? receivedAt,
    details: {
      devAddr: readText(body, 'devAddr', 16),
      regionConfigId: readText(body, 'regionConfigId', 100),
    },
  }
}

function readStatus(body: JsonObject, { devEui, receivedAt }: Envelope): DeviceEvent {
  const isUnavailable = readTruth(body, 'batteryLevelUnavailable')
  const batteryLevel = isUnavailable ? undefined : readDecimal(body, 'batteryLevel')
  return {
    kind: 'status',
    devEui,
    deduplicationKey: `status:${readDeduplicationId(body, { devEui, receivedAt })}`,
    occurredAt: readTime(body, 'time') ?? receivedAt,
    details: {
      margin: readInt32(body, 'margin'),
      externalPowerSource: readTruth(body, 'externalPowerSource'),
      ...(batteryLevel === undefined ? {} : { batteryLevel }),
    },
  }
}

/** The gateway has accepted the downlink for sending. */
function readTransmission(body: JsonObject, { devEui, receivedAt }: Envelope): DownlinkEvent {
  const queueItemId = readText(body, 'queueItemId', 100)
  const fCntDown = readUint32(body, 'fCntDown')
  const downlinkId = readUint32(body, 'downlinkId')
  const gatewayId = readText(body, 'gatewayId', 100).toUpperCase()
  return {
    kind: 'downlink',
    state: 'sent',
    devEui,
    ...(queueItemId ? { queueItemId } : {}),
    deduplicationKey: `txack:${devEui}:${queueItemId}:${fCntDown}:${downlinkId}`,
    occurredAt: readTime(body, 'time') ?? receivedAt,
    ...(gatewayId ? { gatewayEui: gatewayId } : {}),
    details: { fCntDown, gatewayId },
  }
}

function readAcknowledgement(body: JsonObject, { devEui, receivedAt }: Envelope): DownlinkEvent {
  const isAcknowledged = readTruth(body, 'acknowledged')
  const queueItemId = readText(body, 'queueItemId', 100)
  const fCntDown = readUint32(body, 'fCntDown')
  const deduplicationId = readText(body, 'deduplicationId', 100)
  return {
    kind: 'downlink',
    state: isAcknowledged ? 'acknowledged' : 'not_acknowledged',
    devEui,
    ...(queueItemId ? { queueItemId } : {}),
    deduplicationKey: `ack:${devEui}:${deduplicationId}:${queueItemId}:${fCntDown}`,
    occurredAt: readTime(body, 'time') ?? receivedAt,
    ...(isAcknowledged ? {} : { reason: 'The device did not acknowledge the downlink.' }),
    details: { fCntDown },
  }
}

// The codes by which a log event says that a downlink was given up,
// chirpstack/src/downlink/data.rs.
const failureCodes = ['EXPIRED', 'DOWNLINK_PAYLOAD_SIZE', 'F_CNT_DOWN']
// A gateway's refusal, such as TOO_LATE, which names no item: tx_ack.rs leaves it in the queue, and
// it is sent after the next uplink.
const postponementCode = 'DOWNLINK_GATEWAY'

function readLog(body: JsonObject, { devEui, receivedAt }: Envelope): DeviceEvent | DownlinkEvent {
  const code = readText(body, 'code', 100) || 'UNKNOWN'
  const description = readText(body, 'description')
  const context = readObject(body, 'context') ?? {}
  const queueItemId = readText(context, 'queue_item_id', 100)
  const common = {
    devEui,
    deduplicationKey: `log:${devEui}:${code}:${readText(body, 'time', 40) || receivedAt}:${queueItemId}`,
    occurredAt: readTime(body, 'time') ?? receivedAt,
    details: { level: readText(body, 'level', 100) || 'INFO', code, description, context },
  }
  if (code === postponementCode) {
    return { kind: 'downlink', state: 'postponed', reason: description || code, ...common }
  }
  if (!failureCodes.includes(code)) return { kind: 'log', ...common }
  return {
    kind: 'downlink',
    state: 'failed',
    ...(queueItemId ? { queueItemId } : {}),
    reason: description || code,
    ...common,
  }
}

function readLocation(body: JsonObject, { devEui, receivedAt }: Envelope): DeviceEvent {
  const location = readObject(body, 'location') ?? {}
  return {
    kind: 'log',
    devEui,
    deduplicationKey: `location:${readDeduplicationId(body, { devEui, receivedAt })}`,
    occurredAt: readTime(body, 'time') ?? receivedAt,
    details: {
      code: 'LOCATION',
      latitude: readDecimal(location, 'latitude'),
      longitude: readDecimal(location, 'longitude'),
      altitude: readDecimal(location, 'altitude'),
      source: readText(location, 'source', 100) || 'UNKNOWN',
      accuracy: readDecimal(location, 'accuracy'),
    },
  }
}

function readIntegration(body: JsonObject, { devEui, receivedAt }: Envelope): DeviceEvent {
  return {
    kind: 'log',
    devEui,
    deduplicationKey: `integration:${readDeduplicationId(body, { devEui, receivedAt })}`,
    occurredAt: readTime(body, 'time') ?? receivedAt,
    details: {
      code: 'INTEGRATION',
      integrationName: readText(body, 'integrationName'),
      eventType: readText(body, 'eventType'),
      object: readObject(body, 'object') ?? {},
    },
  }
}

function readDeduplicationId(body: JsonObject, { devEui, receivedAt }: Envelope): string {
  const id = readText(body, 'deduplicationId', 100)
  return id || `${devEui}:${readTime(body, 'time') ?? receivedAt}`
}
