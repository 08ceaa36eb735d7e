import { outlast, outlastInTime } from '../../db/outlast.ts'
import type { RequestContext } from '../../http/endpoint.ts'
import { badRequest, notFound, unavailable } from '../../http/errors.ts'
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
import { readNoting } from '../../networks/read-noting.ts'
import type { SendingAccount } from '../connections/sending-account.ts'
import { answerDownlinkRequest } from '../downlinks/pulled-downlinks.ts'
import { QueueFull } from '../uplinks/arrival.ts'
import { Outdated } from '../uplinks/outdated.ts'
import type { CallbackServices } from './callback-services.ts'
import { type ArrivedCall, recallProven, storeUplinksOf, toArrivedCall } from './known-uplinks.ts'
import { receiveMessages } from './receive-messages.ts'
import { isProven } from './senders.ts'
import { checkSignature, unproven } from './signatures.ts'

/**
 * The parts of the URL that a network called: its key, the UUID of the account, and the rest of the
 * path.
 */
interface CallbackAddress {
  network: string
  account: string
  /** Begins with a slash, or is empty. */
  path: string
}

/** The body of the answer to a network. */
type Answer = Record<string, unknown>

/**
 * Stores the message of a network. Resolves when everything in it is stored, with the answer for
 * the network.
 */
export async function takeCallback(
  address: CallbackAddress,
  message: Buffer,
  request: RequestContext,
  services: CallbackServices,
): Promise<Answer | undefined> {
  const network = findNetwork(address.network)
  if (!network) throw notFound('Network not found')
  const { path } = address
  const call = toArrivedCall({ network, path, message, request, now: services.now() })
  const { deadline } = call
  if (await isTakenFromKnown(address.account, call, services)) return answerTo(network)
  const account = await outlastInTime(deadline, () =>
    services.callbackAccounts.find(address.account),
  )
  if (account?.network !== network.key) throw unproven()
  if (!isProven(account, request.headers, services.now())) {
    return outlast(deadline, () => answerQuestion(services, network, account, call.read))
  }
  // Before the message is parsed, because parsing costs more than a refusal.
  await services.ingest.checkRoom(account).catch(askToRepeat)
  const read = call.read()
  await outlastInTime(deadline, () => checkSignature(services, network, account, read))
  const contents = readContents(() => network.readMessages(read))
  const { body } = read
  const received = { account, way: 'callback', contents, message, body, deadline } as const
  const [, ...answers] = await Promise.all([
    receiveMessages(services, received),
    ...contents
      .filter(isQuestion)
      .map((content) => outlast(deadline, () => answerContent(services, account, content))),
  ]).catch(askToRepeat)
  return answerTo(network, answers)
}

/** A network that fetches its downlinks reads any body as a downlink. */
function answerTo(
  { capabilities }: Network,
  answers: readonly (Answer | undefined)[] = [],
): Answer | undefined {
  if (capabilities.downlinks !== 'pulled') return { status: true }
  return answers.find((answer) => answer !== undefined)
}

/**
 * Stores a message of uplinks alone without a look at the account, as nearly all are. The writer
 * compares the secrets of the account when it stores them. Returns false where the
 * account must be looked up.
 */
async function isTakenFromKnown(
  uuid: string,
  call: ArrivedCall,
  services: CallbackServices,
): Promise<boolean> {
  const account = recallProven(services, call.network, uuid, call.headers)
  if (!account) return false
  if (!services.ingest.hasRoom(account)) {
    await services.ingest.checkRoom(account).catch(askToRepeat)
  }
  const storing = storeUplinksOf(account, call, services)
  if (!storing) return false
  try {
    await storing
    return true
  } catch (error) {
    // Uplinks of the message that are stored already are found again by their keys.
    return error instanceof Outdated ? false : askToRepeat(error)
  }
}

/**
 * Answers a request without the secret. A network that does not have the secret yet may only ask to
 * confirm the callback.
 */
async function answerQuestion(
  services: CallbackServices,
  { readConfirmation }: Network,
  account: SendingAccount,
  read: () => CallbackRequest,
): Promise<Answer> {
  const question = readConfirmation?.(read())
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
