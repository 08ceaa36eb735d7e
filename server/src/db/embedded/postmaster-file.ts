import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

/** What PostgreSQL notes about itself in `postmaster.pid` (src/include/utils/pidfile.h). */
export interface PostmasterFile {
  readonly pid: number
  /** As it was given at its start. */
  readonly directory: string
  readonly port: number
  /** Empty where it listens on a port alone. */
  readonly socketDirectory: string
  readonly isReady: boolean
  /** It came with a copied data directory, and speaks of the PostgreSQL of another one. */
  readonly isCopied: boolean
}

/** Undefined when PostgreSQL does not run there, or has not come far enough to say so. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  const directory = lines[1]
  if (!Number.isSafeInteger(pid) || pid <= 0 || !directory) return undefined
  const port = Number(lines[3])
  const socketDirectory = lines[4] ?? ''
  const isReady = lines[7]?.trim() === 'ready'
  const isCopied = await isElsewhere(directory, cluster)
  return { pid, directory, port, socketDirectory, isReady, isCopied }
}

/**
 * Whether the process of that number is the PostgreSQL that wrote the file, and not one that got
 * the number later. A zombie has no command line, and counts as gone.
 */
export async function isPostmasterAlive(file: PostmasterFile): Promise<boolean> {
  if (file.isCopied) return false
  return isProcessAlive(file.pid) && (await readCommand(file.pid)).includes(file.directory)
}

/**
 * Whether `directory` is there and another one than `cluster`. A name that is gone is the former
 * one of a directory that was moved.
 */
async function isElsewhere(directory: string, cluster: string): Promise<boolean> {
  if (directory === cluster) return false
  const own = await stat(cluster)
  try {
    const { dev, ino } = await stat(directory)
    return dev !== own.dev || ino !== own.ino
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ENOENT')
  }
}

/** Whether any process has that number. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function readCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const [program, args]: [string, string[]] =
    process.platform === 'win32'
      ? [
          'powershell',
          [
            '-NoProfile',
            '-Command',
            `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`,
          ],
        ]
      : ['ps', ['-p', String(pid), '-o', 'command=']]
  const { output } = await runProgram(program, args)
  return output
}
