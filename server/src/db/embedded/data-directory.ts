import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
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
