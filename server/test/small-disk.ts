import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../src/db/files.ts'

const run = promisify(execFile)

export interface SmallDisk {
  path: string
  /** Takes the room that is left. */
  fill(): Promise<void>
  /** Gives the room back. */
  free(): Promise<void>
}

/** A file system of its own in memory. Skips the test, and gives none, if none can be mounted. */
export async function mountSmallDisk(
  t: { after(end: () => Promise<void>): unknown; skip(why: string): void },
  bytes: number,
): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'small-disk-'))
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]).then(
    () => true,
    () => false,
  )
  t.after(async () => {
    if (isMounted) await run('umount', ['--lazy', path])
    await rm(path, { recursive: true, force: true })
  })
  if (!isMounted) {
    t.skip('no file system can be mounted here: that takes Linux and root')
    return undefined
  }
  const ballast = join(path, 'ballast')
  return {
    path,
    async fill() {
      for (let size = 2 ** 20; size >= 2 ** 12; ) {
        const isWritten = await appendFile(ballast, Buffer.alloc(size)).then(() => true, isFull)
        if (!isWritten) size /= 2
      }
    },
    free: () => truncate(ballast),
  }
}

function isFull(error: unknown): false {
  if (hasCode(error, 'ENOSPC')) return false
  throw error
}
