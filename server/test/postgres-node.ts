import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Account, programEnvironment } from '../src/db/embedded/run-program.ts'
import { runOnServer } from './server.ts'
import { until } from './until.ts'

/** In milliseconds. */
const longestStop = 60_000

/** One PostgreSQL, for tests. */
export interface Node {
  port: number
  data: string
  /** The address of a database there. */
  url: string
  /** Does nothing while it runs. */
  start(): Promise<void>
  /** Ends all its processes at once, as the loss of its machine does. */
  kill(): Promise<void>
  /** Stops all its processes: it answers nothing, and refuses nothing, as a machine without its network. */
  freeze(): Promise<void>
  /** Ends it as an operator does, or at once by SIGQUIT (`-m immediate`). */
  stop(signal?: NodeJS.Signals): Promise<void>
  run<Row extends object>(text: string): Promise<Row[]>
}

interface NodeOptions {
  /** The path of `postgres`. */
  program: string
  /** The user that it runs as, if another one. */
  account?: Account | undefined
  data: string
  port: number
  /** What differs from its files. */
  settings?: Readonly<Record<string, string>>
  /** The database of `url`. */
  database?: string
  environment?: NodeJS.ProcessEnv
  /** Ctrl-C then reaches only this program, which ends it. */
  isDetached?: boolean
}

/** A PostgreSQL on loopback whose data directory is there already. It is not started yet. */
export function makeNode(options: NodeOptions): Node {
  const { port, data, database = 'postgres' } = options
  const server = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  let frozen: number[] = []
  const run = <Row extends object>(text: string) => runOnServer<Row>(server, text)
  const answers = () => run('select').then(Boolean, () => false)
  const node: Node = {
    port,
    data,
    url: `postgres://postgres@127.0.0.1:${port}/${database}`,
    async start() {
      if (isRunning(child)) return
      const isFirst = child === undefined
      child = spawnServer(options)
      await until(() => {
        if (!isRunning(child)) {
          assert.ok(!isFirst, `PostgreSQL does not start on port ${port}: is it taken?`)
          // It found processes that have not noticed yet that it was killed.
          child = spawnServer(options)
        }
        return answers()
      }, `PostgreSQL answers on port ${port}`)
    },
    async kill() {
      if (!child || !isRunning(child)) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      for (const pid of frozen) process.kill(pid, 'SIGKILL')
      frozen = []
      await ended
      // The others notice it, and end.
      await until(async () => !(await answers()), 'its processes have ended')
    },
    async freeze() {
      const others = await node.run<{ pid: number }>(
        'select pid from pg_stat_activity where pid <> pg_backend_pid()',
      )
      child?.kill('SIGSTOP')
      frozen = others.map(({ pid }) => pid)
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    },
    async stop(signal = 'SIGINT') {
      if (!child || !isRunning(child)) return
      if (frozen.length > 0) return node.kill()
      const ended = once(child, 'exit')
      child.kill(signal)
      // A primary waits for a standby that receives its last WAL, even for one that is frozen.
      const impatient = setTimeout(() => child?.kill('SIGQUIT'), longestStop)
      await ended
      clearTimeout(impatient)
    },
    run,
  }
  return node
}

function spawnServer(options: NodeOptions): ChildProcess {
  const { program, account, data, port, environment = programEnvironment() } = options
  const settings = Object.entries({
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // A process that is killed loses nothing that it gave to the system.
    fsync: 'off',
    ...options.settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(program, ['-D', data, '-p', String(port), ...settings], {
    ...account,
    cwd: '/',
    env: environment,
    stdio: 'ignore',
    detached: options.isDetached ?? false,
  })
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null
}
