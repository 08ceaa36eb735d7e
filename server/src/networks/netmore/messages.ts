// What Netmore posts by an export configuration in one of the formats "Default (All)" and "Connect
// (All)": a list of messages. docs.connect.netmoregroup.com, as SmartParksOrg/smartparks-protect
// (netmore adapter and fixtures) has it. Numbers come as numbers or as texts.

import {
  findNumber,
  isObject,
  type JsonObject,
  noteMissing,
  readDashedEui,
  readGateway,
  readHexadecimal,
  readObjects,
  readPort,
  readText,
  readTime,
  readUint32,
} from '../message-fields.ts'
import { type CallbackRequest, type NetworkMessage, NotOurMessage } from '../network-message.ts'
import { isTelling, keyByTime, makeUplink, nothing, type ReadReception, timeOf } from '../uplink.ts'

/** Bounds what one call can store; Netmore was never seen to send as many. */
const mostMessages = 100

/** Pure. Throws `NotOurMessage`. */
export function readMessages({ body, receivedAt }: CallbackRequest): NetworkMessage[] {
  const items = Array.isArray(body) ? body : [body]
  if (items.length > mostMessages) {
    throw new NotOurMessage(`The list must not hold more than ${mostMessages} messages.`)
  }
  return items.map((item) => {
    if (!isObject(item)) throw new NotOurMessage('The body must be a list of JSON objects.')
    return item.deliveryStatus === undefined
      ? readUplink(item, receivedAt)
      : readReport(item, receivedAt)
  })
}

function readUplink(item: JsonObject, arrivedAt: string): NetworkMessage {
  if (item.payload === undefined) {
    throw new NotOurMessage(
      'payload is missing: the export configuration must have a format that is not decoded, such as Default (All).',
    )
  }
  noteMissing(item, 'fCntUp', 'timestamp')
  const devEui = readDashedEui(item, 'devEui')
  const fCnt = readUint32(item, 'fCntUp')
  const time = timeOf(arrivedAt, readTime(item, 'timestamp'))
  const fPort = readPort(item, 'fPort')
  const payload = readHexadecimal(item, 'payload')
  if (fPort === 0) return nothing
  const spreadingFactor = findNumber(item, 'spreadingFactor')
  return makeUplink({
    devEui,
    ...time,
    ...keyByTime(`${devEui}:${fCnt}`, time),
    fPort,
    fCnt,
    payload,
    receptions: readReceptions(item),
    dataRate: spreadingFactor === undefined ? undefined : `SF${spreadingFactor}`,
    frequency: findNumber(item, 'freq'),
  })
}

/** The list of some formats; in flat ones the message itself has the best signal. */
function readReceptions(item: JsonObject): ReadReception[] {
  const listed = readObjects(item, 'gateways')
  return (listed.length > 0 ? listed : [item]).map(readReception).filter(isTelling)
}

/** A gateway without an EUI has a number of Netmore's own. */
function readReception(gateway: JsonObject): ReadReception {
  return {
    gatewayEui: readGateway(gateway, 'gwEui', 'gatewayIdentifier'),
    rssi: findNumber(gateway, 'rssi'),
    snr: findNumber(gateway, 'snr'),
  }
}

/** A report names its downlink by an id that only Netmore's older API lets its user give. */
function readReport(item: JsonObject, receivedAt: string): NetworkMessage {
  const status = readText(item, 'deliveryStatus', 100)
  const devEui = readDashedEui(item, 'devEui')
  if (status !== 'DOWNLINK_SENT' && status !== 'ERROR_SENDING') return nothing
  const requestId = readText(item, 'requestId', 200)
  const reason = readText(item, 'errorDescription', 500)
  return {
    kind: 'downlink',
    state: status === 'DOWNLINK_SENT' ? 'sent' : 'failed',
    devEui,
    deduplicationKey: `${status}:${devEui}:${requestId || receivedAt}`,
    occurredAt: receivedAt,
    ...(reason ? { reason } : {}),
    details: { requestId, status },
  }
}
