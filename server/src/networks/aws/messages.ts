import { isObject, type JsonObject, readInteger, readTime } from '../message-fields.ts'
import type { CallbackRequest, Confirmation } from '../network-message.ts'

/**
 * A larger number is milliseconds: this is the year 2286 in seconds, and April 1970 in
 * milliseconds.
 */
const mostSeconds = 9_999_999_999
const longestTime = 253_402_300_799_999

/**
 * Reads a time as ISO 8601 in UTC with microseconds. AWS sends milliseconds (`timestamp()` of a
 * rule) or seconds ("Unix timestamp" of an event) since 1970, or ISO 8601.
 */
export function readMoment(body: JsonObject, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && !/^\d{1,15}$/.test(value)) return readTime(body, name)
  const number = readInteger(body, name, 0, longestTime)
  const instant = new Date(number > mostSeconds ? number : number * 1000)
  return instant.toISOString().replace('Z', '000Z')
}

/**
 * Reads the request of AWS IoT to confirm a callback before a rule sends anything there (developer
 * guide, "HTTP action destinations"); undefined for anything else. It comes without the headers of
 * the action.
 */
export function readConfirmation({ headers, body }: CallbackRequest): Confirmation | undefined {
  if (headers['x-amz-rules-engine-message-type'] !== 'DestinationConfirmation') return undefined
  if (!isObject(body) || body.messageType !== 'DestinationConfirmation') return undefined
  const { arn, enableUrl } = body
  if (typeof arn !== 'string' || typeof enableUrl !== 'string') return undefined
  return { kind: 'confirmation', details: { arn, enableUrl } }
}
