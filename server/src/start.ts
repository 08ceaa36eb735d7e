import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { connect, type Database } from './db/connect.ts'
import { startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { createSealer, loadSecretKey } from './db/seal.ts'
import { normalizeEmails } from './features/auth/normalize-emails.ts'
import { createBuiltInBilling } from './features/billing/billing-provider.ts'
import { applyVendorAccounts } from './features/network-accounts/vendor-accounts.ts'
import { createFirstOrganization } from './features/organizations/first-start.ts'
import { startJobs } from './jobs.ts'
import { switchOnNetworks } from './networks/index.ts'
import { createOutside } from './networks/outside.ts'
import { createServices } from './services.ts'

/** Something that was started, and how to end it without losing what it accepted. */
export interface Running {
  stop(): Promise<void>
}

/** A database that is reachable, migrated and has its first organization. */
export interface PreparedDatabase extends Running {
  url: string
  /** The owner made at the very first start; its password only when it was not a setting. */
  newOwner: { email: string; password: string | undefined } | undefined
}

const migrations = fileURLToPath(new URL('./db/migrations', import.meta.url))
/** At a stop, how long requests under way may take: the longest wait for a network and more. */
const requestMilliseconds = 12_000
/** Connections of one server process: for its requests, and for what networks send. */
const poolSize = 12
const ingestPoolSize = 4

/** Starts the embedded database where none is named, and brings it up to date. */
export async function prepareDatabase(
  config: Config,
  log: FastifyBaseLogger,
): Promise<PreparedDatabase> {
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({ dataDir: config.dataDir, log })
  const url = config.databaseUrl ?? embedded?.url ?? ''
  const db = connect(url, { max: 2 })
  try {
    await migrate(url, migrations)
    await normalizeEmails(db)
    const owner = await createFirstOrganization({ db, now: () => new Date() }, config.admin)
    const newOwner = owner.isNew ? owner : undefined
    return { url, newOwner, stop: async () => embedded?.stop() }
  } catch (error) {
    await embedded?.stop()
    throw error
  } finally {
    await db.close()
  }
}

/** Serves the API on a prepared database. */
export async function startServer(
  config: Config,
  databaseUrl: string,
  log: FastifyBaseLogger,
): Promise<Running & { address: string }> {
  const { db, ingestDb } = openDatabases(databaseUrl, log)
  const services = await makeServices(config, { db, ingestDb }, log)
  let isStopping = false
  const app = createApp(services, {
    apiRateLimit: config.apiRateLimit,
    trustedProxies: config.trustedProxies,
    isReady: async () => !isStopping && (await answers(db)),
  })
  const address = await app.listen({ host: config.host, port: config.port })
  return {
    address,
    async stop() {
      isStopping = true
      await closeApp(app, requestMilliseconds)
      await services.ingest.close()
      await services.codecs.close()
      await services.provisioner.close()
      await services.downlinkSender.close()
      await services.connections.close()
      await ingestDb.close()
      await db.close()
    },
  }
}

/**
 * Closes the server once the requests under way are answered, or `patience` milliseconds are over.
 * Node closes the connections that are idle at that moment; one whose answer comes later would
 * stay for its whole keep-alive time.
 */
export async function closeApp(app: FastifyInstance, patience: number): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const deadline = setTimeout(() => app.server.closeAllConnections(), patience)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(deadline)
  }
}

/** Runs the background work on a prepared database. */
export async function startWorker(
  config: Config,
  databaseUrl: string,
  log: FastifyBaseLogger,
): Promise<Running> {
  const { db, ingestDb } = openDatabases(databaseUrl, log)
  const services = await makeServices(config, { db, ingestDb }, log)
  await applyVendorAccounts(services, config.vendorAccounts)
  const jobs = startJobs(services)
  return {
    async stop() {
      await jobs.stop()
      await services.subscriptions.close()
      await services.ingest.close()
      await services.codecs.close()
      await services.provisioner.close()
      await services.downlinkSender.close()
      await services.connections.close()
      await ingestDb.close()
      await db.close()
    },
  }
}

interface Databases {
  db: Database
  ingestDb: Database
}

function openDatabases(url: string, log: FastifyBaseLogger): Databases {
  const open = (max: number) =>
    connect(url, { max, onError: (err) => log.warn({ err }, 'connection lost') })
  return { db: open(poolSize), ingestDb: open(ingestPoolSize) }
}

async function makeServices(config: Config, databases: Databases, log: FastifyBaseLogger) {
  const { secretKey, dataDir, publicUrl, loginRateLimit } = config
  switchOnNetworks(config.optionalNetworks)
  const billing = createBuiltInBilling(config.billingPlans)
  const key = await loadSecretKey({ dataDir, ...(secretKey === undefined ? {} : { secretKey }) })
  const sealer = createSealer(key)
  const outside = createOutside(config.outbound)
  return createServices({
    ...databases,
    sealer,
    log,
    now: () => new Date(),
    publicUrl,
    outside,
    loginRateLimit,
    billing,
  })
}

async function answers(db: Database): Promise<boolean> {
  try {
    await db.query('select 1')
    return true
  } catch {
    return false
  }
}
