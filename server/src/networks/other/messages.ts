import { isObject } from '../message-fields.ts'
import { type NetworkMessage, NotOurMessage } from '../network-message.ts'
import { readMilesight } from './milesight.ts'
import { readJoinOfMultiTech, readMultiTech } from './multitech.ts'
import { readTektelic } from './tektelic.ts'

/** MultiTech posts up to 10 messages at once. */
const mostMessages = 100

/**
 * Reads what a gateway with a network server of its own posts: one message, or a list of them.
 * Which product sent it shows in the names of its members. `receivedAt` (ISO 8601 in UTC with
 * microseconds) stands in where a gateway has no clock. Pure. Throws `NotOurMessage`.
 */
export function readMessages(body: unknown, receivedAt: string): NetworkMessage[] {
  if (!Array.isArray(body)) return [readMessage(body, receivedAt)]
  if (body.length > mostMessages) {
    throw new NotOurMessage(`The list must not hold more than ${mostMessages} messages.`)
  }
  return body.map((item) => readMessage(item, receivedAt))
}

function readMessage(body: unknown, receivedAt: string): NetworkMessage {
  if (!isObject(body)) throw new NotOurMessage('The body must be a JSON object, or a list of them.')
  if ('deveui' in body) return readMultiTech(body, receivedAt)
  if ('devEUI' in body) return readMilesight(body, receivedAt)
  if ('payloadMetaData' in body) return readTektelic(body, receivedAt)
  if ('gweui' in body && 'appeui' in body) return readJoinOfMultiTech()
  throw new NotOurMessage(
    'This is no uplink of a MultiTech (deveui), Milesight (devEUI) or Tektelic (payloadMetaData) gateway.',
  )
}
