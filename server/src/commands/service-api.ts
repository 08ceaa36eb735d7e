import { setTimeout as sleep } from 'node:timers/promises'
import { organizationOfKey } from '../http/api-key.ts'

/** The API of a service that runs, for commands that ask it. */
export interface ServiceApi {
  /**
   * Sends one request below `/v1` and returns the parsed body. A request that may be repeated is
   * repeated when the service asks to wait.
   * @throws ServiceRefusal for any status but 2xx; an Error for a person where there is no answer; the
   *   reason of the signal.
   */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    more?: CallDetails,
  ): Promise<Answer>
}

// biome-ignore lint/suspicious/noExplicitAny: the callers name what they read of an answer
export type Answer = any

interface CallDetails {
  body?: object
  /** The same key makes the service do the work once, however often it is sent. */
  idempotencyKey?: string
  /** Made even after Ctrl-C, within a few seconds: it ends what the command has begun. */
  isLast?: boolean
}

export interface ServiceAddress {
  url: string
  /** An API key knows its organization; of a member's, it is the first one if it is left out. */
  organization: string | undefined
  /** Of a member, or an API key. */
  token: string
  signal: AbortSignal
}

/** An answer that is no success, with the service's own words. */
export class ServiceRefusal extends Error {
  readonly status: number
  readonly words: string

  constructor(status: number, words: string) {
    super(`The service answered ${status}: ${words}`)
    this.status = status
    this.words = words
  }
}

/** As long as the service compares with a network, and acts on what it finds. */
const patience = 300_000
const lastPatience = 5_000
const mostTries = 3
/** "Slow down" and "not now", with `Retry-After`. */
const passing = new Set([429, 503])

export function openServiceApi({ url, organization, token, signal }: ServiceAddress): ServiceApi {
  const base = `${url.replace(/\/+$/, '')}/v1`
  const place = organization ?? String(organizationOfKey(token) ?? 1)
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    organization: place,
  }
  const ask = (method: string, path: string, { body, idempotencyKey, isLast }: CallDetails) =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: isLast
        ? AbortSignal.timeout(lastPatience)
        : AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new Error(`The service does not answer at ${base}${path}: ${reasonOf(error)}.`)
    })
  return {
    async call(method, path, more = {}) {
      for (let tries = 1; ; tries += 1) {
        const response = await ask(method, path, more)
        const answer = (await response.json().catch(() => ({}))) as Answer
        if (response.ok) return answer
        if (!passing.has(response.status) || tries === mostTries) {
          throw new ServiceRefusal(response.status, answer.message ?? 'without words')
        }
        await sleep(waitOf(response), undefined, { signal })
      }
    },
  }
}

/** In milliseconds; at most a minute. */
function waitOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 1)
  return Math.min(Number.isFinite(seconds) ? Math.max(seconds, 1) : 1, 60) * 1000
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

/** Options of every command that asks the service. */
export const serviceOptions = {
  url: { type: 'string', default: 'http://127.0.0.1:8080' },
  organization: { type: 'string' },
} as const

/** @throws Error that says where a token comes from. */
export function tokenOf(secret: (name: string) => string | undefined): string {
  const token = secret('API_TOKEN')
  if (token) return token
  throw new Error(
    'API_TOKEN is not set: it is an API key of the organization, or the token of a member from POST /v1/auth/login.',
  )
}
