import cluster from 'node:cluster'
import pino from 'pino'
import { type Config, ConfigError, readConfig } from './config.ts'
import { prepareDatabase, type Running, startServer, startWorker } from './start.ts'

/** Names the database to the processes that share the port. */
const databaseVariable = 'SERVER_PROCESS_DATABASE_URL'
/** After SIGTERM, at the latest (ARCHITECTURE.md, run contract). */
const stopMilliseconds = 25_000

const log = pino({ level: 'info', ...(process.stdout.isTTY ? readable() : {}) })

try {
  const config = readConfig(process.env)
  log.level = config.logLevel
  const databaseUrl = process.env[databaseVariable]
  const running = databaseUrl
    ? [await startServer(config, databaseUrl, log)]
    : await startAll(config)
  stopOnSignal(running)
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
  else log.fatal({ err: error }, error instanceof Error ? error.message : 'start failed')
  process.exit(1)
}

/** The database, the background work, and the server: here, or in as many processes as asked. */
async function startAll(config: Config): Promise<Running[]> {
  const database = await prepareDatabase(config, log)
  try {
    const server =
      config.workers === 1
        ? await startServer(config, database.url, log)
        : await startProcesses(config, database.url)
    const worker = await startWorker(config, database.url, log)
    greet(config, database.newOwner)
    return [server, worker, database]
  } catch (error) {
    await database.stop()
    throw error
  }
}

async function startProcesses(config: Config, databaseUrl: string): Promise<Running> {
  let isStopping = false
  const fork = () =>
    new Promise<void>((resolve) => {
      const child = cluster.fork({ [databaseVariable]: databaseUrl })
      child.once('listening', () => resolve())
      child.once('exit', () => {
        resolve()
        // A second between tries, should it die at every start.
        if (!isStopping) setTimeout(fork, 1000)
      })
    })
  await Promise.all(Array.from({ length: config.workers }, fork))
  return {
    async stop() {
      isStopping = true
      const children = Object.values(cluster.workers ?? {}).flatMap((child) => child ?? [])
      await Promise.all(
        children.map((child) => {
          child.process.kill('SIGTERM')
          return new Promise((resolve) => child.once('exit', resolve))
        }),
      )
    },
  }
}

/** The one time that a made-up password is shown; it is kept nowhere. */
function greet(config: Config, newOwner: Awaited<ReturnType<typeof prepareDatabase>>['newOwner']) {
  log.info({ address: config.publicUrl, docs: `${config.publicUrl}/docs` }, 'serving')
  if (newOwner?.password === undefined) return
  process.stdout.write(
    `\nOpen ${config.publicUrl} and log in with\n  e-mail    ${newOwner.email}\n  password  ${newOwner.password}\nThis password is shown only once.\n\n`,
  )
}

/** What was started is stopped in its order; a second signal ends the process at once. */
function stopOnSignal(running: Running[]) {
  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), stopMilliseconds).unref()
    for (const part of running) {
      await part.stop().catch((err) => log.error({ err }, 'stopping a part failed'))
    }
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function readable() {
  return { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }
}
