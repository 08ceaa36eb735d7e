import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import { findUnreadable } from '../../http/error-handler.ts'
import { readBody, type TakeRequest } from '../../http/fast-path.ts'
import { largeMessage } from '../../http/request-shares.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Network } from '../../networks/network.ts'
import { Outdated } from '../uplinks/outdated.ts'
import type { CallbackServices } from './callback-services.ts'
import { recallProven, storeUplinksOf, toArrivedCall } from './known-uplinks.ts'
import type { CallbackAccount } from './senders.ts'
import { refusalOf } from './take-callback.ts'

interface FastPathOptions {
  /** `/v1`. */
  basePath: string
  /** The headers of every answer with this id. */
  everyAnswer(id: string): Record<string, string>
}

/** A call of a network that is known from the last seconds, with the right secret. */
interface KnownCall {
  network: Network
  account: CallbackAccount
  path: string
  queryText: string
}

const answer = JSON.stringify({ status: true })

/**
 * The fast path of uplinks: small messages to a callback, of an account that is known from the last
 * seconds, to which nothing but `{"status":true}` is answered. All else is left to `receiveCallback`,
 * which does the same and more: an unknown account, a wrong secret, another event, what is refused,
 * and each error.
 */
export function createUplinkFastPath(
  services: CallbackServices,
  { basePath, everyAnswer }: FastPathOptions,
): TakeRequest {
  const address = new RegExp(
    `^${basePath}/callbacks/([a-z_]+)/([0-9a-f-]{36})(/[\\w-]{1,64})?(?:\\?(.*))?$`,
  )

  function find({ url = '', headers }: IncomingMessage): KnownCall | undefined {
    const [, key = '', uuid = '', path = '', queryText = ''] = address.exec(url) ?? []
    const network = findNetwork(key)
    // With `pulled`, the answer is the next downlink.
    if (!network || network.capabilities.downlinks === 'pulled') return undefined
    const account = recallProven(services, network, uuid, headers)
    return account && { network, account, path, queryText }
  }

  /** Of the last message: most networks send the same query each time. */
  let query = { text: '', parsed: parseQuery('') }

  function store(
    { network, account, path, queryText }: KnownCall,
    message: Buffer,
    headers: IncomingHttpHeaders,
  ): Promise<void> | undefined {
    if (query.text !== queryText) query = { text: queryText, parsed: parseQuery(queryText) }
    const request = { headers, sentQuery: query.parsed, queryText }
    const call = toArrivedCall({ network, path, message, request, now: services.now() })
    try {
      return storeUplinksOf(account, call, services)
    } catch {
      // The endpoint meets the same error, and answers it.
      return undefined
    }
  }

  function acknowledge(response: ServerResponse): void {
    response.writeHead(200, {
      ...everyAnswer(randomUUID()),
      'content-type': 'application/json; charset=utf-8',
      'content-length': answer.length,
    })
    response.end(answer)
  }

  return (request, response, handOver) => {
    if (!isSmallPost(request) || services.tracer.isOn) return false
    const call = find(request)
    if (!call || !services.ingest.hasRoom(call.account.rootId)) return false
    if (findUnreadable(request)) return false
    readBody(request, (message) => {
      const storing = store(call, message, request.headers)
      if (!storing) return handOver(request, response, message)
      storing.then(
        () => acknowledge(response),
        (error: unknown) =>
          handOver(request, response, error instanceof Outdated ? message : refusalOf(error)),
      )
    })
    return true
  }
}

/** Whether the whole body is announced and no larger than the message of one device. */
function isSmallPost({ method, headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'])
  return method === 'POST' && length > 0 && length <= largeMessage
}
