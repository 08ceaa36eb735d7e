import { z } from 'zod'
import { outlastInTime } from '../../db/outlast.ts'
import { messageEndpoint, openEndpoint } from '../../features/core-services.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { bodyLimits } from '../../http/endpoint.ts'
import { withExamples } from '../../http/examples.ts'
import type { CallbackServices } from './callback-services.ts'
import { deadlineFromNow } from './receive-messages.ts'
import { callbackHeader, isProven } from './senders.ts'
import { takeCallback } from './take-callback.ts'

/** The common parts of the two endpoints for callbacks. */
const callbackShape = {
  query: z.object({
    // Checked by `readMessages` of the network.
    event: z
      .unknown()
      .optional()
      .meta({
        type: 'string',
        description: 'Kind of the event; ChirpStack sends it.',
        examples: ['up'],
      }),
  }),
  security: {
    name: 'callbackSecret',
    description:
      'the secret of the network account. `callback` of the account says in which header: in this one, but for networks that need another one.',
    scheme: { type: 'apiKey', in: 'header', name: callbackHeader },
  },
  examples: [
    {
      name: 'uplink of ChirpStack',
      body: {
        deduplicationId: '00000000-0000-4000-a000-00000000000a',
        time: '2026-03-01T11:59:07.775023+00:00',
        deviceInfo: { devEui: '00aa000000000001' },
        dr: 5,
        fPort: 2,
        fCnt: 10,
        data: 'GgMB',
        rxInfo: [{ gatewayId: '00aa0000000000f1', rssi: -36, snr: 10.5 }],
        txInfo: { frequency: 867100000 },
      },
      answer: { status: true },
    },
  ],
  answer: z.looseObject({ status: z.literal(true).optional() }),
  mayBeEmpty: true,
  bodyLimit: bodyLimits.callback,
  async userOf(
    { account: uuid = '' }: Record<string, string>,
    headers: RequestContext['headers'],
    { callbackAccounts, now }: CallbackServices,
  ) {
    const account = await outlastInTime(deadlineFromNow(), () => callbackAccounts.find(uuid))
    return account && isProven(account, headers, now()) ? account : undefined
  },
  failures: [400, 401, 404, 413, 503],
} as const

/** The parameters in the address of a callback. */
const callbackParams = withExamples(
  { network: z.string(), account: z.string() },
  { network: 'chirpstack', account: '00000000-0000-4000-a000-000000000009' },
)

/**
 * The endpoint that networks call with their events. 2xx: everything in the message is stored. 401:
 * the secret is wrong. Other 4xx: it is not a message of this network. 503: try again.
 */
export const receiveCallback = messageEndpoint({
  ...callbackShape,
  summary: 'Receive an event from a network',
  description:
    'A network that fetches its downlinks finds the next one in the answer, or no content.',
  params: z.object(callbackParams),
  handle: ({ params, message, request }, services: CallbackServices) =>
    takeCallback({ address: { ...params, path: '' }, message, request }, services),
})

/** For networks that append the kind of the event to the address. */
export const receiveNamedCallback = messageEndpoint({
  ...callbackShape,
  summary: 'Receive an event from a network, its kind in the address',
  params: z.object({
    ...callbackParams,
    ...withExamples({ event: z.string().max(64) }, { event: 'up' }),
  }),
  handle: ({ params, message, request }, services: CallbackServices) =>
    takeCallback({ address: { ...params, path: `/${params.event}` }, message, request }, services),
})

/** Some networks check that a callback exists before they use it, and again from time to time. */
export const answerHealthCheck = openEndpoint({
  summary: 'Tell a network that a callback is there',
  params: z.object(callbackParams),
  status: 204,
  async handle() {},
})
