import cluster, { type Worker } from 'node:cluster'
import pino from 'pino'
import { type Config, readConfig } from './config.ts'
import { SetupError } from './db/setup-error.ts'
import type { MetricRow } from './features/operation/metrics/metric-queries.ts'
import { localNames } from './networks/outside.ts'
import { answerFirstProcess, askProcesses } from './process/ask-processes.ts'
import { tryAddress } from './process/listening.ts'
import { describeError } from './process/log-errors.ts'
import { logOutput } from './process/log-output.ts'
import { takeStopSignals } from './process/stop-signals.ts'
import type { createFirstOwner, DatabaseAccess, Running } from './start.ts'
import { traceFields } from './traces/span.ts'

/** Pass the database to the processes that share the port. */
const databaseVariable = 'SERVER_PROCESS_DATABASE_URL'
const poolSizeVariable = 'SERVER_PROCESS_POOL_SIZE'
/** Longest time from SIGTERM to the exit (ARCHITECTURE.md, run contract). */
const stopMilliseconds = 25_000

const isTerminal = process.stdout.isTTY
// Log lines are written in the background. What must follow one of them is written the same way.
const output = isTerminal ? process.stdout : logOutput
const logged = { level: 'info', mixin: traceFields, serializers: { err: describeError } }
const log = isTerminal ? pino({ ...logged, ...readable() }) : pino(logged, logOutput)
process.on('exit', logOutput.flushSync)
// What Node and libraries write themselves, such as warnings, must not end the process either.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const stopping = new AbortController()
let isServing = false

try {
  const config = readConfig(process.env)
  log.level = config.logLevel
  const url = process.env[databaseVariable]
  const poolSize = Number(process.env[poolSizeVariable])
  const starting = url ? startOne(config, { url, poolSize }) : startAll(config)
  stopOnSignal(starting)
  await starting
  isServing = true
} catch (error) {
  // An interrupted start fails in many ways that need no report.
  if (!stopping.signal.aborted) fail(error)
}

/** Starts one of several server processes. */
async function startOne(config: Config, database: DatabaseAccess): Promise<Running[]> {
  const { startServer } = await import('./start.ts')
  const server = await startServer(config, database, log)
  answerFirstProcess(server.readMetrics)
  return [server]
}

function fail(error: unknown): never {
  if (error instanceof SetupError) {
    process.stderr.write(`${error.message}\n`)
  } else {
    log.fatal({ err: error }, error instanceof Error ? error.message : 'start failed')
  }
  process.exit(1)
}

/** Starts the database, the background work, and the server in as many processes as asked. */
async function startAll(config: Config): Promise<Running[]> {
  await tryAddress(config)
  if (config.metricsAddress) await tryAddress(config.metricsAddress, 'METRICS_')
  tellReach(config)
  // The service is loaded once the settings are right: a mistake in them is told at once.
  const start = await import('./start.ts')
  const database = await start.prepareDatabase(config, log, stopping.signal)
  const running: Running[] = [database]
  try {
    // Before the port opens, so that clients that wait for it can log in.
    const owner = await start.createFirstOwner(config, database.url, log)
    try {
      const server =
        config.workers === 1 ? await start.startServer(config, database, log) : undefined
      running.unshift(server ?? (await startProcesses(config, database)))
      const worker = await start.startWorker(config, database, log)
      running.splice(1, 0, worker)
      const readParts = async () => ({
        ...(server ? { server: server.readMetrics() } : await askProcesses<MetricRow[][]>()),
        background: worker.readMetrics(),
      })
      running.unshift(...(await start.startMetrics(config, database, readParts)))
      log.info({ address: config.publicUrl, docs: `${config.publicUrl}/docs` }, 'serving')
    } finally {
      // Also after a failure, because the next start makes no other owner.
      showPassword(config, owner)
    }
    return running
  } catch (error) {
    for (const part of running) await part.stop()
    throw error
  }
}

/** Logs what follows from a local PUBLIC_URL. */
function tellReach({ host, publicUrl, outbound }: Config): void {
  if (!outbound.allowsLocal) return
  log.info(
    { publicUrl, localNames },
    'PUBLIC_URL is local, so accounts may name addresses of the local network, without TLS too',
  )
  if (host !== '0.0.0.0' && host !== '::') return
  log.warn(
    { host, publicUrl },
    'HOST lets other machines in, and PUBLIC_URL is local: links and callbacks lead there, and' +
      ' accounts may reach into the local network; set PUBLIC_URL to what others call it by',
  )
}

/** Starts server processes, and replaces those that die. They end when this process dies. */
async function startProcesses(config: Config, { url, poolSize }: DatabaseAccess): Promise<Running> {
  let isStopping = false
  const fork = (): Worker => {
    const child = cluster.fork({ [databaseVariable]: url, [poolSizeVariable]: poolSize })
    child.once('exit', (code, signal) => {
      if (isStopping) return
      log.warn({ pid: child.process.pid, code, signal }, 'a server process ended')
      // A second between tries, in case it dies at every start.
      setTimeout(() => isStopping || fork(), 1000)
    })
    return child
  }
  const stop = async () => {
    isStopping = true
    await Promise.all(Object.values(cluster.workers ?? {}).map(stopProcess))
  }
  stopping.signal.throwIfAborted()
  stopping.signal.addEventListener('abort', stop)
  try {
    await Promise.all(Array.from({ length: config.workers }, fork).map(isListening))
  } catch (error) {
    await stop()
    throw error
  } finally {
    stopping.signal.removeEventListener('abort', stop)
  }
  return { stop }
}

function isListening(child: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('listening', () => resolve())
    child.once('exit', () => reject(new SetupError('A server process ended at its start.')))
  })
}

async function stopProcess(child: Worker | undefined): Promise<void> {
  if (!child || child.isDead()) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.process.kill('SIGTERM')
  await ended
}

/** Shows a made-up password. It is stored nowhere, so this is the only time. */
function showPassword(config: Config, newOwner: Awaited<ReturnType<typeof createFirstOwner>>) {
  if (newOwner?.password === undefined) return
  output.write(
    `\nOpen ${config.publicUrl} and log in with\n  e-mail    ${newOwner.email}\n  password  ${newOwner.password}\nThis password is shown only once.\n\n`,
  )
}

/** At the first signal stops all started parts in their order; at the second exits at once. */
function stopOnSignal(starting: Promise<Running[]>): void {
  const take = {
    first: (signal: string) => void stop(signal, starting),
    again: () => process.exit(1),
  }
  takeStopSignals(take, { isChild: cluster.isWorker })
}

async function stop(signal: string, starting: Promise<Running[]>): Promise<void> {
  log.info({ signal }, 'stopping')
  stopping.abort()
  // It has accepted nothing yet, and the first process waits for it.
  if (cluster.isWorker && !isServing) process.exit(0)
  const giveUp = () => {
    log.error('not everything could be finished in time')
    process.exit(1)
  }
  setTimeout(giveUp, stopMilliseconds).unref()
  // A failed start has stopped its parts.
  for (const part of await starting.catch(() => [])) {
    await part.stop().catch((err) => log.error({ err }, 'stopping a part failed'))
  }
  process.exit(0)
}

function readable() {
  return { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }
}
