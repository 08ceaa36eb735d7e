import { createHmac, randomBytes } from 'node:crypto'
import { Agent, type Dispatcher, request } from 'undici'
import { plainReason } from '../../../networks/error-words.ts'
import { NetworkError } from '../../../networks/network-error.ts'
import type { Outside } from '../../../networks/outside.ts'

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

/** What became of one attempt. */
export interface Attempt {
  at: Date
  isDelivered: boolean
  /** Undefined where the receiver did not answer. */
  status: number | undefined
  durationMs: number
  /** The beginning of the answer, or why there is none. */
  answer: string
  /** The receiver asks for a pause. */
  retryAfterMs: number | undefined
}

export interface Message {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}

/** Sends messages to receivers. */
export interface Poster {
  post(message: Message, at: Date): Promise<Attempt>
  close(): Promise<void>
}

/** Of an attempt as a whole, in milliseconds. */
const deadline = 10_000
/** What is read of an answer. The rest is not waited for. */
const mostBytes = 2048
const longestAnswer = 200
const longestRetryAfter = 60 * 60 * 1000

/**
 * Redirects are not followed, and the address is checked when the connection is made. The agent has
 * no limit of connections: portions are limited, so no webhook waits for another one's receiver.
 */
export function createPoster({ outside }: { outside: Outside }): Poster {
  const agent = new Agent({
    connect: { lookup: outside.lookup, timeout: 5_000 },
    pipelining: 1,
    keepAliveTimeout: 4_000,
  })
  return {
    async post(message, at) {
      const start = performance.now()
      const done = await send(agent, outside, message)
      return { at, durationMs: Math.round(performance.now() - start), ...done }
    },
    close: () => agent.destroy(),
  }
}

type Done = Pick<Attempt, 'isDelivered' | 'status' | 'answer' | 'retryAfterMs'>

async function send(
  dispatcher: Dispatcher,
  outside: Outside,
  { url, headers, body }: Message,
): Promise<Done> {
  try {
    outside.check(new URL(url))
    const response = await request(url, {
      method: 'POST',
      dispatcher,
      signal: AbortSignal.timeout(deadline),
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    const { statusCode: status } = response
    const isDelivered = status >= 200 && status < 300
    const text = await readBeginning(response.body)
    const isRedirect = status >= 300 && status < 400
    return {
      isDelivered,
      status,
      answer: isRedirect ? 'Redirects are not followed.' : text,
      retryAfterMs: readRetryAfter(response.headers['retry-after']),
    }
  } catch (error) {
    return {
      isDelivered: false,
      status: undefined,
      answer: explain(error),
      retryAfterMs: undefined,
    }
  }
}

/** An answer that breaks off or lasts too long says no more than its status. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= mostBytes) break
    }
  } catch {
    // The status is there already.
  }
  const text = Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8')
  return toLine(text)
}

/** Text that the database holds, on one line. */
export function toLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const line = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
  return line.slice(0, longestAnswer).toWellFormed()
}

function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const seconds = typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : 0
  return seconds > 0 ? Math.min(seconds * 1000, longestRetryAfter) : undefined
}

function explain(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof NetworkError ? error.cause : error
  if (cause instanceof NetworkError) return cause.message
  const { code, message, name }: Partial<Error & { code: string }> = Object(cause)
  if (name === 'TimeoutError' || name === 'AbortError') {
    return `There was no answer within ${deadline / 1000} seconds.`
  }
  return toLine(
    `The receiver could not be reached: ${plainReason(message || code || 'no reason')}.`,
  )
}
