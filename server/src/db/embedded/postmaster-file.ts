import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../files.ts'
import { runProgram } from './run-program.ts'

/** The content of `postmaster.pid` (PostgreSQL src/include/utils/pidfile.h). */
export interface PostmasterFile {
  readonly pid: number
  /** As given at its start. */
  readonly directory: string
  readonly port: number
  /** Empty when it listens only on a port. */
  readonly socketDirectory: string
  readonly isReady: boolean
  /** The file was copied with its data directory, and describes the PostgreSQL of the original. */
  readonly isCopied: boolean
}

/** Undefined when PostgreSQL does not run there, or has not written the file yet. */
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
 * Whether the process with that id is the PostgreSQL that wrote the file, and not a later process
 * with the same id. A zombie has no command line, and counts as gone.
 */
export async function isPostmasterAlive(file: PostmasterFile): Promise<boolean> {
  if (file.isCopied) return false
  return isProcessAlive(file.pid) && (await readCommand(file.pid)).includes(file.directory)
}

/**
 * Whether `directory` exists and is not `cluster`. When it does not exist, it is the former name of a
 * directory that was moved.
 */
async function isElsewhere(directory: string, cluster: string): Promise<boolean> {
  if (directory === cluster) return false
  const own = await stat(cluster)
  try {
    const { dev, ino } = await stat(directory)
    return dev !== own.dev || ino !== own.ino
  } catch (error) {
    return !hasCode(error, 'ENOENT')
  }
}

/** Whether a process with that id exists. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
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
