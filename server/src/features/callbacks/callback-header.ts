import type { IncomingHttpHeaders } from 'node:http'
import { findNetwork } from '../../networks/index.ts'
import { type CallbackHashes, isSecretOf } from '../connections/callback-access.ts'

/** Header in which networks send the callback's secret, unless they need another one. */
export const callbackHeader = 'x-callback-secret'

/** The header of an account's callback, in lower case. */
export function callbackHeaderOf(networkKey: string, accountUuid: string): string {
  const adapter = findNetwork(networkKey)?.adapter
  if (adapter?.callbackHeader) return adapter.callbackHeader
  if (!adapter?.sharesHeaders) return callbackHeader
  return `${callbackHeader}-${accountUuid.slice(0, 8).toLowerCase()}`
}

/**
 * Whether a call to the account's callback comes with its secret. The header that all accounts once
 * had is good for every one of them: it may stand at a network still, entered by hand.
 */
export function isProven(
  account: CallbackHashes,
  { network, account: uuid }: { network: string; account: string },
  headers: IncomingHttpHeaders,
  now: Date,
): boolean {
  const isProof = (name: string) => {
    const sent = headers[name]
    return typeof sent === 'string' && isSecretOf(account, sent, now)
  }
  const own = callbackHeaderOf(network, uuid)
  if (isProof(own)) return true
  return findNetwork(network)?.adapter?.sharesHeaders === true && isProof(callbackHeader)
}
