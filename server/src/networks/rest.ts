import { Agent, type Dispatcher, FormData, request } from 'undici'
import { plainReason, readWords } from './error-words.ts'
import { NetworkError, type ReadError, readFailedAnswer } from './network-error.ts'
import type { Outside } from './outside.ts'
import { callInPace } from './pace.ts'

/** One call of a network's HTTP API. */
export interface RestCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** After the base address, with its slash. Values from outside must be encoded. */
  path: string
  query?: Record<string, string | number | boolean>
  headers?: Record<string, string>
  /** Sent as JSON, unless it is a form. */
  body?: object | URLSearchParams | FormData
}

export interface RestAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** Parsed JSON, or the text if it is none. */
  body: unknown
}

/** A call that the network answered with a status of 4xx. */
export class RefusedCall extends NetworkError {
  readonly status: number
  /** Parsed JSON, or the text if it is none. */
  readonly body: unknown

  constructor(
    { kind, message, ...details }: ReadError,
    { status, body }: Pick<RestAnswer, 'status' | 'body'>,
  ) {
    super(kind, message, details)
    this.status = status
    this.body = body
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof RefusedCall && error.status === 404
}

/** What a call gives; undefined if the network answers that it has no such thing. */
export async function allowMissing<Answer>(
  call: Promise<Answer>,
  isNone = isMissing,
): Promise<Answer | undefined> {
  try {
    return await call
  } catch (error) {
    if (isNone(error)) return undefined
    throw error
  }
}

/** Whether the network said no to what it was asked, rather than to the account. */
export function isRefusal(error: unknown): error is RefusedCall {
  return error instanceof RefusedCall && error.kind === 'refused'
}

export interface RestOptions {
  /** The network's name, for messages. */
  name: string
  /** `https://host`, with a path where the API has one. */
  base: string
  /** Sent with every call: the authorization, as a rule. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>
  outside: Outside
  /** Never repeated in a message, even if the network repeats them. */
  secrets: readonly string[]
  /** Finds the network's own words in the body of an error. */
  explain?: (body: unknown) => string | undefined
  /** For each call as a whole. */
  deadlineMs?: number
}

export interface RestClient {
  /** Resolves with a 2xx. Throws `RefusedCall` or another `NetworkError`. */
  call(call: RestCall): Promise<RestAnswer>
  close(): void
}

const defaultDeadlineMs = 5_000
const longestAnswer = 4 * 1024 * 1024
const longestExplanation = 500

/** Opens nothing by itself: the first call does. Redirects are not followed. */
export function openRest(options: RestOptions): RestClient {
  const agent = new Agent({
    connect: { lookup: options.outside.lookup, timeout: defaultDeadlineMs },
    // For one account and host: enough to be quick, without flooding the network.
    connections: 8,
    pipelining: 1,
  })
  return {
    async call(call) {
      const url = new URL(options.base.replace(/\/+$/, '') + call.path)
      for (const [name, value] of Object.entries(call.query ?? {})) {
        url.searchParams.set(name, String(value))
      }
      options.outside.check(url)
      const common = (await options.headers?.()) ?? {}
      const whole = { ...call, headers: { ...common, ...call.headers } }
      return callInPace(options.outside.pace, async () => {
        const answer = await send(agent, url, whole, options)
        if (answer.status >= 200 && answer.status < 300) return answer
        throw toError(answer, url, options)
      })
    },
    close: () => void agent.destroy(),
  }
}

async function send(
  dispatcher: Dispatcher,
  url: URL,
  { method, headers, body }: RestCall,
  options: RestOptions,
): Promise<RestAnswer> {
  const deadline = options.deadlineMs ?? defaultDeadlineMs
  const isForm = body instanceof FormData
  const isQuery = body instanceof URLSearchParams
  const type = isQuery ? 'application/x-www-form-urlencoded' : 'application/json'
  try {
    const response = await request(url, {
      method,
      dispatcher,
      signal: AbortSignal.timeout(deadline),
      headers: {
        accept: 'application/json',
        ...(body && !isForm ? { 'content-type': type } : {}),
        ...headers,
      },
      ...(body ? { body: isForm ? body : isQuery ? body.toString() : JSON.stringify(body) } : {}),
    })
    const text = await readText(response.body)
    return { status: response.statusCode, headers: response.headers, body: parse(text) }
  } catch (error) {
    throw toUnreachable(error, { ...options, host: url.host })
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > longestAnswer) throw new Error('its answer is longer than 4 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The call never reached the network, or was turned away before anything was done. */
const undoneCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** What became of a call to which no answer came. */
export function toUnreachable(
  error: unknown,
  { name, host, secrets }: { name: string; host: string; secrets: readonly string[] },
): NetworkError {
  // A refusal of the outside comes wrapped.
  const cause = error instanceof Error && error.cause instanceof NetworkError ? error.cause : error
  if (cause instanceof NetworkError) return cause
  const { code, message, name: kind }: Partial<Error & { code: string }> = Object(cause)
  const isLate = kind === 'TimeoutError' || kind === 'AbortError'
  const reason = isLate
    ? 'it did not answer in time'
    : redact(plainReason(message || code || 'no reason'), secrets)
  const words = `${name} at ${host} could not be reached: ${reason}.`
  // A call that nobody has read says nothing about its device or gateway.
  const isUnread = undoneCodes.has(code ?? '')
  return new NetworkError(
    'unreachable',
    words,
    isUnread ? { isUndone: true, about: 'account' } : {},
  )
}

function toError(answer: RestAnswer, url: URL, options: RestOptions): NetworkError {
  const { name, secrets } = options
  const { status, headers } = answer
  const found = options.explain?.(answer.body) ?? readWords(answer.body)
  const words = found === undefined ? undefined : redact(found, secrets)
  const read = readFailedAnswer({ name, host: url.host, status, headers, words })
  if (status >= 400 && read.kind !== 'unreachable') return new RefusedCall(read, answer)
  return new NetworkError(read.kind, read.message, read)
}

/**
 * The words of a network as they may be passed on: without a full stop, and without secrets, plain
 * or as they are encoded in an address.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const clean = secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .reduce((words, secret) => words.replaceAll(secret, '[secret]'), text)
  return clean.trim().replace(/\.$/, '').slice(0, longestExplanation)
}
