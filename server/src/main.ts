import cluster, { type Worker } from 'node:cluster'
import pino from 'pino'
import { type Config, ConfigError, readConfig } from './config.ts'
import { SetupError } from './db/setup-error.ts'
import {
  type OpenDatabase,
  type PreparedDatabase,
  prepareDatabase,
  type Running,
  startServer,
  startWorker,
} from './start.ts'

/** Names the database to the processes that share the port. */
const databaseVariable = 'SERVER_PROCESS_DATABASE_URL'
const poolSizeVariable = 'SERVER_PROCESS_POOL_SIZE'
/** After SIGTERM, at the latest (ARCHITECTURE.md, run contract). */
const stopMilliseconds = 25_000
/** Signals that come so soon after the first one are the same wish. */
const repeatMilliseconds = 1000

const log = pino({ level: 'info', ...(process.stdout.isTTY ? readable() : {}) })

try {
  const config = readConfig(process.env)
  log.level = config.logLevel
  const url = process.env[databaseVariable]
  const poolSize = Number(process.env[poolSizeVariable])
  const starting = url
    ? startServer(config, { url, poolSize }, log).then((server) => [server])
    : startAll(config)
  stopOnSignal(starting)
  await starting
} catch (error) {
  if (error instanceof ConfigError || error instanceof SetupError)
    process.stderr.write(`${error.message}\n`)
  else log.fatal({ err: error }, error instanceof Error ? error.message : 'start failed')
  process.exit(1)
}

/** The database, the background work, and the server: here, or in as many processes as asked. */
async function startAll(config: Config): Promise<Running[]> {
  const database = await prepareDatabase(config, log)
  showPassword(config, database.newOwner)
  try {
    const server =
      config.workers === 1
        ? await startServer(config, database, log)
        : await startProcesses(config, database)
    const worker = await startWorker(config, database, log)
    log.info({ address: config.publicUrl, docs: `${config.publicUrl}/docs` }, 'serving')
    return [server, worker, database]
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** Server processes, each replaced when it dies; should this one die, they end by themselves. */
async function startProcesses(config: Config, { url, poolSize }: OpenDatabase): Promise<Running> {
  let isStopping = false
  const fork = (): Worker => {
    const child = cluster.fork({ [databaseVariable]: url, [poolSizeVariable]: poolSize })
    child.once('exit', (code, signal) => {
      if (isStopping) return
      log.warn({ pid: child.process.pid, code, signal }, 'a server process ended')
      // A second between tries, should it die at every start.
      setTimeout(() => isStopping || fork(), 1000)
    })
    return child
  }
  const stop = async () => {
    isStopping = true
    await Promise.all(Object.values(cluster.workers ?? {}).map(stopProcess))
  }
  try {
    await Promise.all(Array.from({ length: config.workers }, fork).map(isListening))
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

function isListening(child: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('listening', () => resolve())
    child.once('exit', () => reject(new Error('A server process ended at its start.')))
  })
}

async function stopProcess(child: Worker | undefined): Promise<void> {
  if (!child || child.isDead()) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.process.kill('SIGTERM')
  await ended
}

/**
 * The one time that a made-up password is shown; it is kept nowhere. Before anything else is
 * started, since a start that fails after this is not the first one when it is tried again.
 */
function showPassword(config: Config, newOwner: PreparedDatabase['newOwner']) {
  if (newOwner?.password === undefined) return
  process.stdout.write(
    `\nOpen ${config.publicUrl} and log in with\n  e-mail    ${newOwner.email}\n  password  ${newOwner.password}\nThis password is shown only once.\n\n`,
  )
}

/**
 * What was started is stopped in its order, once it is all there; a person who signals again ends
 * the process at once. Not so a signal that comes twice: npm passes on what the terminal or the
 * service manager has sent to all processes. The server processes listen to the first one only.
 */
function stopOnSignal(starting: Promise<Running[]>) {
  let signalledAt: number | undefined
  const take = (signal: string) => {
    if (cluster.isWorker && signal === 'SIGINT') return
    if (signalledAt === undefined) {
      signalledAt = performance.now()
      // A start that fails is told where it is awaited.
      stop(signal, starting).catch(() => {})
    } else if (cluster.isPrimary && performance.now() - signalledAt > repeatMilliseconds) {
      process.exit(1)
    }
  }
  process.on('SIGTERM', take)
  process.on('SIGINT', take)
}

async function stop(signal: string, starting: Promise<Running[]>): Promise<void> {
  log.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), stopMilliseconds).unref()
  for (const part of await starting) {
    await part.stop().catch((err) => log.error({ err }, 'stopping a part failed'))
  }
  process.exit(0)
}

function readable() {
  return { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }
}
