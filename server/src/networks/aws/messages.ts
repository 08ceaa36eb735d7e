import { isObject, type JsonObject, readMilliseconds, readTime } from '../message-fields.ts'
import type { CallbackRequest, Confirmation } from '../network-message.ts'

/**
 * Reads a time as ISO 8601 in UTC with microseconds. AWS sends milliseconds (`timestamp()` of a
 * rule) or seconds ("Unix timestamp" of an event) since 1970, or ISO 8601. Undefined if there is
 * none that can be.
 */
export function readMoment(body: JsonObject, name: string): string | undefined {
  const value = body[name]
  const isText = typeof value === 'string' && !/^\d{1,15}$/.test(value)
  return isText ? readTime(body, name) : readMilliseconds(body, name)
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
