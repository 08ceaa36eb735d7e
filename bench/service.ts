import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from './http-connection.ts'
import { type Helper, startProcess } from './process.ts'

/** The real server in a process of its own, and its owner's token. */
export interface Service extends Helper {
  target: Target
  /** Headers of a signed-in member of organization 1. */
  headers: Record<string, string>
  /** Of organization 1's owner, for measuring logins. */
  credentials: { email: string; password: string }
  /** Calls the API, for another organization when `headers` say so; throws unless it answers 2xx. */
  call<Answer>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
}

export interface ServiceOptions {
  databaseUrl: string
  dataDir: string
  /** Where to write a CPU profile, if anywhere. */
  profile?: string | undefined
  /** Further settings. */
  env?: Record<string, string>
}

export const credentials = { email: 'bench@example.test', password: 'a long benchmark password' }
export const sealingKey = 'a key that only the benchmark uses'
const startMilliseconds = 120_000
const callMilliseconds = 60_000

/** Starts the server as `npm start` does, without a limit on requests, and logs in. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}`
  const helper = startProcess(new URL('../server/src/main.ts', import.meta.url), {
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: address,
      DATA_DIR: options.dataDir,
      DATABASE_URL: options.databaseUrl,
      SECRET_KEY: sealingKey,
      ADMIN_EMAIL: credentials.email,
      ADMIN_PASSWORD: credentials.password,
      API_RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      ...options.env,
    },
    nodeOptions: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [],
  })
  const headers: Record<string, string> = {}
  const call = async <Answer>(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ) => {
    const response = await fetch(address + path, {
      method,
      headers: {
        ...headers,
        ...more,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callMilliseconds),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as Answer
  }
  try {
    await waitUntilReady(`${address}/readyz`)
    const { token } = await call<{ token: string }>('POST', '/v1/auth/login', credentials)
    headers.authorization = `Bearer ${token}`
    headers.organization = '1'
  } catch (error) {
    await helper.stop()
    throw error
  }
  return { ...helper, target: { host: '127.0.0.1', port }, headers, credentials, call }
}

/** Waits until `url` answers 2xx. */
export async function waitUntilReady(url: string): Promise<void> {
  const end = Date.now() + startMilliseconds
  while (Date.now() < end) {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    await sleep(50)
  }
  throw new Error(`${url} was not ready after ${startMilliseconds / 1000} s`)
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0
      server.close(() => resolve(port))
    })
  })
}
