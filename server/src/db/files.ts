import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Writes and syncs a new file that only this user may read. Fails when it exists. */
export function writePrivateFile(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a rename, link or removal in `directory` survive a power cut. Windows can't. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Whether `error` has this code, of Node or of the system. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
