import { unauthenticated } from '../../http/errors.ts'
import type { Network } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import type { CallbackRequest } from '../../networks/network-message.ts'
import type { CallbackServices } from './callback-services.ts'
import type { CallbackAccount } from './senders.ts'

/** Answers 401 unless the message is signed by the account's key, where the network signs. */
export async function checkSignature(
  { connections }: CallbackServices,
  { checkSignature }: Network,
  account: CallbackAccount,
  call: CallbackRequest,
): Promise<void> {
  const values = await connections.readValues(account.id).catch(gone)
  const fault = checkSignature?.(call, values)
  if (fault !== undefined) throw unauthenticated(fault)
}

export function unproven() {
  return unauthenticated('The callback secret is missing or wrong.')
}

/** Answers 401 when the account was removed during the call. */
function gone(error: unknown): never {
  throw error instanceof NetworkError ? unproven() : error
}
