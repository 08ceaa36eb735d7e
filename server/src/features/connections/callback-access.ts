import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The secret by which a network proves that a callback comes from it: 256 random bits. */
export function newCallbackSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOfSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** What is kept of an account's secrets: the present one, and those that are still valid beside it. */
export interface CallbackHashes {
  callbackHash: Buffer
  /** Until when in milliseconds since 1970. */
  former: readonly { hash: Buffer; until: number }[]
}

/** Whether `sent` is a secret of the account that is valid at `now`; each compared in constant time. */
export function isSecretOf(account: CallbackHashes, sent: string, now: Date): boolean {
  const sentHash = hashOfSecret(sent)
  if (timingSafeEqual(sentHash, account.callbackHash)) return true
  return account.former.some(
    ({ hash, until }) => now.getTime() < until && timingSafeEqual(sentHash, hash),
  )
}
