import type { RequestContext } from '../../http/endpoint.ts'
import { badRequest } from '../../http/errors.ts'
import { parseJson } from '../../http/read-json.ts'
import { isoTimeOf } from '../../http/timestamps.ts'
import type { Network } from '../../networks/network.ts'
import type { CallbackRequest, NetworkMessage } from '../../networks/network-message.ts'
import { readNoting } from '../../networks/read-noting.ts'
import type { CallbackServices } from './callback-services.ts'
import { deadlineFromNow, receiveMessages } from './receive-messages.ts'
import { type CallbackAccount, isProven } from './senders.ts'
import { isKnownToBeSigned } from './signatures.ts'

/** What a network sent to a callback. */
export interface ArrivedCall {
  network: Network
  message: Buffer
  headers: RequestContext['headers']
  /** On the clock of `performance.now()`. */
  deadline: number
  /** Parses the message, once. */
  read(): CallbackRequest
  /** `read` parses it again afterwards. */
  forget(): void
}

interface CallParts {
  network: Network
  /** The path after the account. */
  path: string
  message: Buffer
  request: Pick<RequestContext, 'headers' | 'sentQuery' | 'queryText'>
  now: Date
}

export function toArrivedCall({ network, path, message, request, now }: CallParts): ArrivedCall {
  let call: CallbackRequest | undefined
  return {
    network,
    message,
    headers: request.headers,
    deadline: deadlineFromNow(),
    read() {
      call ??= {
        path,
        query: request.sentQuery as Record<string, string | undefined>,
        sentQuery: request.queryText,
        // Node gives a list only for `set-cookie`, which no network sends. A copy of the headers would
        // cost time for each uplink.
        headers: request.headers as Record<string, string | undefined>,
        body: parseMessage(network, message),
        receivedAt: isoTimeOf(now),
      }
      return call
    },
    forget() {
      call = undefined
    },
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

/**
 * The account of a callback, where it is known from the last seconds and the headers prove its network
 * by what was known then.
 */
export function recallProven(
  { callbackAccounts, now }: CallbackServices,
  network: Network,
  uuid: string,
  headers: RequestContext['headers'],
): CallbackAccount | undefined {
  const account = callbackAccounts.recall(uuid)
  const isProof = account?.network === network.key && isProven(account, headers, now())
  return isProof ? account : undefined
}

/**
 * Stores a message of uplinks alone for an account that is known from the last seconds, as nearly all
 * are. The writer compares the secrets of the account when it stores them. Undefined where the
 * message has something else, or cannot be read or proven so.
 */
export function storeUplinksOf(
  account: CallbackAccount,
  call: ArrivedCall,
  services: CallbackServices,
): Promise<void> | undefined {
  const { network, message, deadline } = call
  const contents = readUplinks(call)
  if (!contents || !isKnownToBeSigned(network, account, call.read())) return undefined
  const { body } = call.read()
  // The collection of garbage would copy the parsed messages of all uplinks that wait for their batch.
  call.forget()
  const { version: proof } = account
  const way = 'callback'
  return receiveMessages(services, { account, way, contents, message, body, deadline, proof })
}

/** Undefined where the message has something else than uplinks, or cannot be read. */
function readUplinks(call: ArrivedCall): NetworkMessage[] | undefined {
  try {
    const contents = readNoting(() => call.network.readMessages(call.read()))
    return contents.length > 0 && contents.every(({ kind }) => kind === 'uplink')
      ? contents
      : undefined
  } catch {
    return undefined
  }
}
