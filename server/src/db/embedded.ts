import { existsSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ensureCluster } from './embedded/cluster.ts'
import { lockDirectory, makeDataDirectory } from './embedded/data-directory.ts'
import { addressOf, chooseEndpoint } from './embedded/endpoint.ts'
import { choosePlace, readMemory } from './embedded/place.ts'
import { type Log, stopOrphan } from './embedded/postmaster.ts'
import { isPostmasterAlive, readPostmasterFile } from './embedded/postmaster-file.ts'
import { findPrograms } from './embedded/programs.ts'
import { describeDeniedAccess } from './embedded/start-failure.ts'
import { supervise } from './embedded/supervise.ts'

interface EmbeddedOptions {
  /** Made when it is missing. One server process at a time holds it. */
  readonly dataDir: string
  /** For instance a pino logger. */
  readonly log: Log
  /** Settings of PostgreSQL that override postgresql.conf, for instance `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Where programs and data go when PostgreSQL's user can't reach them. Only used as root. */
  readonly shelter?: string
}

export interface EmbeddedPostgres {
  /** With the password. Stays the same when PostgreSQL crashes and is restarted. */
  readonly url: string
  /** The cluster, with postgresql.conf. */
  readonly directory: string
  /** Fast shutdown, within 15 s. Close the connections first. */
  stop(): Promise<void>
}

const defaultShelter = '/var/lib/lora-fleet-console'

/** Short lines for `logLine`, without statements, which may hold personal data. */
const logSettings = [
  'log_destination=stderr',
  'logging_collector=off',
  'log_line_prefix=',
  'log_error_verbosity=terse',
  'log_min_error_statement=panic',
]

/**
 * After a kill, PostgreSQL flushes its data before it recovers: file by file, which takes seconds with
 * thousands of tables, or with one call for the whole file system, which only Linux has.
 */
const recoverySettings = process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []

/**
 * Runs a real PostgreSQL on `dataDir`, which the first start makes, as a child of this process, and
 * restarts it when it crashes. When this process dies without `stop`, PostgreSQL goes on as a
 * harmless orphan. The next start stops it and uses its data.
 *
 * @throws Error for a person to read: another server holds the directory, no PostgreSQL for this
 *   system, no user to run it as, data of another major version, or PostgreSQL's own message.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  // Without programs, as in the image, no directory would help.
  await findPrograms()
  await makeDataDirectory(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const lock = await lockDirectory(dataDir)
  try {
    const { url, directory, stop } = await start(dataDir, options)
    const stopAndUnlock = () => stop().finally(() => lock.release())
    return { url, directory, stop: stopAndUnlock }
  } catch (error) {
    lock.release()
    throw describeDeniedAccess(dataDir, error)
  }
}

/** Whether a data directory seems to hold a database. Starts nothing. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres.json'))
}

/** Milliseconds that another server may take to start its PostgreSQL. */
const startPatience = 30_000

/**
 * The address of the PostgreSQL of another process, which holds the lock of `dataDir`.
 * @throws Error when none runs there.
 */
export async function findRunning(dataDir: string): Promise<string> {
  const end = performance.now() + startPatience
  do {
    const memory = await readMemory(dataDir)
    const area = memory?.area ?? join(dataDir, 'postgres')
    const file = await readPostmasterFile(join(area, 'cluster'))
    if (memory && file?.isReady && (await isPostmasterAlive(file))) {
      return addressOf(memory.password, file.socketDirectory, file.port)
    }
    await wait(200)
  } while (performance.now() < end)
  throw new Error(`A server has ${dataDir}, but its PostgreSQL does not run: look into its log.`)
}

/**
 * Removes a scratch data directory with all its content, and stops the PostgreSQL that an earlier
 * run may have left there.
 * @throws Error when a server process uses the directory.
 */
export async function removeEmbedded(options: EmbeddedOptions): Promise<void> {
  const dataDir = await realpath(options.dataDir)
  const lock = await lockDirectory(dataDir)
  try {
    const place = await choosePlace(dataDir, options.shelter ?? defaultShelter)
    await stopOrphan(place, options.log)
    await rm(place.area, { recursive: true, force: true })
  } finally {
    lock.release()
  }
  await rm(dataDir, { recursive: true, force: true })
}

async function start(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, settings = {}, shelter = defaultShelter } = options
  const place = await choosePlace(dataDir, shelter)
  // A copied data directory names the same data elsewhere: the copy's lock does not protect that.
  const lock = place.isMoved ? await lockDirectory(place.area) : undefined
  await ensureCluster(place, settings.fsync !== 'off')
  const endpoint = await chooseEndpoint(place)
  const own = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const launch = {
    place,
    settings: [...endpoint.settings, ...logSettings, ...recoverySettings, ...own],
    log,
  }
  const { stop } = await supervise(launch)
  const where = {
    directory: place.cluster,
    programs: place.programs.root,
    user: place.account?.uid,
  }
  if (place.isMoved) {
    log.warn(where, `PostgreSQL's user can't enter ${dataDir}: the data are in ${place.cluster}.`)
  } else {
    log.info(where, 'The embedded PostgreSQL runs.')
  }
  const stopAndClean = async () => {
    await stop()
    await endpoint.remove()
    lock?.release()
  }
  return { url: endpoint.url, directory: place.cluster, stop: stopAndClean }
}
