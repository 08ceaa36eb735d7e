import { isObject } from '../message-fields.ts'
import type { CallbackRequest, Confirmation } from '../network-message.ts'

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
