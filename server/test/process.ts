import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeEmbedded } from '../src/db/embedded.ts'
import { createTestDatabase } from './database.ts'
import { findFreePort } from './port.ts'

/** The server in its own process, started as a user starts it. */
export interface ServerProcess {
  pid: number
  /** The output so far. Logs are JSON lines. */
  output(): string
  errors(): string
  /** Resolves when the process has written `text`; rejects if it ends before that. */
  waitFor(text: string): Promise<void>
  /** Sends a signal; resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<ProcessEnd>
  ended: Promise<ProcessEnd>
  /** Closes the pipes of both outputs: what it writes then fails. */
  closeOutput(): void
}

interface ProcessEnd {
  code: number | null
  signal: NodeJS.Signals | null
}

interface How {
  /** Where both outputs go: to the test, or to an open file. */
  output?: 'pipe' | number
  /** How many files it may open. */
  files?: number
}

/** A data directory and a port for the servers of one test. */
export interface Installation {
  dataDir: string
  port: number
  /** `http://127.0.0.1:PORT` */
  address: string
  /** Starts main.ts, or that of another release, with only these settings. */
  start(settings?: Record<string, string>, program?: string, how?: How): ServerProcess
  /** Ends its processes and removes the directory, also if a PostgreSQL still runs there. */
  remove(): Promise<void>
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * `t` removes the installation at the latest. Its services have the embedded PostgreSQL unless their
 * settings name another database. With `usesDatabase` they have one of the test run, which saves the
 * time of making and starting their own.
 */
export async function makeInstallation(
  t: { after(end: () => Promise<void>): unknown },
  { usesDatabase = false, ...options }: { usesDatabase?: boolean; dataDir?: string } = {},
): Promise<Installation> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'lora-fleet-process-')))
  const port = await findFreePort()
  const started: ServerProcess[] = []
  const remove = async () => {
    await Promise.all(started.map((server) => server.end('SIGKILL')))
    if (existsSync(dataDir)) await removeEmbedded({ dataDir, log: quiet })
  }
  t.after(remove)
  const onDatabase = usesDatabase ? await makeDatabase(t) : {}
  return {
    dataDir,
    port,
    address: `http://127.0.0.1:${port}`,
    start(settings, program = main, how = {}) {
      const own = { DATA_DIR: dataDir, PORT: String(port), ...onDatabase, ...settings }
      const server = startProcess(own, program, how)
      started.push(server)
      return server
    },
    remove,
  }
}

async function makeDatabase(t: { after(end: () => Promise<void>): unknown }) {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  return { DATABASE_URL: database.url, SECRET_KEY: 'an invented key of more than 32 characters' }
}

function startProcess(
  settings: Record<string, string>,
  program: string,
  { output = 'pipe', files }: How,
): ServerProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const [command, words] =
    files === undefined
      ? [process.execPath, [program]]
      : ['sh', ['-c', `ulimit -n ${files}; exec "$0" "$1"`, process.execPath, program]]
  const child = spawn(command, words, {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', output, output],
  })
  // 'exit' instead of 'close': the embedded PostgreSQL may outlive the server and keep its pipes
  // open.
  const ended = once(child, 'exit').then(([code, signal]): ProcessEnd => ({ code, signal }))
  const written = collect(child, 'stdout')
  const errors = collect(child, 'stderr')
  assert(child.pid)
  return {
    pid: child.pid,
    output: written,
    errors,
    ended,
    closeOutput() {
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
    end(signal) {
      child.kill(signal)
      return ended
    },
    async waitFor(text) {
      let isOver = false
      const over = once(child, 'close').then(() => {
        isOver = true
      })
      while (!written().includes(text)) {
        assert(!isOver, `The server ended without "${text}":\n${written()}\n${errors()}`)
        await Promise.race([over, once(child.stdout as NodeJS.ReadableStream, 'data')])
      }
    },
  }
}

function collect(child: ChildProcess, name: 'stdout' | 'stderr'): () => string {
  let text = ''
  child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}
