import { z } from 'zod'
import { withExamples } from '../../http/examples.ts'
import { openEndpoint } from '../core-services.ts'
import type { CallbackServices } from './callback-services.ts'
import { callbackParams, callbackShape, takeCallback } from './take-callback.ts'

/**
 * What networks call with their events. 2xx: everything in the message is stored. 401: the secret
 * is wrong. 4xx: it is not a message of this network. 503: try again.
 */
export const receiveCallback = openEndpoint({
  ...callbackShape,
  summary: 'Receive an event from a network',
  description:
    'A network that fetches its downlinks finds the next one in the answer, or no content.',
  params: z.object(callbackParams),
  handle: ({ params, body, request }, services: CallbackServices) =>
    takeCallback({ ...params, path: '' }, bytesOf(body), request, services),
})

/** For networks that put the kind of the event behind the address. */
export const receiveNamedCallback = openEndpoint({
  ...callbackShape,
  summary: 'Receive an event from a network, its kind in the address',
  params: z.object({
    ...callbackParams,
    ...withExamples({ event: z.string().max(64) }, { event: 'up' }),
  }),
  handle: ({ params, body, request }, services: CallbackServices) =>
    takeCallback({ ...params, path: `/${params.event}` }, bytesOf(body), request, services),
})

function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}
