import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where Debian and Homebrew install servers, which not everyone has in the path. */
const furtherFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin']

/** Returns the path of an installed program. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...furtherFolders]
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/**
 * Why a test is skipped that needs a program; false if it is installed. CI counts these words as
 * a failure (.ci/count.awk), since it installs the programs.
 */
export function skipWithout(name: string): string | false {
  return findProgram(name) ? false : `${name} is not installed`
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
