// What Netmore posts by an export configuration in one of the formats "Default (All)" and "Connect
// (All)": a list of messages. docs.connect.netmoregroup.com, as SmartParksOrg/smartparks-protect
// (netmore adapter and fixtures) has it. Numbers come as numbers or as texts.

import { isEui } from '../../lora/eui.ts'
import { textOf } from '../answer-fields.ts'
import {
  findNumber,
  isObject,
  type JsonObject,
  readDashedEui,
  readHexadecimal,
  readInteger,
  readList,
  readText,
  readTime,
  readUint32,
} from '../message-fields.ts'
import {
  type CallbackRequest,
  type NetworkMessage,
  NotOurMessage,
  type Reception,
} from '../network-message.ts'

/** More than Netmore was seen to send; a bound on what one call can store. */
const mostMessages = 100

/** Pure. Throws `NotOurMessage`. */
export function readMessages({ body, receivedAt }: CallbackRequest): NetworkMessage[] {
  const items = Array.isArray(body) ? body : [body]
  if (items.length > mostMessages) {
    throw new NotOurMessage(`The list must not hold more than ${mostMessages} messages.`)
  }
  return items.map((item) => {
    if (!isObject(item)) throw new NotOurMessage('The body must be a list of JSON objects.')
    return item.deliveryStatus === undefined ? readUplink(item) : readReport(item, receivedAt)
  })
}

function readUplink(item: JsonObject): NetworkMessage {
  if (item.payload === undefined) {
    throw new NotOurMessage(
      'payload is missing: the export configuration must have a format that is not decoded, such as Default (All).',
    )
  }
  const devEui = readDashedEui(item, 'devEui')
  const fCnt = readUint32(item, 'fCntUp')
  const receivedAt = readTime(item, 'timestamp')
  const fPort = readInteger(item, 'fPort', 0, 255)
  const payload = readHexadecimal(item, 'payload')
  if (fPort === 0) return { kind: 'nothing' }
  const spreadingFactor = findNumber(item, 'spreadingFactor')
  const frequency = findNumber(item, 'freq')
  return {
    kind: 'uplink',
    devEui,
    deduplicationKey: `${devEui}:${fCnt}:${receivedAt}`,
    receivedAt,
    fPort,
    fCnt,
    payload,
    receptions: readReceptions(item),
    ...(spreadingFactor === undefined ? {} : { dataRate: `SF${spreadingFactor}` }),
    ...(frequency === undefined ? {} : { frequency }),
  }
}

/** Best SNR first; a gateway that has no EUI here has a number of Netmore's own. */
function readReceptions(item: JsonObject): Reception[] {
  const receptions = readList(item, 'gateways').flatMap((gateway) => {
    if (!isObject(gateway) || !isEui(textOf(gateway.gwEui))) return []
    const rssi = findNumber(gateway, 'rssi')
    const snr = findNumber(gateway, 'snr')
    return [
      {
        gatewayEui: textOf(gateway.gwEui).toUpperCase(),
        ...(rssi === undefined ? {} : { rssi }),
        ...(snr === undefined ? {} : { snr }),
      },
    ]
  })
  return receptions.sort((a, b) => (b.snr ?? -Infinity) - (a.snr ?? -Infinity))
}

/** A report names its downlink by an id that only Netmore's older API lets its user give. */
function readReport(item: JsonObject, receivedAt: string): NetworkMessage {
  const status = readText(item, 'deliveryStatus', 100)
  const devEui = readDashedEui(item, 'devEui')
  if (status !== 'DOWNLINK_SENT' && status !== 'ERROR_SENDING') return { kind: 'nothing' }
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
