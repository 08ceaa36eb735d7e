// What AWS IoT Core for LoRaWAN sends, by a rule (`SELECT *`) or to a topic. Developer guide, "View
// format of uplink messages sent from LoRaWAN devices" and "LoRaWAN join events".
import { readConfirmation } from '../aws/confirmation.ts'
import { readMoment } from '../aws/messages.ts'
import { isObject, type JsonObject, readEui, readObject, readText } from '../message-fields.ts'
import { type CallbackRequest, type NetworkMessage, NotOurMessage } from '../network-message.ts'
import { readUplink } from './uplink.ts'

/** Pure. Throws `NotOurMessage`. */
export function readMessages(request: CallbackRequest): NetworkMessage[] {
  const confirmation = readConfirmation(request)
  if (confirmation) return [confirmation]
  return readMessage(request.body)
}

/** The same of what comes by MQTT, where there is nothing to confirm. */
export function readMessage(body: unknown): NetworkMessage[] {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object.')
  if (body.WirelessMetadata !== undefined) return readUplink(body)
  if (body.eventType !== undefined) return [readEvent(body)]
  throw new NotOurMessage(
    'WirelessMetadata is missing: this is no uplink of AWS IoT Core for LoRaWAN. The SQL of the rule must be SELECT *.',
  )
}

/** A join that was accepted; requests for one, and what gateways report, are nothing to keep. */
function readEvent(body: JsonObject): NetworkMessage {
  const eventType = readText(body, 'eventType', 100)
  // `join_accepted` in the documents; elsewhere in other spellings.
  if (eventType.toLowerCase().replace(/[^a-z]/g, '') !== 'joinaccepted') return { kind: 'nothing' }
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
