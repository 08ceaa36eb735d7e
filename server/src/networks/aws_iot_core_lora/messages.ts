// What AWS IoT Core for LoRaWAN sends, by a rule (`SELECT *`) or to a topic. Developer guide, "View
// format of uplink messages sent from LoRaWAN devices" and "LoRaWAN join events".
import { readConfirmation, readMoment } from '../aws/messages.ts'
import {
  findNumber,
  isObject,
  type JsonObject,
  readBytes,
  readEui,
  readObject,
  readObjects,
  readPort,
  readText,
  readTime,
  readUint32,
} from '../message-fields.ts'
import { type CallbackRequest, type NetworkMessage, NotOurMessage } from '../network-message.ts'
import { makeAcknowledgement, makeUplink, nothing, type ReadReception } from '../uplink.ts'

/** Pure. Throws `NotOurMessage`. */
export function readMessages(request: CallbackRequest): NetworkMessage[] {
  const confirmation = readConfirmation(request)
  if (confirmation) return [confirmation]
  return readMessage(request.body)
}

/** Reads a message that comes by MQTT, where there is nothing to confirm. */
export function readMessage(body: unknown): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  if (body.WirelessMetadata !== undefined) return readUplink(body)
  if (body.eventType !== undefined) return [readEvent(body)]
  throw new NotOurMessage(
    'WirelessMetadata is missing: this is no uplink of AWS IoT Core for LoRaWAN. The SQL of the rule must be SELECT *.',
  )
}

/** Reads an accepted join. Join requests and reports of gateways are not kept. */
function readEvent(body: JsonObject): NetworkMessage {
  const eventType = readText(body, 'eventType', 100)
  // `join_accepted` in the documents, spelled differently elsewhere.
  if (eventType.toLowerCase().replace(/[^a-z]/g, '') !== 'joinaccepted') return nothing
  const device = readObject(body, 'LoRaWAN')
  if (!device) throw new NotOurMessage('LoRaWAN is missing.')
  const devEui = readEui(device, 'DevEui')
  const occurredAt = readMoment(body, 'timestamp')
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
 * Reads an uplink and, where it carries the device's acknowledgement of a downlink, that as well.
 * Port 0 carries MAC commands; AWS gives a frame without a port as one on port 225. The port is
 * `FPort` in most documents of AWS, and `Fport` in one of its two published uplinks.
 */
export function readUplink(body: JsonObject): NetworkMessage[] {
  const metadata = readObject(body, 'WirelessMetadata') ?? {}
  const frame = readObject(metadata, 'LoRaWAN')
  if (!frame) throw new NotOurMessage('WirelessMetadata.LoRaWAN is missing.')
  const uplink = makeUplink({
    devEui: readEui(frame, 'DevEui'),
    deduplicationKey: readKey(body, frame),
    receivedAt: readTime(frame, 'Timestamp'),
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
function readKey(body: JsonObject, frame: JsonObject): string {
  const id = readText(body, 'WirelessDeviceId', 256)
  const address = readText(frame, 'DevAddr', 16)
  return `${id}:${address}:${readUint32(frame, 'FCnt')}:${readText(frame, 'Timestamp', 40)}`
}

/** Absent when the service profile leaves gateways out (AddGwMetadata). */
function readReceptions(frame: JsonObject): ReadReception[] {
  return readObjects(frame, 'Gateways').map((item) => ({
    gatewayEui: readEui(item, 'GatewayEui'),
    rssi: findNumber(item, 'Rssi'),
    snr: findNumber(item, 'Snr'),
  }))
}

/** `SF12BW125`; where only the number of the data rate is there, `DR3`. */
function readTransmission(frame: JsonObject) {
  const spreadingFactor = readUint32(frame, 'SpreadingFactor')
  const bandwidth = readUint32(frame, 'Bandwidth')
  const number = findNumber(frame, 'DataRate')
  const named = number === undefined ? undefined : `DR${number}`
  const isWhole = spreadingFactor > 0 && bandwidth > 0
  return {
    dataRate: isWhole ? `SF${spreadingFactor}BW${bandwidth}` : named,
    frequency: readUint32(frame, 'Frequency'),
  }
}
