import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Agent, fetch } from 'undici'
import { admin } from '../server/test/several-processes.ts'

/** A person of organization 1. */
export interface Client {
  /**
   * Asks again while the service is away, and logs in again when the session has ended. All attempts of a
   * POST have the same `Idempotency-Key`.
   */
  ask(method: string, path: string, body?: object): Promise<Answer>
  /** As `ask`; anything but a 2xx fails. */
  // biome-ignore lint/suspicious/noExplicitAny: clients look into answers freely
  call(method: string, path: string, body?: object): Promise<any>
  /** How often it has logged in. */
  logins(): number
}

export interface Answer {
  status: number
  text: string
  /** How often it was asked, with this time. */
  attempts: number
  /** How often the service may have done it without an answer. */
  lost: number
}

interface Request {
  method: string
  path: string
  body?: object | undefined
  /** Of a POST. */
  key?: string | undefined
  lost: number
}

interface Reply {
  status: number
  text: string
  isBusy: boolean
}

const patience = 120_000
const pause = 250
/** Restarting, or with too much to do: a client tries again. */
const busy = [429, 503]
/** The first attempt is still being handled. */
const busyCode = 'repeated_key'
const timeout = 60_000

export function createClient(address: string, agent?: Agent): Client {
  let token: string | undefined
  let logins = 0
  const send = (request: Request) =>
    exchange(address, request, { token, agent }).catch((error: Error) => {
      if (!isRefused(error)) request.lost += 1
      throw error
    })
  const logIn = async () => {
    token = undefined
    const answer = await send({ method: 'POST', path: '/v1/auth/login', body: admin, lost: 0 })
    if (answer.status === 200) {
      token = JSON.parse(answer.text).token
      logins += 1
    }
    return answer
  }
  const attempt = async (request: Request): Promise<Reply> => {
    if (token === undefined) {
      const login = await logIn()
      if (token === undefined) return login
    }
    const answer = await send(request)
    if (answer.status !== 401) return answer
    const login = await logIn()
    return token === undefined ? login : send(request)
  }
  const ask: Client['ask'] = async (method, path, body) => {
    const key = method === 'POST' ? randomUUID() : undefined
    const request: Request = { method, path, body, key, lost: 0 }
    const deadline = performance.now() + patience
    for (let attempts = 1; ; attempts += 1) {
      const answer = await attempt(request).catch((error: Error) => error)
      if (!(answer instanceof Error) && !answer.isBusy) {
        return { status: answer.status, text: answer.text, attempts, lost: request.lost }
      }
      if (performance.now() > deadline) {
        throw new Error(`${method} ${path} is not answered.`, { cause: answer })
      }
      await sleep(pause)
    }
  }
  return {
    ask,
    async call(method, path, body) {
      return readBody(`${method} ${path}`, await ask(method, path, body))
    },
    logins: () => logins,
  }
}

async function exchange(
  address: string,
  { method, path, body, key }: Request,
  { token, agent }: { token: string | undefined; agent: Agent | undefined },
): Promise<Reply> {
  const answer = await fetch(address + path, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}`, organization: '1' } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(agent ? { dispatcher: agent } : {}),
    signal: AbortSignal.timeout(timeout),
  })
  const { status, headers } = answer
  const isBusy = busy.includes(status) || headers.get('error-code') === busyCode
  return { status, isBusy, text: await answer.text() }
}

/** Nobody listened, so nothing was done. */
function isRefused({ cause }: Error): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
}

/** @throws Error for anything but a 2xx. */
// biome-ignore lint/suspicious/noExplicitAny: clients look into answers freely
export function readBody(what: string, { status, text }: Answer): any {
  if (status < 200 || status > 299) throw new Error(`${what}: ${status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
