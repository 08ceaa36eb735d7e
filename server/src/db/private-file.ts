import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Writes a new file that only this user may read, down to the disk. Fails when it exists. */
export function writePrivateFile(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a rename, link or removal in `directory` outlast a power cut. Not offered by Windows. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
