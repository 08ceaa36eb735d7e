import assert from 'node:assert/strict'
import pino from 'pino'
import type { Page } from 'playwright-core'
import type { DemoNetwork } from '../../server/demo/fleet.ts'
import { populateDemo } from '../../server/demo/fleet.ts'
import { startSimulator } from '../../server/simulators/index.ts'
import { readConfig } from '../../server/src/config.ts'
import type { Database } from '../../server/src/db/connect.ts'
import { findNetwork } from '../../server/src/networks/index.ts'
import { createFirstOwner, startServer, startWorker } from '../../server/src/start.ts'
import { createTestDatabase } from '../../server/test/database.ts'
import { findFreePort } from '../../server/test/port.ts'
import { isOutdated } from '../scripts/build-if-older.ts'
import { type BrowserOptions, openPage } from './open-page.ts'

export const ownerEmail = 'owner@example.test'
export const ownerPassword = 'correct horse battery staple'

interface Ending {
  after(end: () => Promise<void>): unknown
}

interface ConsoleOptions {
  /** Networks to simulate, by key: each is connected and shares the devices. */
  networks?: readonly string[]
  /** Devices of all networks together; 0 by default. */
  devices?: number
  /** Where it is, if not at 127.0.0.1. */
  host?: string
  /** Further settings of the service. */
  settings?: Record<string, string>
}

/** The service with its console and background work, as `npm start` runs it, on an own database. */
export interface TestConsole {
  /** Where the console is, without a slash at the end. */
  url: string
  simulators: readonly DemoNetwork[]
  /** For what only time would bring. */
  db: Database
  /** A page of the browser, where nobody is logged in. */
  open(path: string, options?: BrowserOptions): Promise<Page>
  /** A page of the browser at this path, logged in as the owner. */
  enter(path: string, options?: BrowserOptions): Promise<Page>
  /** Calls the API as the owner, outside the browser. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
type Json = any

/** Starts the service for one test (`t`) or a whole file (`{ after }`). */
export async function startConsole(t: Ending, options: ConsoleOptions = {}): Promise<TestConsole> {
  assert.ok(!isOutdated(), 'The console is not built from these sources: npm run build')
  const database = await createTestDatabase()
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const port = await findFreePort()
  const url = `http://${options.host ?? '127.0.0.1'}:${port}`
  const config = readConfig({
    DATABASE_URL: database.url,
    SECRET_KEY: 'a key of 32 characters for tests',
    ADMIN_EMAIL: ownerEmail,
    ADMIN_PASSWORD: ownerPassword,
    PORT: String(port),
    API_RATE_LIMIT: '0',
    PUBLIC_URL: url,
    ...options.settings,
  })
  const access = { url: database.url, poolSize: 8 }
  await createFirstOwner(config, database.url, log)
  const worker = await startWorker(config, access, log)
  const server = await startServer(config, access, log)
  const simulators = await Promise.all((options.networks ?? []).map(simulate))
  t.after(async () => {
    for (const { simulator } of simulators) await simulator.close()
    await server.stop()
    await worker.stop()
    await database.drop()
  })
  await populateDemo({
    address: url,
    email: ownerEmail,
    password: ownerPassword,
    networks: simulators,
    deviceCount: options.devices ?? 0,
  })
  return { ...withBrowser(t, url, simulators), db: database.db }
}

async function simulate(key: string): Promise<DemoNetwork> {
  const network = findNetwork(key)
  assert.ok(network, `There is no network ${key}.`)
  return { network, simulator: await startSimulator(key) }
}

function withBrowser(
  t: Ending,
  url: string,
  simulators: readonly DemoNetwork[],
): Omit<TestConsole, 'db'> {
  const open = (path: string, options?: BrowserOptions) => openPage(t, url + path, options)
  let token: string | undefined
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}`, organization: '1' } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false
    return { status: answer.status, body: (isJson ? JSON.parse(text) : text) as Json }
  }
  return {
    url,
    simulators,
    open,
    async enter(path, options) {
      // A picture, so that the console begins once, with the session.
      const page = await open('/favicon.svg', options)
      const answer = await page.request.post(`${url}/v1/auth/session`, {
        headers: { 'x-requested-with': 'console' },
        data: { email: ownerEmail, password: ownerPassword },
      })
      assert.equal(answer.status(), 200, await answer.text())
      await page.goto(url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page
    },
    async call(method, path, body) {
      if (token === undefined) {
        const login = { email: ownerEmail, password: ownerPassword }
        token = (await send('POST', '/auth/login', login)).body.token
      }
      return send(method, path, body)
    },
  }
}

/** Fills in the login form with the owner's e-mail and password, and waits for the frame. */
export async function logIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(ownerEmail)
  await page.locator('input[autocomplete=current-password]').fill(ownerPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
}
