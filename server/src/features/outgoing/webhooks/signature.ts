import { createHmac, randomBytes } from 'node:crypto'

/**
 * Standard Webhooks (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md): the
 * headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, an HMAC-SHA256 of
 * `id.timestamp.body` under the bytes that follow `whsec_`.
 */

const prefix = 'whsec_'
/** The specification asks for 24 to 64. */
const secretBytes = 32

export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString('base64')
}

interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** The headers of a message. Each secret gives a signature: a receiver needs to know one of them. */
export function signMessage(
  { id, timestamp, body }: Signed,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
