import { isObject, type JsonObject, readInteger, readTime } from '../message-fields.ts'
import type { CallbackRequest, Confirmation } from '../network-message.ts'

/** The year 2286 in seconds, 26 April 1970 in milliseconds: what is larger is milliseconds. */
const mostSeconds = 9_999_999_999
const longestTime = 253_402_300_799_999

/**
 * A time that AWS gives as a number of milliseconds (`timestamp()` of a rule) or seconds ("Unix
 * timestamp" of an event) since 1970, or as ISO 8601. ISO 8601 in UTC with microseconds.
 */
export function readMoment(body: JsonObject, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && !/^\d{1,15}$/.test(value)) return readTime(body, name)
  const number = readInteger(body, name, 0, longestTime)
  const instant = new Date(number > mostSeconds ? number : number * 1000)
  return instant.toISOString().replace('Z', '000Z')
}

/**
 * The question of AWS IoT whether a callback wants what a rule would send it (developer guide, "HTTP
 * action destinations"); undefined for anything else. It comes without the headers of the action.
 */
export function readConfirmation({ headers, body }: CallbackRequest): Confirmation | undefined {
  if (headers['x-amz-rules-engine-message-type'] !== 'DestinationConfirmation') return undefined
  if (!isObject(body) || body.messageType !== 'DestinationConfirmation') return undefined
  const { arn, enableUrl } = body
  if (typeof arn !== 'string' || typeof enableUrl !== 'string') return undefined
  return { kind: 'confirmation', details: { arn, enableUrl } }
}
