import { z } from 'zod'
import { outlast } from '../../db/outlast.ts'
import { bodyLimits } from '../../http/body-limits.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { badRequest, notFound, unauthenticated, unavailable } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { parseJson } from '../../http/read-json.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import { findNetwork } from '../../networks/index.ts'
import { type NetworkAdapter, NetworkError } from '../../networks/network.ts'
import {
  type CallbackRequest,
  type NetworkMessage,
  NotOurMessage,
} from '../../networks/network-message.ts'
import type { SendingAccount } from '../connections/sending-account.ts'
import { answerDownlinkRequest } from '../downlinks/pulled-downlinks.ts'
import { QueueFull } from '../uplinks/arrival.ts'
import { callbackHeader, isProven } from './callback-header.ts'
import type { CallbackServices } from './callback-services.ts'
import {
  deadlineFromNow,
  partsOf,
  type ReceivedMessage,
  receiveMessage,
} from './receive-message.ts'

/** What the addresses of a callback have in common. */
export const callbackShape = {
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
  rawBodyLimit: bodyLimits.callback,
  async rootOf(
    { network = '', account = '' }: Record<string, string>,
    headers: RequestContext['headers'],
    { connections, now }: CallbackServices,
  ) {
    const known = await outlast(deadlineFromNow(), () => connections.findCallbackAccount(account))
    const address = { network: findNetwork(network)?.key ?? '', account }
    return known && isProven(known, address, headers, now()) ? known.rootId : 0
  },
  failures: [400, 401, 404, 413, 503],
} as const

/** The account in the address of a callback. */
export const callbackParams = withExamples(
  { network: z.string(), account: z.string() },
  { network: 'chirpstack', account: '00000000-0000-4000-a000-000000000009' },
)

/** Where a network called: its key, the account's UUID, and what it put behind that. */
export interface CallbackAddress {
  network: string
  account: string
  /** With its slash, or empty. */
  path: string
}

/**
 * Takes what a network sends; resolves when everything in it is stored, with what the network
 * finds in the answer.
 */
export async function takeCallback(
  address: CallbackAddress,
  message: Buffer,
  request: RequestContext,
  services: CallbackServices,
): Promise<Record<string, unknown> | undefined> {
  const network = findNetwork(address.network)
  if (!network?.adapter) throw notFound('Network not found')
  // Node gives a list for `set-cookie` alone, which no network sends; a copy would cost each uplink.
  const headers = request.headers as Record<string, string | undefined>
  const deadline = deadlineFromNow()
  const account = await outlast(deadline, () =>
    services.connections.findCallbackAccount(address.account),
  )
  const isRight =
    account !== undefined &&
    isProven(account, { ...address, network: network.key }, headers, services.now())
  const toCall = (): CallbackRequest => ({
    path: address.path,
    query: request.sentQuery as Record<string, string | undefined>,
    sentQuery: request.queryText,
    headers,
    body: parseJson(message),
    receivedAt: isoTimeOf(services.now()),
  })
  if (!isRight || account.network !== network.key) {
    if (account?.network !== network.key) throw unproven()
    const { adapter } = network
    return outlast(deadline, () => answerQuestion(services, adapter, account, toCall))
  }
  // Before the message is read, which costs more than to refuse it.
  await services.ingest.checkRoom(account.rootId).catch(askToRepeat)
  const call = toCall()
  const { adapter } = network
  await outlast(deadline, () => checkSignature(services, adapter, account, call))
  const contents = readMessages(network.adapter, call)
  services.signsOfLife.note(account.id)
  const parts = partsOf(message, call.body, contents.length)
  const answers = await Promise.all(
    contents.map((content, at) =>
      receive(services, { account, content, message: parts[at] ?? message, deadline }),
    ),
  ).catch(askToRepeat)
  // A network that fetches its downlinks takes any body for one.
  if (network.adapter.capabilities.downlinks === 'pushed') return { status: true }
  return answers.find((answer) => answer !== undefined)
}

/** A network that does not know the secret yet may ask whether the callback is ours, and no more. */
async function answerQuestion(
  services: CallbackServices,
  { readConfirmation }: NetworkAdapter,
  account: SendingAccount,
  toCall: () => CallbackRequest,
): Promise<Record<string, unknown>> {
  const question = readConfirmation?.(toCall())
  if (!question) throw unproven()
  await confirm(services, account, question.details)
  return { status: true }
}

function unproven() {
  return unauthenticated('The callback secret is missing or wrong.')
}

/** The account was removed while its network called. */
function gone(error: unknown): never {
  throw error instanceof NetworkError ? unproven() : error
}

async function checkSignature(
  { connections }: CallbackServices,
  adapter: NetworkAdapter,
  account: SendingAccount,
  call: CallbackRequest,
): Promise<void> {
  if (!adapter.checkSignature) return
  const values = await connections.readValues(account.id).catch(gone)
  const fault = adapter.checkSignature(call, values)
  if (fault !== undefined) throw unauthenticated(fault)
}

/** What the network finds in the answer, where it asked for something. */
async function receive(
  services: CallbackServices,
  received: ReceivedMessage,
): Promise<Record<string, unknown> | undefined> {
  const { account, content, deadline } = received
  if (content.kind === 'downlink_request') {
    const { ingestDb, now } = services
    return outlast(deadline, () => answerDownlinkRequest({ db: ingestDb, now }, account, content))
  }
  if (content.kind === 'confirmation') {
    await outlast(deadline, () => confirm(services, account, content.details))
  } else {
    if (content.kind === 'uplink') services.uplinkTimes.note(account.id, 'callback')
    await receiveMessage(services, received)
  }
  return undefined
}

async function confirm(
  { connections }: CallbackServices,
  account: SendingAccount,
  details: Record<string, string>,
): Promise<void> {
  try {
    const connection = await connections.open(account.id)
    await connection.confirmCallback?.(details)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const isPassing = error.kind === 'unreachable' || error.kind === 'slow_down'
    throw isPassing ? unavailable(2) : badRequest(error.message)
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
