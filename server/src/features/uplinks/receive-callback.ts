import { z } from 'zod'
import { badRequest, notFound, unauthenticated, unavailable } from '../../http/errors.ts'
import { isoTime, momentOf } from '../../http/timestamps.ts'
import { findNetwork } from '../../networks/index.ts'
import { type NetworkAdapter, NetworkError } from '../../networks/network.ts'
import {
  type CallbackRequest,
  type NetworkMessage,
  NotOurMessage,
} from '../../networks/network-message.ts'
import { answerDownlinkRequest } from '../downlinks/pull.ts'
import { isSecretOf } from '../network-accounts/callback-secret.ts'
import { openEndpoint, type Services } from '../services.ts'
import { callbackHeader } from './callback-header.ts'
import { type CallbackAccount, QueueFull } from './ingest-queue.ts'
import { receiveMessage } from './receive-message.ts'

/** The largest message of any network is a few kilobytes (facts of each network's folder). */
const largestMessage = 256 * 1024

/**
 * What networks call with their events. 2xx: everything in the message is stored. 401: the secret
 * is wrong. 4xx: it is not a message of this network. 503: try again.
 */
export const receiveCallback = openEndpoint({
  summary: 'Receive an event from a network',
  description:
    'Some networks put the kind of the event behind the address. A network that fetches its downlinks finds the next one in the answer, or no content.',
  params: z.object({
    network: z.string(),
    account: z.string(),
    event: z.string().max(64).optional(),
  }),
  answer: z.looseObject({ status: z.literal(true).optional() }),
  mayBeEmpty: true,
  rawBodyLimit: largestMessage,
  failures: [400, 401, 404, 413, 503],
  async handle({ params, body, request }, services) {
    const network = findNetwork(params.network)
    if (!network?.adapter) throw notFound('Network not found')
    const account = await services.connections.findCallbackAccount(params.account)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
    )
    const isRight =
      account !== undefined && isSecretOf(account, headers[callbackHeader] ?? '', services.now())
    if (!isRight || account.network !== network.key) {
      throw unauthenticated('The callback secret is missing or wrong.')
    }
    const message = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    const call: CallbackRequest = {
      path: params.event === undefined ? '' : `/${params.event}`,
      query: request.sentQuery as Record<string, string | undefined>,
      sentQuery: request.queryText,
      headers,
      body: parse(message),
      receivedAt: isoTime(momentOf(services.now())),
    }
    await checkSignature(services, network.adapter, account, call)
    const contents = readMessages(network.adapter, call)
    const answers = await Promise.all(
      contents.map((content) => receive(services, { account, content, message })),
    ).catch(askToRepeat)
    const answer = answers.find((one) => one !== undefined)
    // Such a network takes any body for a downlink.
    if (network.adapter.capabilities.downlinks === 'pulled') return answer
    return { status: true as const }
  },
})

async function checkSignature(
  { connections }: Services,
  adapter: NetworkAdapter,
  account: CallbackAccount,
  call: CallbackRequest,
): Promise<void> {
  if (!adapter.checkSignature) return
  const values = await connections.readValues(account.id)
  const fault = adapter.checkSignature(call, values)
  if (fault !== undefined) throw unauthenticated(fault)
}

/** What the network finds in the answer, where it asked for something. */
async function receive(
  services: Services,
  received: { account: CallbackAccount; content: NetworkMessage; message: Buffer },
): Promise<Record<string, unknown> | undefined> {
  const { account, content } = received
  if (content.kind === 'downlink_request') return answerDownlinkRequest(services, account, content)
  if (content.kind === 'confirmation') await confirm(services, account, content.details)
  else await receiveMessage(services, received)
  return undefined
}

async function confirm(
  { connections }: Services,
  account: CallbackAccount,
  details: Record<string, string>,
): Promise<void> {
  try {
    const connection = await connections.open(account.id)
    await connection.confirmCallback?.(details)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    throw error.kind === 'unreachable' ? unavailable(2) : badRequest(error.message)
  }
}

function parse(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString('utf8'))
  } catch {
    throw badRequest('The message is not valid JSON.')
  }
}

function readMessages(adapter: NetworkAdapter, call: CallbackRequest): NetworkMessage[] {
  try {
    return adapter.readMessages(call)
  } catch (error) {
    if (error instanceof NotOurMessage) throw badRequest(error.message)
    throw error
  }
}

function askToRepeat(error: unknown): never {
  throw error instanceof QueueFull ? unavailable(2) : error
}
