import { z } from 'zod'
import { outlast, outlastInTime } from '../../db/outlast.ts'
import type { SendingAccount } from '../../features/accounts/connections/sending-account.ts'
import { messageEndpoint, openEndpoint } from '../../features/core-services.ts'
import { answerDownlinkRequest } from '../../features/downlinks/still-queue.ts'
import { bodyLimits, type MessageContext, type RequestContext } from '../../http/endpoint.ts'
import { badRequest, notFound, unauthenticated, unavailable } from '../../http/errors.ts'
import { withExamples } from '../../http/examples.ts'
import { parseJson } from '../../http/read-json.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Network } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import {
  type CallbackRequest,
  type Confirmation,
  type DownlinkRequest,
  type NetworkMessage,
  NotOurMessage,
} from '../../networks/network-message.ts'
import { readNoting } from '../../networks/uplink.ts'
import { QueueFull } from '../store/arrival.ts'
import { type CallbackServices, deadlineFromNow, receiveMessages } from './receive-messages.ts'
import { type CallbackAccount, callbackHeader, isProven } from './senders.ts'

/** Answers 401 unless the message is signed by the account's key, where the network signs. */
async function checkSignature(
  { connections }: CallbackServices,
  { checkSignature }: Network,
  account: CallbackAccount,
  call: CallbackRequest,
): Promise<void> {
  const values = await connections.readValues(account.id).catch(gone)
  const fault = checkSignature?.(call, values)
  if (fault !== undefined) throw unauthenticated(fault)
}

function unproven() {
  return unauthenticated('The callback secret is missing or wrong.')
}

/** Answers 401 when the account was removed during the call. */
function gone(error: unknown): never {
  throw error instanceof NetworkError ? unproven() : error
}

/** What a network sent to a callback. */
interface Call {
  /** Its key, the UUID of the account, and the rest of the path: begins with a slash, or is empty. */
  address: { network: string; account: string; path: string }
  message: Buffer
  request: MessageContext
}

/** The body of the answer to a network. */
type Answer = Record<string, unknown>

/**
 * Stores the message of a network. Resolves when everything in it is stored, with the answer for
 * the network.
 */
async function takeCallback(call: Call, services: CallbackServices): Promise<Answer | undefined> {
  const { network: key, account: uuid } = call.address
  const network = findNetwork(key)
  if (!network) throw notFound('Network not found')
  const deadline = deadlineFromNow()
  const account = await outlastInTime(deadline, () => services.callbackAccounts.find(uuid))
  if (account?.network !== network.key) throw unproven()
  const sender = { network, account, deadline }
  if (!isProven(account, call.request.headers, services.now())) {
    return outlast(deadline, () => answerQuestion(services, sender, call))
  }
  // Before the message is parsed, because parsing costs more than a refusal.
  if (!services.ingest.hasRoom(account)) await services.ingest.checkRoom(account).catch(askToRepeat)
  // The parsed message is not kept here: the collection of garbage would copy it while uplinks wait.
  const answers = await receiveCall(services, sender, call).catch(askToRepeat)
  return answerTo(network, answers)
}

/** The sender of a call, who has until `deadline` to get the answer. */
interface Sender {
  network: Network
  account: CallbackAccount
  deadline: number
}

/** Stores what a proven sender sent. Returns the answers to its questions. */
async function receiveCall(
  services: CallbackServices,
  { network, account, deadline }: Sender,
  call: Call,
): Promise<(Answer | undefined)[]> {
  const { message } = call
  const read = readCall(network, call, services.now())
  if (network.checkSignature) {
    await outlastInTime(deadline, () => checkSignature(services, network, account, read))
  }
  const contents = readContents(() => network.readMessages(read))
  const { body } = read
  return Promise.all([
    receiveMessages(services, { account, way: 'callback', contents, message, body, deadline }),
    ...contents
      .filter(isQuestion)
      .map((content) => outlast(deadline, () => answerContent(services, account, content))),
  ]).then(([, ...answers]) => answers)
}

function readCall(
  network: Network,
  { address, message, request }: Call,
  now: Date,
): CallbackRequest {
  return {
    path: address.path,
    query: request.sentQuery as CallbackRequest['query'],
    sentQuery: request.queryText,
    // Node gives a list only for `set-cookie`, which no network sends.
    headers: request.headers as CallbackRequest['headers'],
    body: parseMessage(network, message),
    receivedAt: isoTimeOf(now),
  }
}

/** @throws HttpError 400, which names the setting to change where the message is XML. */
function parseMessage({ jsonSetting }: Network, message: Buffer): unknown {
  try {
    return parseJson(message)
  } catch (error) {
    const isXml = /^\ufeff?\s*</.test(message.toString('utf8', 0, 100))
    throw jsonSetting && isXml ? badRequest(`The message is XML. ${jsonSetting}`) : error
  }
}

/** A network that fetches its downlinks reads any body as a downlink. */
function answerTo(
  { capabilities }: Network,
  answers: readonly (Answer | undefined)[],
): Answer | undefined {
  if (capabilities.downlinks !== 'pulled') return { status: true }
  return answers.find((answer) => answer !== undefined)
}

/**
 * Answers a request without the secret. A network that does not have the secret yet may only ask to
 * confirm the callback.
 */
async function answerQuestion(
  services: CallbackServices,
  { network, account }: Sender,
  call: Call,
): Promise<Answer> {
  const question = network.readConfirmation?.(readCall(network, call, services.now()))
  if (!question) throw unproven()
  await confirm(services, account, question.details)
  return { status: true }
}

function isQuestion(content: NetworkMessage): content is DownlinkRequest | Confirmation {
  return content.kind === 'downlink_request' || content.kind === 'confirmation'
}

async function answerContent(
  services: CallbackServices,
  account: SendingAccount,
  content: DownlinkRequest | Confirmation,
): Promise<Answer | undefined> {
  const { ingestDb: db, now } = services
  if (content.kind === 'downlink_request') {
    return answerDownlinkRequest({ db, now }, account, content)
  }
  await confirm(services, account, content.details)
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

/** Returns the contents that `read` finds. Answers 400 when it is not a message of its network. */
export function readContents(read: () => NetworkMessage[]): NetworkMessage[] {
  try {
    return readNoting(read)
  } catch (error) {
    throw error instanceof NotOurMessage ? badRequest(error.message) : error
  }
}

/** Answers 503 when the ingest queue has no room for the sender. */
export function askToRepeat(error: unknown): never {
  throw refusalOf(error)
}

/** The error that tells the sender of a message that it is not stored. */
export function refusalOf(error: unknown): unknown {
  return error instanceof QueueFull ? unavailable(2) : error
}

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
