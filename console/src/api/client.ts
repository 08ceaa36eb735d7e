import { t, usedLanguage, type Values } from '../languages/text.ts'
import { takeEarlyAnswer } from './early-answer.ts'
import type { Operations } from './generated.ts'

export type Operation = keyof Operations
export type Answer<O extends Operation> = Operations[O]['answer']

/** The parts of a request: `path`, `query` and `body`, as far as the operation has them. */
export type RequestParts<O extends Operation> = Given<'path', Operations[O]['path']> &
  OptionalPart<'query', Operations[O]['query']> &
  Given<'body', Operations[O]['body']>

type Given<K extends string, T> = undefined extends T ? { [P in K]?: undefined } : Record<K, T>
type OptionalPart<K extends string, T> = { [P in K]?: T | undefined }

/** An answer that is no success. `status` 0 means that no answer came. */
export class ApiError extends Error {
  readonly status: number
  /** Messages by field, of a 422. */
  readonly errors: Record<string, string[]>
  /** Seconds after which to try again, if the service said so. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    errors: Record<string, string[]> = {},
    retryAfter?: number,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = errors
    this.retryAfter = retryAfter
  }
}

const unreachable = t(
  'The service does not answer. Check your connection; your input is still here.',
)

/** The path below which the service is reached, without a slash at the end. */
export const basePath =
  document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

let organizationId: number | undefined
let logInAgain: ((isAct: boolean) => Promise<void>) | undefined

/** Chooses the organization of all further requests. */
export function setRequestOrganization(id: number | undefined): void {
  organizationId = id
}

/**
 * Sets what is done when the session has ended: it resolves when the user has logged in again, and
 * rejects when they have not. The request is then sent once more. Its argument says whether the
 * request would change something.
 */
export function onSessionEnd(resume: ((isAct: boolean) => Promise<void>) | undefined): void {
  logInAgain = resume
}

/** The headers of every request. Forms of other sites cannot send the second one. */
export function requestHeaders(): Record<string, string> {
  return {
    accept: 'application/json',
    'x-requested-with': 'console',
    ...(organizationId === undefined ? {} : { organization: String(organizationId) }),
  }
}

interface CallOptions {
  signal?: AbortSignal | undefined
  /** A 401 is an answer like others, and not the end of the session. */
  isAnonymous?: boolean
  /** Of a POST: the same request, sent again under the same key, is done once. */
  idempotencyKey?: string | undefined
  headers?: Record<string, string>
}

/**
 * Calls an operation of the API, such as `GET /devices/{device_id}`, and returns its answer.
 *
 * @throws ApiError for every answer that is no success, and when none comes.
 */
export async function call<O extends Operation>(
  operation: O,
  parts: RequestParts<O>,
  { signal, isAnonymous = false, idempotencyKey, headers }: CallOptions = {},
): Promise<Answer<O>> {
  const all = {
    ...headers,
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
  const ask = () => send(operation, parts, signal, all)
  const response = await ask()
  if (response.status === 401 && logInAgain && !isAnonymous) {
    await logInAgain(!operation.startsWith('GET '))
    return readAnswer(operation, await ask()) as Promise<Answer<O>>
  }
  return readAnswer(operation, response) as Promise<Answer<O>>
}

/** The address of an operation on this host, with its path and query filled in. */
export function addressOf(
  operation: string,
  path: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const template = operation.slice(operation.indexOf(' ') + 1)
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return `${basePath}/v1${filled}${text ? `?${text}` : ''}`
}

interface Parts {
  path?: unknown
  query?: unknown
  body?: unknown
}

async function send(
  operation: string,
  { path, query, body }: Parts,
  signal: AbortSignal | undefined,
  headers: Record<string, string>,
): Promise<Response> {
  const method = operation.slice(0, operation.indexOf(' '))
  const address = addressOf(
    operation,
    path as Record<string, unknown> | undefined,
    query as Record<string, unknown> | undefined,
  )
  try {
    const early = method === 'GET' ? takeEarlyAnswer(address) : undefined
    if (early) return await early
    return await fetch(address, {
      method,
      headers: {
        ...requestHeaders(),
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, unreachable)
  }
}

async function readAnswer(operation: string, response: Response): Promise<unknown> {
  const text = await response.text().catch(() => '')
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const content: unknown = isJson && text ? parse(text) : text || undefined
  if (response.ok) return inLanguageOf(operation, content)
  const refusal = (typeof content === 'object' && content !== null ? content : {}) as Refusal
  const code = response.headers.get('error-code')
  const { message, errors } = await inLanguageOfPage(refusal, code)
  const wait = Number(response.headers.get('retry-after'))
  throw new ApiError(
    response.status,
    message ?? t('The service answered with status {status}.', { status: response.status }),
    errors,
    Number.isFinite(wait) && wait > 0 ? wait : undefined,
  )
}

interface Refusal {
  message?: string
  errors?: Record<string, string[]>
  error_codes?: Record<string, string[]>
  error_values?: Record<string, Values[]>
}

/** The service writes English. Other languages have its words for sensors and reasons. */
export async function inLanguageOf<Content>(operation: string, content: Content): Promise<Content> {
  if (usedLanguage() === 'en') return content
  try {
    const { translateAnswer } = await import('../languages/service-words.ts')
    return await translateAnswer(operation, content)
  } catch {
    // Without a connection to load the words.
    return content
  }
}

/** Other languages have the words of most codes of errors. */
async function inLanguageOfPage(refusal: Refusal, code: string | null): Promise<Refusal> {
  const { message, errors = {}, error_codes = {}, error_values = {} } = refusal
  if (usedLanguage() === 'en' || message === undefined) return refusal
  try {
    const { translateRefusal } = await import('./error-words.ts')
    const parts = { message, errors, code, codes: error_codes, values: error_values }
    return translateRefusal(parts)
  } catch {
    // Without a connection to load the words, or with other values: English is understood better than nothing.
    return refusal
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
