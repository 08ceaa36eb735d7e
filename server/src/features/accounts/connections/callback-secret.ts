import { hash, randomBytes } from 'node:crypto'

/** The secret by which a network proves that a callback comes from it: 256 random bits. */
export function newCallbackSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function hashOfSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** The URL to which the account's network sends its events. */
export function callbackUrlOf(
  publicUrl: string,
  { network, uuid }: { network: string; uuid: string },
): string {
  return `${publicUrl}/v1/callbacks/${network}/${uuid}`
}
