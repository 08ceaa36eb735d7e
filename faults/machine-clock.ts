import { globSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The clock that the service and its database share, as processes of one machine do. */
export interface MachineClock {
  /** Settings of each process that has this clock. */
  environment: Record<string, string>
  /** Puts it so many seconds ahead of the real time, or behind. Timers go on as before. */
  set(seconds: number): Promise<void>
}

/** Undefined where Debian's libfaketime is not installed. */
export async function startClock(scope: {
  after(end: () => Promise<void>): void
}): Promise<MachineClock | undefined> {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (!library) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'lora-faults-clock-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL reads it as its own user.
  await chmod(folder, 0o755)
  const file = join(folder, 'offset')
  const set = async (seconds: number) => {
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    await rename(`${file}.new`, file)
  }
  await set(0)
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // All see a jump at once.
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  }
}
