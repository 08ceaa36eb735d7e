// What AWS IoT Core for LoRaWAN sends, by a rule (`SELECT *`) or to a topic. Developer guide, "View
// format of uplink messages sent from LoRaWAN devices" and "LoRaWAN join events".
import { readConfirmation, readMoment } from '../aws/messages.ts'
import {
  findNumber,
  isObject,
  type JsonObject,
  noteMissing,
  readBytes,
  readEui,
  readGateway,
  readGatewayName,
  readObjects,
  readPort,
  readText,
  readTime,
  readUint32,
  requireObject,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type NetworkMessage,
  NotOurMessage,
  type Uplink,
} from '../network-message.ts'
import {
  keyByTime,
  makeAcknowledgement,
  makeUplink,
  nameLora,
  nothing,
  type ReadReception,
  timeOf,
} from '../uplink.ts'

/** Pure. Throws `NotOurMessage`. */
export function readMessages(request: CallbackRequest): NetworkMessage[] {
  const confirmation = readConfirmation(request)
  if (confirmation) return [confirmation]
  return readMessage(request.body, request.receivedAt)
}

/** Reads a message that comes by MQTT, where there is nothing to confirm. */
export function readMessage(body: unknown, receivedAt: string): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  if (body.WirelessMetadata !== undefined) return readUplink(body, receivedAt)
  if (body.eventType !== undefined) return [readEvent(body, receivedAt)]
  throw new NotOurMessage(
    'WirelessMetadata is missing: this is no uplink of AWS IoT Core for LoRaWAN. The SQL of the rule must be SELECT *.',
  )
}

/** Reads an accepted join. Join requests and reports of gateways are not kept. */
function readEvent(body: JsonObject, receivedAt: string): NetworkMessage {
  const eventType = readText(body, 'eventType', 100)
  // `join_accepted` in the documents, spelled differently elsewhere.
  if (eventType.toLowerCase().replace(/[^a-z]/g, '') !== 'joinaccepted') return nothing
  const device = requireObject(body, 'LoRaWAN')
  const devEui = readEui(device, 'DevEui')
  const occurredAt = readMoment(body, 'timestamp') ?? receivedAt
  const eventId = readText(body, 'eventId', 100)
  return {
    kind: 'join',
    devEui,
    deduplicationKey: `join:${eventId || `${devEui}:${occurredAt}`}`,
    occurredAt,
    details: {
      devAddr: readText(device, 'DevAddr', 16),
      wirelessDeviceId: readText(body, 'WirelessDeviceId', 256),
    },
  }
}

/** 224 is for tests of devices; higher ports are reserved (LoRaWAN 1.0.4, section 4.3.2). */
const highestApplicationPort = 223

/**
 * Reads an uplink, and the device's acknowledgement of a downlink if it carries one.
 * Port 0 carries MAC commands; AWS gives a frame without a port as one on port 225. The port is
 * `FPort` in most documents of AWS, and `Fport` in one of its two published uplinks.
 */
export function readUplink(body: JsonObject, arrivedAt: string): NetworkMessage[] {
  const { LoRaWAN: frame } = requireObject(body, 'WirelessMetadata')
  if (!isObject(frame)) throw new NotOurMessage('WirelessMetadata.LoRaWAN is missing.')
  noteMissing(frame, 'Timestamp', 'FCnt', 'Frequency', 'DataRate')
  const time = timeOf(arrivedAt, readTime(frame, 'Timestamp'))
  const uplink = makeUplink({
    devEui: readEui(frame, 'DevEui'),
    ...time,
    ...readKey(body, frame, time),
    fPort: readPort(frame, frame.FPort === undefined ? 'Fport' : 'FPort'),
    fCnt: readUint32(frame, 'FCnt'),
    payload: readBytes(body, 'PayloadData'),
    receptions: readReceptions(frame),
    ...readTransmission(frame),
  })
  const isOfApplication = uplink.fPort >= 1 && uplink.fPort <= highestApplicationPort
  const messageId = readText(frame, 'AckedMessageId', 256)
  const acknowledged = messageId ? [makeAcknowledgement(uplink, messageId)] : []
  if (isOfApplication) return [uplink, ...acknowledged]
  return acknowledged.length > 0 ? acknowledged : [nothing]
}

/** The frame counter starts again with each session, and each session has its own address. */
function readKey(
  body: JsonObject,
  frame: JsonObject,
  time: Pick<Uplink, 'receivedAt' | 'isDatedHere'>,
): Pick<Uplink, 'deduplicationKey' | 'isTimeless'> {
  const id = readText(body, 'WirelessDeviceId', 256) || readEui(frame, 'DevEui')
  const stem = `${id}:${readText(frame, 'DevAddr', 16)}:${readUint32(frame, 'FCnt')}`
  if (time.isDatedHere) return keyByTime(stem, time)
  return { deduplicationKey: `${stem}:${readText(frame, 'Timestamp', 40)}` }
}

/**
 * The service profile may leave out the account's own gateways (AddGwMetadata). Those of other networks
 * have no EUI, but an id.
 */
function readReceptions(frame: JsonObject): ReadReception[] {
  const toReception = (gatewayEui: string, item: JsonObject) => ({
    gatewayEui,
    rssi: findNumber(item, 'Rssi'),
    snr: findNumber(item, 'Snr'),
  })
  return [
    ...readObjects(frame, 'Gateways').map((item) =>
      toReception(readGateway(item, 'GatewayEui', 'Id'), item),
    ),
    ...readObjects(frame, 'PublicGateways').map((item) =>
      toReception(readGatewayName(item, 'Id'), item),
    ),
  ]
}

/** `SF12BW125`; if only the number of the data rate is there, `DR3`. */
function readTransmission(frame: JsonObject) {
  const spreadingFactor = readUint32(frame, 'SpreadingFactor')
  const bandwidth = readUint32(frame, 'Bandwidth') * 1000
  const number = findNumber(frame, 'DataRate')
  const named = number === undefined ? undefined : `DR${number}`
  return {
    dataRate: nameLora(spreadingFactor, bandwidth) ?? named,
    frequency: findNumber(frame, 'Frequency'),
  }
}
