import { findNetwork } from '../../networks/index.ts'

/** Header in which networks send the callback's secret, unless they can send it in one alone. */
export const callbackHeader = 'x-callback-secret'

export function callbackHeaderOf(networkKey: string): string {
  return findNetwork(networkKey)?.adapter?.callbackHeader ?? callbackHeader
}
