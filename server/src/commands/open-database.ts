import { nameOfDatabase } from '../db/addresses.ts'
import { connect, type Database } from '../db/connect.ts'
import { DirectoryInUse } from '../db/embedded/data-directory.ts'
import type { Log } from '../db/embedded/postmaster.ts'
import { findRunning, hasCluster, startEmbedded } from '../db/embedded.ts'
import { describeRefusal } from '../db/errors.ts'
import { checkMigrated, migrationsDirectory } from '../db/migrate.ts'

/** The service's database, as commands use it. */
export interface OpenDatabase {
  db: Database
  url: string
  /** Its name in messages, without the password. */
  where: string
}

/** What a command works with besides the database. */
interface Means {
  log: Log
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

/** The settings that say where the database is. */
export interface Source {
  /** An external PostgreSQL; without it the embedded one of `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
}

/**
 * Runs `work` on the database of the service: the one that DATABASE_URL names, or the embedded one. An
 * embedded one that is not running is started, and stopped at the end. Meanwhile the service can't
 * start.
 * @throws what `work` throws, or the reason of `signal`; an Error for a person to read when there is
 *   no database, or its schema is of another version.
 */
export function withDatabase<T>(
  source: Source,
  means: Means,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  return withAnyDatabase(source, means, async ({ url, where }) => {
    await checkMigrated(url, migrationsDirectory).catch((error) => {
      throw source.databaseUrl ? describeRefusal(error, url) : error
    })
    const db = connect(url, { max: 4, applicationName: 'lora-console' })
    try {
      return await work({ db, url, where })
    } finally {
      // After Ctrl-C the end of the connection rolls back what is under way.
      if (!means.signal.aborted) await db.close()
    }
  })
}

/** The same on a database whose schema may be of an older version. */
export async function withAnyDatabase<T>(
  source: Source,
  { log, signal }: Means,
  work: (database: Omit<OpenDatabase, 'db'>) => Promise<T>,
): Promise<T> {
  const { url, where, stop } = await findDatabase(source, log)
  try {
    return await unlessAborted(signal, () => work({ url, where }))
  } finally {
    await stop()
  }
}

/**
 * Runs `work` on the address of a database to be filled: the one that DATABASE_URL names, or the
 * embedded one of DATA_DIR, which is made when it is missing. Migrates nothing.
 */
export async function withNewDatabase<T>(
  source: Source,
  { log, signal }: Means,
  work: (database: Omit<OpenDatabase, 'db'>) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = source
  const { url, stop } = databaseUrl
    ? { url: databaseUrl, stop: async () => {} }
    : await startEmbedded({ dataDir, log })
  const where = databaseUrl ? nameOfDatabase(databaseUrl) : embeddedIn(dataDir)
  try {
    return await unlessAborted(signal, () => work({ url, where }))
  } finally {
    await stop()
  }
}

/** Rejects as soon as `signal` is aborted; the work then ends with the process. */
async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  const working = work()
  // It may fail later, when its connection ends.
  working.catch(() => {})
  return Promise.race([working, aborted])
}

function embeddedIn(dataDir: string): string {
  return `the embedded one in ${dataDir}`
}

async function findDatabase({ databaseUrl, dataDir }: Source, log: Log) {
  if (databaseUrl) {
    return { url: databaseUrl, where: nameOfDatabase(databaseUrl), stop: async () => {} }
  }
  if (!hasCluster(dataDir)) {
    throw new Error(
      `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL as for the service.`,
    )
  }
  const where = embeddedIn(dataDir)
  try {
    const { url, stop } = await startEmbedded({ dataDir, log })
    return { url, where, stop }
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    return { url: await findRunning(dataDir), where, stop: async () => {} }
  }
}
