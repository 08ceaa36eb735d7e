import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { SetupError } from '../setup-error.ts'

/**
 * Makes the data directory, with those above it, unless it is there.
 * @throws SetupError when that can't be, or nothing can be written in it.
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
 * Makes a directory, with those above it, unless it is there. `mode` is its own, not theirs. Not
 * `recursive: true` of Node, which goes on for ever below /proc.
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

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Another process has the directory. */
export class DirectoryInUse extends SetupError {}

interface DirectoryLock {
  release(): void
}

/** Held for life: a SQLite connection that is collected as garbage gives its lock up. */
const held = new Set<DatabaseSync>()

/**
 * Takes `directory` for this process alone, until `release` or until the process is gone, however
 * it went: the operating system drops the lock, so nothing stale is ever left and no process id
 * has to be believed (in a container they repeat after every restart).
 *
 * Node offers no file locks, but SQLite, which is built into it, takes them on every system; the
 * lock is an open transaction on an empty database. An advisory lock in the PostgreSQL of that
 * directory was the other way: it is lost when PostgreSQL crashes, and two first starts would
 * have to make a cluster before they could ask who may.
 *
 * @throws DirectoryInUse that names the directory and its holder, when another process has it.
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
 * Only for the message. The other process may have had the lock for no more than a moment, and on
 * a busy machine takes a while to write down that it is the holder.
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
