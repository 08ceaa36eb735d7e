import { ApiError, ConnectionError, errorOf, TimeoutError } from './errors.ts'

/** How to reach the service, and how patiently. */
export interface ClientOptions {
  /** Where the service is, without `/v1`: `https://lora.example.com`. */
  url: string
  /** An API key (`lfc_...`), or the token of a login; a function is asked before each request. */
  key: string | (() => string | Promise<string>)
  /** Id of the organization. A token needs it; an API key has its own. */
  organization?: number | undefined
  /** Milliseconds until an answer must be there, for each try: 30,000 by default. */
  timeout?: number | undefined
  /** Further tries after the first one if that is safe: 3 by default. */
  retries?: number | undefined
  /** The longest pause before a further try, in milliseconds: 30,000 by default. */
  longestPause?: number | undefined
  /** In place of the global `fetch`. */
  fetch?: typeof fetch | undefined
}

/** What a single call may have of its own. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  timeout?: number | undefined
  retries?: number | undefined
  /** In place of one that is made up. The same key makes the service repeat its first answer. */
  idempotencyKey?: string | undefined
}

/**
 * Whether a request may be sent again without knowing what became of the first one: it only reads;
 * it carries an `Idempotency-Key`; or never.
 */
export type Repeat = 'safe' | 'keyed' | 'never'

/** An operation of the API. */
export interface Endpoint {
  method: string
  /** Below `/v1`, such as `/devices/{device_id}`. */
  path: string
  repeat: Repeat
  /** The answer is a stream, and is returned as a `Response`. */
  isStream?: boolean
}

/** Parameters of path and query by name, and the body. */
export type Input = Record<string, unknown>

export type Send = (endpoint: Endpoint, input?: Input, options?: CallOptions) => Promise<unknown>

/** Milliseconds before the second try; each further pause is twice as long. */
const firstPause = 500

/** Returns what calls operations: JSON is parsed, other answers are text, and failures are thrown. */
export function createSender(client: ClientOptions): Send {
  return async (endpoint, input = {}, options = {}) => {
    const { signal } = options
    const request = prepare(client, endpoint, input, options)
    const tries = 1 + (endpoint.repeat === 'never' ? 0 : (options.retries ?? client.retries ?? 3))
    const longest = client.longestPause ?? 30_000
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted()
      try {
        return await sendOnce(client, endpoint, request, options)
      } catch (error) {
        const pause = attempt < tries ? pauseAfter(error, attempt, longest) : undefined
        if (pause === undefined) throw error
        await wait(pause, signal)
      }
    }
  }
}

interface Prepared {
  address: string
  headers: Record<string, string>
  body: string | undefined
}

function prepare(
  { url, organization }: ClientOptions,
  { path, repeat }: Endpoint,
  { body, ...parameters }: Input,
  { idempotencyKey }: CallOptions,
): Prepared {
  const query = new URLSearchParams()
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  for (const [name, value] of Object.entries(parameters)) {
    if (!inPath.has(name) && value !== undefined && value !== null) query.set(name, String(value))
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (value === undefined || value === '') throw new TypeError(`${name} is missing.`)
    return encodeURIComponent(String(value))
  })
  const text = query.toString()
  return {
    address: `${url.replace(/\/+$/, '')}/v1${filled}${text === '' ? '' : `?${text}`}`,
    headers: {
      accept: 'application/json',
      ...(organization === undefined ? {} : { organization: String(organization) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(repeat === 'keyed' ? { 'idempotency-key': idempotencyKey ?? makeKey() } : {}),
    },
    body: JSON.stringify(body),
  }
}

/** `randomUUID` would need a page that came by TLS. */
function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function sendOnce(
  client: ClientOptions,
  { method, isStream }: Endpoint,
  { address, headers, body }: Prepared,
  { signal, timeout = client.timeout ?? 30_000 }: CallOptions,
): Promise<unknown> {
  const key = typeof client.key === 'function' ? await client.key() : client.key
  const timer = new AbortController()
  const clock = setTimeout(() => timer.abort(), timeout)
  try {
    const response = await (client.fetch ?? fetch)(address, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}` },
      signal: signal ? AbortSignal.any([signal, timer.signal]) : timer.signal,
      ...(body === undefined ? {} : { body }),
    })
    if (isStream && response.ok) return response
    const content = await readContent(response)
    if (!response.ok) throw errorOf(response, content)
    return content
  } catch (error) {
    if (error instanceof ApiError) throw error
    signal?.throwIfAborted()
    if (timer.signal.aborted) throw new TimeoutError('No answer came in time.', { status: 0 })
    throw new ConnectionError('The service does not answer.', { status: 0, cause: error })
  } finally {
    clearTimeout(clock)
  }
}

async function readContent(response: Response): Promise<unknown> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('application/json') ?? false
  if (text === '') return undefined
  if (!isJson) return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConnectionError('The answer is not complete.', { status: response.status, cause })
  }
}

const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Milliseconds until the next try; undefined if none makes sense. */
function pauseAfter(error: unknown, attempt: number, longest: number): number | undefined {
  if (!(error instanceof ApiError)) return undefined
  // 409 with a time: the first request of the same Idempotency-Key is still being handled.
  const isBusy = error.status === 409 && error.retryAfter !== undefined
  if (!(error instanceof ConnectionError) && !passing.has(error.status) && !isBusy) return undefined
  if (error.retryAfter !== undefined) {
    const asked = error.retryAfter * 1000
    return asked > longest ? undefined : asked
  }
  // Clients that were cut off together come back one by one.
  return Math.min(longest, firstPause * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
