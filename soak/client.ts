import { setTimeout as sleep } from 'node:timers/promises'
import { type Agent, fetch } from 'undici'
import { admin } from '../server/test/several-processes.ts'

/** A person of organization 1. */
export interface Client {
  /** Asks again while the service is away, and logs in again when the session has ended. */
  ask(method: string, path: string, body?: object): Promise<Answer>
  /** As `ask`; anything but a 2xx fails. */
  // biome-ignore lint/suspicious/noExplicitAny: clients look into answers freely
  call(method: string, path: string, body?: object): Promise<any>
  /** How often it has logged in. */
  logins(): number
}

interface Answer {
  status: number
  text: string
}

const patience = 120_000
const pause = 250
/** Restarting, or with too much to do: a client tries again. */
const busy = [429, 503]
const timeout = 60_000

export function createClient(address: string, agent?: Agent): Client {
  let token: string | undefined
  let logins = 0
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(address + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}`, organization: '1' } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(agent ? { dispatcher: agent } : {}),
      signal: AbortSignal.timeout(timeout),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const logIn = async () => {
    token = undefined
    const answer = await send('POST', '/v1/auth/login', admin)
    if (answer.status === 200) {
      token = JSON.parse(answer.text).token
      logins += 1
    }
    return answer
  }
  const attempt = async (method: string, path: string, body?: object): Promise<Answer> => {
    if (token === undefined) {
      const answer = await logIn()
      if (token === undefined) return answer
    }
    const answer = await send(method, path, body)
    if (answer.status !== 401) return answer
    const login = await logIn()
    return token === undefined ? login : send(method, path, body)
  }
  const ask: Client['ask'] = async (method, path, body) => {
    const deadline = performance.now() + patience
    for (;;) {
      const answer = await attempt(method, path, body).catch((error: Error) => error)
      if (!(answer instanceof Error) && !busy.includes(answer.status)) return answer
      if (performance.now() > deadline) {
        throw new Error(`${method} ${path} is not answered.`, { cause: answer })
      }
      await sleep(pause)
    }
  }
  return {
    ask,
    async call(method, path, body) {
      const { status, text } = await ask(method, path, body)
      if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
    logins: () => logins,
  }
}
