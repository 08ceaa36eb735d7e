import { randomUUID } from 'node:crypto'
import { type IncomingHttpHeaders, maxHeaderSize } from 'node:http'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { findFrameHosts } from './features/insight/links/link-guard.ts'
import { createAnswerStore } from './features/operation/idempotency/answer-store.ts'
import { serveMetrics } from './features/operation/metrics/serve-metrics.ts'
import { createChangeNoter } from './features/people/activity/note-changes.ts'
import { noteRefusals } from './features/people/activity/note-refusals.ts'
import { createAdmitKey } from './features/people/api-keys/admit-key.ts'
import { keepToGroup } from './features/people/api-keys/keep-to-group.ts'
import { admit, createFindAdmission, findSession } from './features/people/sessions/authenticate.ts'
import { addRequestCounts } from './features/people/sessions/login-limit-queries.ts'
import { createFindClientAddress } from './http/client-address.ts'
import { bodyLimits } from './http/endpoint.ts'
import { answerError, answerParserError, findUnreadable } from './http/error-handler.ts'
import { createOpenStreams } from './http/event-stream.ts'
import { limitConnections } from './http/limit-connections.ts'
import { type MountOptions, mount } from './http/mount.ts'
import { type MessageOptions, mountMessages } from './http/mount-messages.ts'
import { explainMissing } from './http/other-methods.ts'
import { createRateLimiter, type RateLimiter } from './http/rate-limit.ts'
import { readJson } from './http/read-json.ts'
import { createReadQueue, defaultReadLimits } from './http/read-queue.ts'
import { createRequestShares } from './http/request-shares.ts'
import { mountSelfTest } from './http/self-test.ts'
import { type ClientPace, defaultPace, watchSlowClients } from './http/slow-clients.ts'
import { traceRequests } from './http/trace-requests.ts'
import { serveConsole } from './pages/console.ts'
import { serveFrontPage } from './pages/front-page.ts'
import { serveGuide } from './pages/guide.ts'
import { serveMapFile } from './pages/map-file.ts'
import { serveNetworkImages } from './pages/network-images.ts'
import { serveReference } from './reference/openapi-page.ts'
import { routes } from './routes.ts'
import { logSecurityEvents } from './security-log/security-log.ts'
import type { Services } from './services.ts'

interface AppOptions {
  /** Requests a minute per user and organization; 0 turns the limit off. */
  apiRateLimit: number
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** What Prometheus sends to read `/metrics`; without it nothing is there. */
  metricsToken?: string | undefined
  /** Whether browsers keep to TLS on all names below the public one, too. */
  isHstsForSubdomains?: boolean
  /** The built web console; without it `/` shows a page that tells how to build it. */
  consoleDirectory?: string | undefined
  /** Why the service can not work now; undefined when it can. */
  findFault(): Promise<string | undefined>
  /** The least rate of clients; for tests. */
  pace?: Partial<ClientPace>
  /** For tests. */
  reads?: typeof defaultReadLimits
  /** Milliseconds between checks that the reader of a stream may still read it. */
  streamCheckInterval?: number
  /** Connections of clients at one time; without a bound by default. */
  mostConnections?: number
  inspectAnswer?: MountOptions<Services>['inspectAnswer']
}

/** The path of the API. */
const basePath = '/v1'
/** Milliseconds that a request waits for its share: less than `requestTimeout`. */
const sharePatience = 20_000
/** Milliseconds that a network's message waits: networks wait 5 s for an answer, and it is stored then. */
const messagePatience = 3000

/** Milliseconds between exchanges of request counts with the other processes. */
const sharingInterval = 1000
const tooManyConnections =
  'connections of clients are closed, the longest idle first: a process has as many as half of the files' +
  ' it may open (ulimit -n)'
const untrustedProxy =
  'X-Forwarded-For comes from an address that TRUSTED_PROXIES does not name: all who come through it' +
  ' count as one address in the limits on logins. If it is your reverse proxy, name it there.'

/** What the two scopes of the server share: that of the messages of networks, and that of all else. */
type Shared = Omit<MessageOptions<Services>, 'shares'> &
  Pick<MountOptions<Services>, 'findClientAddress'>

/** Makes the HTTP server with every route. */
export function createApp(services: Services, options: AppOptions): FastifyInstance {
  const everyAnswer = createAnswerHeaders(services.publicUrl, options.isHstsForSubdomains)
  const app = Fastify({
    loggerInstance: services.log,
    // A log line per request would cost more than storing an uplink.
    logController: new LogController({ disableRequestLogging: true }),
    // No logger per request: the error handler logs the request's id.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    bodyLimit: bodyLimits.usual,
    // As long as Node's limit of a request line, so that long unknown names are a 404.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers(everyAnswer(request.id))),
    clientErrorHandler: answerParserError,
    http: {
      // findUnreadable answers it in the shape of every other answer.
      requireHostHeader: false,
      // For a client that opens a connection and sends nothing, or its headers byte by byte.
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2000,
    },
    // Longer than the idle time of usual proxies, so that they close connections first.
    keepAliveTimeout: 75_000,
    requestTimeout: 30_000,
  })
  limitConnections(app.server, {
    most: options.mostConnections ?? Infinity,
    tell: (closed) => services.log.warn({ closed }, tooManyConnections),
  })
  const findClientAddress = createFindClientAddress(options.trustedProxies, (address) =>
    services.log.warn({ address }, untrustedProxy),
  )
  traceRequests(app, services.tracer)
  app.setErrorHandler(answerError)
  logSecurityEvents(app, services, { basePath, findClientAddress })
  const shared: Shared = {
    basePath,
    services,
    everyAnswer,
    findClientAddress,
    slowClients: watchSlowClients(app, { ...defaultPace, ...options.pace }),
    ...(options.inspectAnswer ? { inspectAnswer: options.inspectAnswer } : {}),
  }
  mountMessages(app, routes, {
    ...shared,
    shares: createRequestShares({ waiting: 1000, patience: messagePatience }),
  })
  app.register(async (scope) => serveApi(scope, options, shared))
  return app
}

/** Serves everything but the messages of networks. */
function serveApi(scope: FastifyInstance, options: AppOptions, shared: Shared): void {
  const { services, everyAnswer, findClientAddress } = shared
  const { publicUrl } = services
  readJson(scope)
  const missing = explainMissing(routes, {
    basePath,
    maxParamLength: maxHeaderSize,
    methods: scope.supportedMethods,
  })
  scope.addHook('onRequest', (request, reply, done) => {
    reply.headers(everyAnswer(request.id))
    const fault = findUnreadable(request.raw)
    if (fault) return done(fault)
    // Before the body is read, so that its type and size do not matter.
    if (request.is404) return done(missing(request))
    if (hasNoBody(request.raw.headers)) delete request.raw.headers['content-type']
    done()
  })
  // For a file that is missing: the hook above answers everything else.
  scope.setNotFoundHandler(async (request) => {
    throw missing(request)
  })
  noteRefusals(scope, services, { basePath, findClientAddress })
  mountHealth(scope, options)
  mountSelfTest(scope, { basePath, sealer: services.sealer, findClientAddress })
  serveMetrics(scope, services, options.metricsToken)
  if (options.consoleDirectory === undefined) serveFrontPage(scope, publicUrl)
  else {
    const { consoleDirectory: directory } = options
    serveConsole(scope, {
      ...{ directory, publicUrl, readMap: services.map.read },
      findFrameHosts: (token) => findFrameHosts(services, token),
    })
    serveGuide(scope, { directory: join(directory, 'guide'), publicUrl })
  }
  serveNetworkImages(scope)
  serveMapFile(scope, services.map.read)
  serveReference(scope, routes, { publicUrl, basePath })
  const makeShares = (waiting: number) => createRequestShares({ waiting, patience: sharePatience })
  const rateLimiter = createRateLimiter(options.apiRateLimit)
  shareCounts(scope, rateLimiter, services)
  const findAdmission = createFindAdmission(services)
  const reads = options.reads ?? defaultReadLimits
  mount(scope, routes, {
    ...shared,
    publicUrl,
    gatekeeper: {
      findSession: (token, mayBeExpired) => findSession(services, token, mayBeExpired),
      admit: async (token, organizationId, asked) => {
        const find = (hash: Buffer, id: number) => findAdmission(hash, id, asked.client)
        const caller = await admit(find, token, organizationId, asked)
        await keepToGroup(services.db, caller, asked)
        return caller
      },
      admitKey: createAdmitKey(services),
    },
    allowRequest: rateLimiter.allow,
    answers: createAnswerStore(services),
    shares: { bodies: makeShares(16), streams: makeShares(100), pages: makeShares(100) },
    reads: { wide: createReadQueue(reads.wide), narrow: createReadQueue(reads.narrow) },
    now: () => services.now().getTime(),
    streams: createOpenStreams(scope, options.streamCheckInterval),
    beginChange: createChangeNoter(services),
  })
}

/** Shares the counts of requests with the other processes. */
function shareCounts(app: FastifyInstance, limiter: RateLimiter, { db, log }: Services) {
  let isSharing = false
  const timer = setInterval(() => {
    if (isSharing) return
    isSharing = true
    limiter
      .share((counts) => addRequestCounts(db, counts))
      .catch((err) => log.warn({ err }, 'counts of requests not shared'))
      .finally(() => {
        isSharing = false
      })
  }, sharingInterval)
  // Without `unref` an app that is never closed would keep the process.
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

/** The headers of every answer. With TLS, they tell browsers to use only TLS for a year (RFC 6797). */
function createAnswerHeaders(publicUrl: string, isForSubdomains = false) {
  const scope = isForSubdomains ? '; includeSubDomains' : ''
  const transportSecurity =
    new URL(publicUrl).protocol === 'https:'
      ? { 'strict-transport-security': `max-age=${365 * 24 * 3600}${scope}` }
      : {}
  return (id: string): Record<string, string> => ({
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    // Pages have a policy of their own, which says more.
    'content-security-policy': "frame-ancestors 'none'",
    ...transportSecurity,
  })
}

/** Whether a request has no body. Its type is then ignored: `curl -d ''` and forms send one. */
function hasNoBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

function mountHealth(app: FastifyInstance, options: AppOptions) {
  app.get('/livez', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const reason = await options.findFault()
    if (reason === undefined) return { status: 'ready' }
    return reply.code(503).header('retry-after', '2').send({ status: 'not ready', reason })
  })
}
