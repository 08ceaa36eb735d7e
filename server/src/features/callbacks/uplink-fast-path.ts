import { parse as parseQuery } from 'node:querystring'
import type { FastPath, PostHead } from '../../http/fast-path.ts'
import { largeMessage } from '../../http/request-shares.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Network } from '../../networks/network.ts'
import { Outdated } from '../uplinks/outdated.ts'
import type { CallbackServices } from './callback-services.ts'
import { recallProven, storeUplinksOf, toArrivedCall } from './known-uplinks.ts'
import type { CallbackAccount } from './senders.ts'
import { refusalOf } from './take-callback.ts'

interface FastPathOptions extends Pick<FastPath<unknown>, 'everyAnswer'> {
  /** `/v1`. */
  basePath: string
}

/** A call of a network that is known from the last seconds, with the right secret. */
interface KnownCall {
  network: Network
  account: CallbackAccount
  path: string
  queryText: string
  headers: PostHead['headers']
}

/**
 * The fast path of uplinks: small messages to a callback, of an account that is known from the last
 * seconds, to which nothing but `{"status":true}` is answered. All else is left to `receiveCallback`,
 * which does the same and more: an unknown account, a wrong secret, another event, what is refused,
 * and each error.
 */
export function createUplinkFastPath(
  services: CallbackServices,
  { basePath, everyAnswer }: FastPathOptions,
): FastPath<KnownCall> {
  const address = new RegExp(
    `^${basePath}/callbacks/([a-z_]+)/([0-9a-f-]{36})(/[\\w-]{1,64})?(?:\\?(.*))?$`,
  )

  function find({ url, headers }: PostHead): KnownCall | undefined {
    if (services.tracer.isOn || headers['content-encoding'] !== undefined) return undefined
    const [, key = '', uuid = '', path = '', queryText = ''] = address.exec(url) ?? []
    const network = findNetwork(key)
    // With `pulled`, the answer is the next downlink.
    if (!network || network.capabilities.downlinks === 'pulled') return undefined
    const account = recallProven(services, network, uuid, headers)
    if (!account || !services.ingest.hasRoom(account)) return undefined
    return { network, account, path, queryText, headers }
  }

  /** Of the last message: most networks send the same query each time. */
  let query = { text: '', parsed: parseQuery('') }

  function store(known: KnownCall, message: Buffer): Promise<void> | undefined {
    const { network, account, path, queryText, headers } = known
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

  return {
    prefix: `${basePath}/callbacks/`,
    largestBody: largeMessage,
    find,
    store,
    refusalOf: (error) => (error instanceof Outdated ? undefined : refusalOf(error)),
    answer: JSON.stringify({ status: true }),
    everyAnswer,
  }
}
