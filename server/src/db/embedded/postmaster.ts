import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { Place } from './place.ts'
import {
  isPostmasterAlive,
  isProcessAlive,
  type PostmasterFile,
  readPostmasterFile,
} from './postmaster-file.ts'
import { programEnvironment, runProgram } from './run-program.ts'
import { describeStartFailure } from './start-failure.ts'

/** Takes what PostgreSQL logs; for instance a pino logger. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface Launch {
  readonly place: Place
  /** Settings of PostgreSQL, as `name=value`. */
  readonly settings: readonly string[]
  readonly log: Log
}

/** One run of PostgreSQL, as a child process. */
export interface Postmaster {
  readonly child: ChildProcess
  /** Resolves to how it ended; never rejects. */
  readonly ended: Promise<string>
  /** How it ended; undefined while it runs. */
  readonly end: () => string | undefined
  /** Its last lines of output. */
  readonly lastWords: () => string
}

/** Milliseconds between checks of a file or a process. */
const pollInterval = 20

/** Milliseconds for a fast shutdown. Then it ends without a checkpoint, and the next start recovers. */
const fastShutdownTime = 10_000
/** Milliseconds in total until it is killed. */
const shutdownTime = 15_000

/**
 * Starts PostgreSQL, and does not wait until it is ready (`waitUntilReady`).
 *
 * It gets a session of its own, because Ctrl-C in a terminal goes to all processes of the session:
 * PostgreSQL would stop before the server has written what it still holds.
 */
export async function spawnPostmaster(launch: Launch): Promise<Postmaster> {
  const { place, log } = launch
  const stale = await readStaleFile(place.cluster)
  const child = spawn(
    place.programs.postgres,
    ['-D', place.cluster, ...launch.settings.flatMap((setting) => ['-c', setting])],
    {
      ...place.account,
      cwd: '/',
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      // PostgreSQL ignores an old postmaster.pid when its id is that of the grandparent
      // (src/backend/utils/init/miscinit.c, CreateLockFile). This tells it that another process has
      // the id now, which is usual in containers. Removing the file instead would skip its check for
      // old backends that still use the shared memory.
      env: { ...programEnvironment(), ...(stale && { PG_GRANDPARENT_PID: String(stale.pid) }) },
    },
  )
  const words: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    words.push(line)
    if (words.length > 10) words.shift()
    logLine(log, line)
  })
  let end: string | undefined
  const ended = new Promise<string>((resolve) => {
    const settle = (how: string) => {
      end = how
      resolve(how)
    }
    child.on('error', (error) => settle(error.message))
    child.on('exit', (code, signal) => settle(signal ?? `exit code ${code}`))
  })
  return { child, ended, end: () => end, lastWords: () => words.join('\n') }
}

async function readStaleFile(cluster: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(cluster)
  return file && !(await isPostmasterAlive(file)) ? file : undefined
}

/** What each connection that is still open says when we stop PostgreSQL (postgres.c). */
const stopWords = 'FATAL:  terminating connection due to administrator command'

/**
 * LOG and ERROR are routine (checkpoints, failed statements, whose senders get the error) and come
 * without the statement.
 */
function logLine(log: Log, line: string): void {
  const severity = /^(\w+): {2}/.exec(line)?.[1]
  if (line === stopWords) log.debug({}, `PostgreSQL: ${line}`)
  else if (severity === 'PANIC') log.error({}, `PostgreSQL: ${line}`)
  else if (severity === 'WARNING' || severity === 'FATAL') log.warn({}, `PostgreSQL: ${line}`)
  else log.debug({}, `PostgreSQL: ${line}`)
}

/**
 * Waits until PostgreSQL accepts connections, without a limit: after a crash it first replays its
 * log, which may take minutes.
 * @throws SetupError with its last words and the remedy, when it ends instead.
 */
export async function waitUntilReady(postmaster: Postmaster, cluster: string): Promise<void> {
  for (;;) {
    const end = postmaster.end()
    const file = await readPostmasterFile(cluster)
    if (file?.isReady && file.pid === postmaster.child.pid) return
    if (end !== undefined) {
      throw describeStartFailure(cluster, end, postmaster.lastWords())
    }
    await wait(pollInterval)
  }
}

/** Ends a PostgreSQL of this process by a fast shutdown, or by force when that takes too long. */
export async function stopPostmaster(place: Place, postmaster: Postmaster): Promise<void> {
  const { pid } = postmaster.child
  if (pid === undefined) return
  await endProcess(place, pid, async () => postmaster.end() !== undefined)
}

/**
 * Ends the PostgreSQL of a server that is gone. Callers must hold the lock of the data directory,
 * which proves that it is an orphan.
 */
export async function stopOrphan(place: Place, log: Log): Promise<void> {
  const file = await readPostmasterFile(place.cluster)
  if (!file || !(await isPostmasterAlive(file))) return
  log.warn({ pid: file.pid }, 'A PostgreSQL of an earlier run is still there and is stopped.')
  await endProcess(place, file.pid, async () => !(await isPostmasterAlive(file)))
}

async function endProcess(
  place: Place,
  pid: number,
  isOver: () => Promise<boolean>,
): Promise<void> {
  const start = performance.now()
  const steps: [number, NodeJS.Signals][] = [
    [0, 'SIGINT'],
    [fastShutdownTime, 'SIGQUIT'],
    [shutdownTime, 'SIGKILL'],
  ]
  while (!(await isOver())) {
    const step = steps[0]
    if (step && performance.now() - start >= step[0]) {
      await signal(place, pid, step[1])
      steps.shift()
    }
    await wait(pollInterval)
  }
}

/** Sends a signal. Windows has none, so pg_ctl sends PostgreSQL's own. */
async function signal(place: Place, pid: number, name: NodeJS.Signals): Promise<void> {
  if (process.platform === 'win32' && name !== 'SIGKILL') {
    await runProgram(place.programs.pgCtl, ['kill', name.replace('SIG', ''), String(pid)])
    return
  }
  if (isProcessAlive(pid)) process.kill(pid, name)
}
