import assert from 'node:assert/strict'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pino from 'pino'
import { createApp } from '../src/app.ts'
import { connect } from '../src/db/connect.ts'
import { createSealer } from '../src/db/seal.ts'
import type { MapStart } from '../src/features/operation/map/map-source.ts'
import type { MailSettings } from '../src/features/people/auth/mail-settings.ts'
import type { Plan } from '../src/features/people/billing/plans.ts'
import { createFirstOrganization } from '../src/features/people/organizations/first-start.ts'
import type { SignOnSettings } from '../src/features/people/sign-on/sign-on-settings.ts'
import type { defaultReadLimits } from '../src/http/read-queue.ts'
import type { ClientPace } from '../src/http/slow-clients.ts'
import { createCodecPool, defaultPoolLimits } from '../src/sensors/codecs/pool.ts'
import { closeServices, createServices, type Services } from '../src/services.ts'
import { createTestDatabase, ownerVariable } from './database.ts'
import { isDocumented } from './documented.ts'
import { thisMachine } from './outside.ts'
import { ownerEmail, ownerPassword, usualTime } from './owner.ts'
import { findFreePort } from './port.ts'

/** The service with its own database. Tests call it as clients do. */
export interface TestService {
  app: FastifyInstance
  services: Services
  /** The address of its database, for commands. Secrets are sealed with `testKey`. */
  databaseUrl: string
  /** The owner of organization 1, logged in. */
  owner: Login
  /** Sets the service's current time. Otherwise the clock stands still. */
  setClock(time: Date): void
  call(method: string, url: string, options?: CallOptions): Promise<TestAnswer>
  logIn(email: string, password: string, organizationId: number): Promise<Login>
}

export interface Login {
  token: string
  organizationId: number
}

export interface CallOptions {
  /** The owner of organization 1 by default; null for a request without a login. */
  as?: Login | null
  body?: unknown
  headers?: Record<string, string>
}

export interface TestAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  body: any
}

export { ownerEmail, ownerPassword }
/** The key that seals. */
export const testKey = Buffer.alloc(32, 7)
/** No server listens there, so a network that calls this URL fails at once. */
export const publicUrl = 'http://127.0.0.1:1'

/** On a machine that runs other tests, a thread may need longer than a frame usually waits. */
const patientPool = { ...defaultPoolLimits, patience: 60_000 }

interface TestOptions {
  apiRateLimit?: number
  loginRateLimit?: number
  /** Receives the lines of the log. */
  takeLine?: (line: string) => void
  billingPlans?: readonly Plan[]
  publicUrl?: string
  mail?: MailSettings
  signOn?: SignOnSettings
  maps?: MapStart
  /** CATALOGUE_DIR. */
  catalogueDir?: string
  pace?: Partial<ClientPace>
  reads?: typeof defaultReadLimits
  streamCheckInterval?: number
  /** Follows the brokers of accounts in the background, as in production. */
  followsBrokers?: boolean
  trustedProxies?: readonly string[]
  isHstsForSubdomains?: boolean
  metricsToken?: string
  /** The present when it starts. */
  clock?: Date
}

/** The same as `startTestService`, with its own port, so that networks can call it. */
export async function startListening(
  t: { after(end: () => Promise<void>): unknown },
  options: TestOptions = {},
): Promise<TestService> {
  const port = await findFreePort()
  const service = await startTestService(t, { publicUrl: `http://127.0.0.1:${port}`, ...options })
  await service.app.listen({ host: '127.0.0.1', port })
  return service
}

/**
 * Starts the service for one test (`t`) or a whole file (`{ after }`), and ends it with the test or
 * the file. Checks every JSON answer against the schema of its endpoint. Checks every answer for a
 * leaked cause, and for a status that the API reference does not list.
 */
export async function startTestService(
  t: { after(end: () => Promise<void>): unknown },
  options: TestOptions = {},
): Promise<TestService> {
  // A test that sets the clock or watches logins has them made for itself.
  const isUsual = !options.clock && !options.takeLine && options.loginRateLimit === undefined
  const token = isUsual ? process.env[ownerVariable] : undefined
  const database = await createTestDatabase({ hasOwner: token !== undefined })
  const ingestDb = connect(database.url, { applicationName: 'test', max: 4 })
  let clock = options.clock ?? usualTime
  const { takeLine } = options
  const log = takeLine
    ? pino({ level: 'info' }, { write: takeLine })
    : pino({ level: process.env.TEST_LOG ?? 'silent' })
  const services = createServices({
    db: database.db,
    ingestDb,
    sealer: createSealer(testKey),
    log,
    now: () => clock,
    // The clock stands still, so a call that waits for its turn continues at once.
    sleep: async () => undefined,
    publicUrl: options.publicUrl ?? publicUrl,
    outside: thisMachine,
    loginRateLimit: options.loginRateLimit ?? 5,
    billingPlans: options.billingPlans ?? [],
    codecs: createCodecPool(patientPool),
    mail: options.mail,
    signOn: options.signOn,
    ...(options.maps && { maps: options.maps }),
    catalogueDir: options.catalogueDir,
  })
  const app = createApp(services, {
    apiRateLimit: options.apiRateLimit ?? 0,
    trustedProxies: options.trustedProxies ?? [],
    metricsToken: options.metricsToken,
    isHstsForSubdomains: options.isHstsForSubdomains ?? false,
    findFault: async () => undefined,
    ...(options.streamCheckInterval === undefined
      ? {}
      : { streamCheckInterval: options.streamCheckInterval }),
    ...(options.pace === undefined ? {} : { pace: options.pace }),
    ...(options.reads === undefined ? {} : { reads: options.reads }),
    inspectAnswer: ({ operation, endpoint }, status, answer) => {
      assert.ok(endpoint.answer, `${operation} answers JSON (${status}) without a schema`)
      const schema = status === 202 ? endpoint.accepted : endpoint.answer
      const result = (schema ?? endpoint.answer).safeParse(answer)
      assert.ok(result.success, `${operation} breaks its schema: ${result.error?.message}`)
    },
  })
  t.after(async () => {
    await app.close()
    await services.subscriptions.close()
    await closeServices(services)
    await ingestDb.close()
    await database.drop()
  })
  if (options.followsBrokers) services.subscriptions.start()
  if (token === undefined) {
    await createFirstOrganization(services, { email: ownerEmail, password: ownerPassword })
  }
  const call = caller(app, () => owner)
  const logIn = async (email: string, password: string, organizationId: number) => {
    const answer = await call('POST', '/v1/auth/login', { as: null, body: { email, password } })
    assert.equal(answer.status, 200, answer.text)
    return { token: answer.body.token as string, organizationId }
  }
  const owner: Login = token
    ? { token, organizationId: 1 }
    : await logIn(ownerEmail, ownerPassword, 1)
  const setClock = (time: Date) => {
    clock = time
  }
  const { url: databaseUrl } = database
  return { app, services, databaseUrl, owner, setClock, call, logIn }
}

function caller(app: FastifyInstance, owner: () => Login): TestService['call'] {
  return async (method, url, options = {}) => {
    const login = options.as === undefined ? owner() : options.as
    const headers: Record<string, string> = { accept: 'application/json' }
    if (login) {
      headers.authorization = `Bearer ${login.token}`
      headers.organization = String(login.organizationId)
    }
    const answer = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: { ...headers, ...options.headers },
      ...(options.body === undefined ? {} : { payload: options.body as object }),
    })
    assert.notEqual(answer.statusCode, 500, `${method} ${url}: ${answer.body}`)
    const isKnown = isDocumented(method, url, answer.statusCode)
    assert.ok(isKnown, `${method} ${url} answers ${answer.statusCode}, which is not documented`)
    const isJson =
      answer.body !== '' && String(answer.headers['content-type']).startsWith('application/json')
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson ? JSON.parse(answer.body) : undefined,
    }
  }
}
