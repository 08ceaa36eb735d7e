import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { connect } from './db/connect.ts'
import { startEmbedded } from './db/embedded.ts'
import { describeRefusal } from './db/errors.ts'
import { migrate, migrationsDirectory } from './db/migrate.ts'
import { createSealer } from './db/seal.ts'
import { readSecretKeys } from './db/secret-keys.ts'
import { SetupError } from './db/setup-error.ts'
import { createWriteHealth, type WriteHealth } from './db/write-health.ts'
import { hashOfSecret } from './features/accounts/connections/callback-secret.ts'
import { checkAfterStart } from './features/accounts/network-accounts/callback-care.ts'
import { applyVendorAccounts } from './features/accounts/network-accounts/vendor-accounts.ts'
import type { MetricRow } from './features/operation/metrics/metric-queries.ts'
import { readProcess } from './features/operation/metrics/process-metrics.ts'
import { openMetricsAddress } from './features/operation/metrics/serve-metrics.ts'
import { unlockSecrets } from './features/operation/sealing/proof.ts'
import { readPushKeys } from './features/outgoing/channels/push-keys.ts'
import { createFirstOrganization } from './features/people/organizations/first-start.ts'
import { findConnectionRoom } from './http/limit-connections.ts'
import { startJobs } from './jobs.ts'
import { switchOnNetworks } from './networks/index.ts'
import { createOutside } from './networks/outside.ts'
import { consoleDirectory, isConsoleBuilt } from './pages/console.ts'
import { closeApp, drainApp } from './process/close-app.ts'
import { describeListenFailure } from './process/listening.ts'
import { logOutput } from './process/log-output.ts'
import { findRoom, planPoolSize } from './process/pool-size.ts'
import { createFindFault } from './process/readiness.ts'
import { closeServices, createServices } from './services.ts'
import { startTracer } from './traces/start-tracer.ts'
import { noTraces } from './traces/tracer.ts'

/** A started part of the service. `stop` finishes what the part has accepted. */
export interface Running {
  stop(): Promise<void>
}

/** The address of the database, how many connections each process has, and what its parts know of writes. */
export interface DatabaseAccess {
  url: string
  poolSize: number
  writeHealth?: WriteHealth
}

/** A part that tells its numbers for `/metrics`. */
export interface Metered extends Running {
  readMetrics(): MetricRow[][]
}

/** A reachable database at the last migration, whose secrets the keys of this start open. */
interface PreparedDatabase extends Running, DatabaseAccess {}

/** How long clients have at a stop to close their connections. */
const drainMilliseconds = 500
/** How long requests under way may take at a stop: more than the longest wait for a network. */
const requestMilliseconds = 12_000
/** For statements of requests, in milliseconds; background work has the default. */
const requestStatementTimeout = 10_000
/**
 * For messages of networks, in milliseconds. Nobody waits for a statement that takes longer than the
 * message is kept (`patience` of uplinks/receive/receive-messages.ts), and meanwhile it would hold one of few
 * connections. A server that works answers within a second more.
 */
const ingestTimes = { statementTimeout: 4000, silenceAllowed: 1000, connectTimeout: 4000 }
/** One connection in so many is reserved for messages of networks. */
const ingestPart = 4

/**
 * Brings the database up to date; starts the embedded one when no DATABASE_URL is set.
 * @param signal Ends it between two steps, and stops the embedded database.
 */
export async function prepareDatabase(
  config: Config,
  log: FastifyBaseLogger,
  signal?: AbortSignal,
): Promise<PreparedDatabase> {
  if (config.databaseUrl) requireKey(config)
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({ dataDir: config.dataDir, log })
  const url = config.databaseUrl ?? embedded?.url ?? ''
  const db = connect(url, { max: 2 })
  try {
    const poolSize = planPoolSize(await findRoom(db), config)
    await migrate(url, migrationsDirectory, { signal })
    const { hasOlderKeys } = await unlockSecrets(db, config)
    if (hasOlderKeys) {
      log.info(
        'Some secrets may be sealed with an older key: "npx --no-install lora-console seal" changes that.',
      )
    }
    const writeHealth = createWriteHealth(log)
    return { url, poolSize, writeHealth, stop: async () => embedded?.stop() }
  } catch (error) {
    await embedded?.stop()
    throw config.databaseUrl ? describeRefusal(error, url) : error
  } finally {
    await db.close()
  }
}

/**
 * Makes organization 1 and its owner at the very first start, and returns the new owner. The caller
 * must show the password even if the start fails later: it is shown only once.
 */
export async function createFirstOwner(
  { admin }: Pick<Config, 'admin'>,
  databaseUrl: string,
  log: FastifyBaseLogger,
): Promise<{ email: string; password: string | undefined } | undefined> {
  const db = connect(databaseUrl, { max: 2 })
  try {
    const owner = await createFirstOrganization({ db, now: () => new Date() }, admin)
    if (owner.isNew) return owner
  } finally {
    await db.close()
  }
  const names = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  const set = Object.entries(names).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (set.length > 0) {
    log.info(
      `${set.join(' and ')} did nothing: only the first start reads it, and there is an owner` +
        ' already. "npx --no-install lora-console user reset-password E-MAIL" sets the password of a user.',
    )
  }
  return undefined
}

/** With an external database a key file is not enough: other machines may use the database too. */
function requireKey(config: Config): void {
  if (readSecretKeys(config).length > 0) return
  throw new SetupError(
    'SECRET_KEY is missing: with DATABASE_URL it has to be set, to 32 characters or more that no' +
      ' one else knows ("openssl rand -base64 32" makes some). It seals the secrets in the database:' +
      ' keep it as safe as a backup, and give the same to every process on that database.',
  )
}

/** Serves the API on a prepared database. */
export async function startServer(
  config: Config,
  database: DatabaseAccess,
  log: FastifyBaseLogger,
): Promise<Metered & { address: string }> {
  const { services, close } = openServices(config, database, log, requestStatementTimeout)
  const findFault = createFindFault(services.ingestDb, services.writeHealth)
  let isStopping = false
  const app = createApp(services, {
    ...config,
    consoleDirectory: isConsoleBuilt(consoleDirectory) ? consoleDirectory : undefined,
    mostConnections: findConnectionRoom(),
    findFault: async () => (isStopping ? 'It stops.' : findFault()),
  })
  const stop = async () => {
    isStopping = true
    await drainApp(app, drainMilliseconds)
    await closeApp(app, requestMilliseconds)
    await close()
  }
  const address = await app
    .listen({ host: config.host, port: config.port })
    .catch(async (error: unknown) => {
      await stop()
      throw describeListenFailure(error, config)
    })
  return { address, stop, readMetrics: () => readProcess({ ...services, logOutput }) }
}

/** Runs the background work on a prepared database. */
export async function startWorker(
  config: Config,
  database: DatabaseAccess,
  log: FastifyBaseLogger,
): Promise<Metered> {
  const { services, close } = openServices(config, database, log)
  await applyVendorAccounts(services, config.vendorAccounts)
  await readPushKeys(services.db, services.sealer)
  await checkAfterStart(services)
  const jobs = startJobs(services)
  services.subscriptions.start()
  return {
    readMetrics: () => readProcess({ ...services, logOutput }),
    async stop() {
      await jobs.stop()
      await services.subscriptions.close()
      await close()
    },
  }
}

/** Serves `/metrics` on an address of its own, where the settings name one. */
export async function startMetrics(
  { metricsAddress, metricsToken }: Config,
  { url }: DatabaseAccess,
  readParts: () => Promise<Record<string, MetricRow[][]>>,
): Promise<Running[]> {
  if (!metricsAddress) return []
  // The statements of a scrape take turns on it.
  const db = connect(url, { max: 1 })
  const tokenHash = metricsToken === undefined ? undefined : hashOfSecret(metricsToken)
  const own = { tokenHash, db, now: () => new Date(), readParts }
  const address = await openMetricsAddress({ ...metricsAddress, ...own }).catch(async (error) => {
    await db.close()
    throw describeListenFailure(error, metricsAddress, 'METRICS_')
  })
  return [{ stop: () => address.stop().finally(db.close) }]
}

/** The services of this process on pools of their own; `close` ends them and then the pools. */
function openServices(
  config: Config,
  { url, poolSize, writeHealth: shared }: DatabaseAccess,
  log: FastifyBaseLogger,
  statementTimeout?: number,
) {
  const writeHealth = shared ?? createWriteHealth(log)
  // Only the message: the driver's stack says nothing about a server that went away.
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'connection lost')
  const forIngest = Math.max(2, Math.floor(poolSize / ingestPart))
  const limits = statementTimeout === undefined ? {} : { statementTimeout }
  const on = { onError, onFailure: writeHealth.note }
  const db = connect(url, { max: poolSize - forIngest, ...on, ...limits })
  const ingestDb = connect(url, { max: forIngest, ...on, ...ingestTimes })
  switchOnNetworks(config.optionalNetworks)
  const [key, ...olderKeys] = readSecretKeys(config)
  if (!key) throw new Error('The key file is gone.')
  const services = createServices({
    db,
    ingestDb,
    writeHealth,
    sealer: createSealer(key, ...olderKeys),
    log,
    now: () => new Date(),
    publicUrl: config.publicUrl,
    outside: createOutside(config.outbound),
    loginRateLimit: config.loginRateLimit,
    billingPlans: config.billingPlans,
    mail: config.mail,
    catalogueDir: config.catalogueDir,
    signOn: config.signOn,
    maps: { tiles: config.mapTiles, directory: join(config.dataDir, 'maps') },
    tracer: config.traces ? startTracer(config.traces, log) : noTraces,
    auditSyslog: config.auditSyslog,
  })
  services.presence.start()
  const close = async () => {
    await closeServices(services)
    await ingestDb.close()
    await db.close()
  }
  return { services, close }
}
