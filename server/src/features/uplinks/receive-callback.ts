import { z } from 'zod'
import { HttpError, notFound, unauthenticated, unavailable } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { findNetwork } from '../../networks/index.ts'
import { type NetworkMessage, NotOurMessage } from '../../networks/network.ts'
import { isSecretOf } from '../network-accounts/callback-secret.ts'
import { openEndpoint } from '../services.ts'
import { callbackHeader } from './callback-header.ts'
import { QueueFull } from './ingest-queue.ts'
import { receiveMessage } from './receive-message.ts'

/** The largest message of any network is a few kilobytes (facts of each network's folder). */
const largestMessage = 256 * 1024

/**
 * What networks call with their events. 2xx: everything in the message is stored. 401: the secret
 * is wrong. 4xx: it is not a message of this network. 503: try again.
 */
export const receiveCallback = openEndpoint({
  summary: 'Receive an event from a network',
  params: z.object(
    withExamples(
      { network: z.string(), account: z.string() },
      { network: 'chirpstack', account: '00000000-0000-4000-a000-000000000009' },
    ),
  ),
  query: z.object({
    // Checked by the network's adapter.
    event: z
      .unknown()
      .optional()
      .meta({
        type: 'string',
        description: 'Kind of the event; ChirpStack sends it.',
        examples: ['up'],
      }),
  }),
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
    },
  ],
  answer: z.object({ status: z.literal(true) }),
  rawBodyLimit: largestMessage,
  security: {
    name: 'callbackSecret',
    description: 'the secret of the network account, as `callback` of the account has it.',
    scheme: { type: 'apiKey', in: 'header', name: callbackHeader },
  },
  failures: [400, 401, 404, 413, 503],
  async handle({ params, body, request }, services) {
    const adapter = findNetwork(params.network)?.adapter
    if (!adapter) throw notFound('Network not found')
    const account = await services.connections.findCallbackAccount(params.account)
    const sent = request.headers[callbackHeader]
    const isRight =
      typeof sent === 'string' && account !== undefined && isSecretOf(account, sent, services.now())
    if (!isRight || account.network !== findNetwork(params.network)?.key) {
      throw unauthenticated('The callback secret is missing or wrong.')
    }
    const message = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    const query = request.sentQuery as Record<string, string | undefined>
    const content = readMessage(() => adapter.readMessage({ query, body: parse(message) }))
    await receiveMessage(services, { account, content, message }).catch(askToRepeat)
    return { status: true as const }
  },
})

function parse(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString('utf8'))
  } catch {
    throw new NotOurMessage('The message is not valid JSON.')
  }
}

function readMessage(read: () => NetworkMessage): NetworkMessage {
  try {
    return read()
  } catch (error) {
    if (error instanceof NotOurMessage) throw new HttpError(400, error.message)
    throw error
  }
}

function askToRepeat(error: unknown): never {
  throw error instanceof QueueFull ? unavailable(2) : error
}
