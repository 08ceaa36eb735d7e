import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { hasCode } from '../files.ts'
import { SetupError } from '../setup-error.ts'

/**
 * Makes the data directory and its parents when they are missing.
 * @throws SetupError when it can't be made or written to.
 */
export async function makeDataDirectory(path: string): Promise<void> {
  try {
    await makeWithParents(path)
    await access(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new SetupError(
      `DATA_DIR ${path} can't be used: set it to a directory that this user may write (${why}).`,
    )
  }
}

/**
 * Makes a directory and its parents when they are missing. `mode` is not for the parents. Node's
 * `recursive: true` never ends below /proc.
 */
export async function makeWithParents(path: string, mode = 0o777): Promise<void> {
  if (await isDirectory(path)) return
  try {
    await mkdir(path, { mode })
  } catch (error) {
    const isParentMissing = hasCode(error, 'ENOENT') && !(await isDirectory(dirname(path)))
    if (isParentMissing && dirname(path) !== path) {
      await makeWithParents(dirname(path))
      await mkdir(path, { mode })
    } else if (!(hasCode(error, 'EEXIST') && (await isDirectory(path)))) {
      throw error
    }
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

/** Another process holds the directory. */
export class DirectoryInUse extends SetupError {}

interface DirectoryLock {
  release(): void
}

/** Keeps locks referenced: a garbage-collected SQLite connection releases its lock. */
const held = new Set<DatabaseSync>()

/**
 * Locks `directory` for this process, until `release` or until the process ends in any way. The
 * operating system drops the lock, so no stale lock remains, and no process id is trusted (in a
 * container they repeat after every restart).
 *
 * Node has no file locks, but its built-in SQLite takes them on every system: the lock is an open
 * transaction on an empty database. An advisory lock in the PostgreSQL of the directory would be lost
 * when PostgreSQL crashes, and two first starts would have to make a cluster before they could ask.
 *
 * @throws DirectoryInUse that names the directory and its holder.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const lockFile = join(directory, 'server.lock')
  const holderFile = join(directory, 'server.pid')
  const database = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = memory')
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (!isBusy(error)) {
      const why = error instanceof Error ? error.message : String(error)
      throw new SetupError(`${lockFile} can't be locked: ${why}.`)
    }
    const holder = await describeHolder(holderFile)
    const words = `The data directory ${directory} is in use by ${holder}: stop that one first.`
    throw new DirectoryInUse(words)
  }
  held.add(database)
  writeFileSync(holderFile, `${process.pid} on ${hostname()}\n`)
  return {
    release() {
      if (!held.delete(database)) return
      rmSync(holderFile, { force: true })
      database.close()
    },
  }
}

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5
}

/**
 * Names the holder in the message. A process that has just taken the lock may need a moment to write
 * its name.
 */
async function describeHolder(holderFile: string): Promise<string> {
  for (let look = 0; look < mostLooks; look += 1) {
    await wait(100)
    const holder = readHolder(holderFile)
    if (holder) return `another server (process ${holder})`
  }
  return 'another server'
}

const mostLooks = 20

function readHolder(holderFile: string): string {
  try {
    return readFileSync(holderFile, 'utf8').trim()
  } catch {
    return ''
  }
}
