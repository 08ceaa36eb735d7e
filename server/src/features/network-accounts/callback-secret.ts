import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** The secret by which a network proves that a callback comes from it: 256 random bits. */
export function newCallbackSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOfSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** What is kept of an account's secrets: the present one, and for a day the one before it. */
export interface CallbackHashes {
  callbackHash: Buffer
  previousHash: Buffer | null
  /** Milliseconds since 1970. */
  previousUntil: number | null
}

/** Whether `sent` is a secret of the account that is valid at `now`; in constant time. */
export function isSecretOf(account: CallbackHashes, sent: string, now: Date): boolean {
  const sentHash = hashOfSecret(sent)
  if (timingSafeEqual(sentHash, account.callbackHash)) return true
  if (account.previousHash === null || account.previousUntil === null) return false
  return now.getTime() < account.previousUntil && timingSafeEqual(sentHash, account.previousHash)
}
