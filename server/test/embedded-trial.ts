/**
 * Shared by the tests of the embedded PostgreSQL: directories, servers in them, and ways to kill
 * them.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from '../src/db/connect.ts'
import type { Log } from '../src/db/embedded/postmaster.ts'
import { readPostmasterFile } from '../src/db/embedded/postmaster-file.ts'
import { type EmbeddedPostgres, removeEmbedded, startEmbedded } from '../src/db/embedded.ts'
import { DatabaseUnavailable } from '../src/db/errors.ts'

export interface Trial {
  /** Returns the data directory of this name. */
  dataDir(name: string): string
  /** Starts PostgreSQL as a child of this process. */
  start(name: string, log?: Log): Promise<EmbeddedPostgres>
  /** Starts a server process that only starts its PostgreSQL and keeps it running. */
  spawnServer(name: string): ChildProcess
  remove(name: string): Promise<void>
  /** Ends all processes and removes all directories, even after a failed test. */
  close(): Promise<void>
}

const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

const serverScript = `
  const { startEmbedded } = await import(process.argv[1])
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const started = await startEmbedded({ ...JSON.parse(process.argv[2]), log }).catch((error) => error)
  console.log(started instanceof Error ? started.message : 'started')
  setInterval(() => {}, 1000)`

export async function openTrial(settings: Record<string, string> = {}): Promise<Trial> {
  const directory = await mkdtemp(join(tmpdir(), 'embedded-test-'))
  // When the tests run as root, PostgreSQL's user needs access to the directory.
  await chmod(directory, 0o755)
  const shelter = join(directory, 'shelter')
  const servers: ChildProcess[] = []
  const started: EmbeddedPostgres[] = []
  const optionsOf = (name: string) => ({ dataDir: join(directory, name), shelter, settings })
  const remove = (name: string) => removeEmbedded({ ...optionsOf(name), log: silentLog })
  return {
    dataDir: (name) => join(directory, name),
    async start(name, log = silentLog) {
      const postgres = await startEmbedded({ ...optionsOf(name), log })
      started.push(postgres)
      return postgres
    },
    spawnServer(name) {
      const module = new URL('../src/db/embedded.ts', import.meta.url).href
      const options = JSON.stringify(optionsOf(name))
      const args = ['--input-type=module', '-e', serverScript, module, options]
      const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      servers.push(server)
      return server
    },
    remove,
    async close() {
      for (const server of servers) server.kill('SIGKILL')
      await Promise.all(started.map(({ stop }) => stop()))
      for (const name of readdirSync(directory)) await remove(name)
      await rm(directory, { recursive: true })
    },
  }
}

/** Reads the line that a server process writes: "started", or the reason why it did not start. */
export async function readAnswer(server: ChildProcess): Promise<string> {
  assert(server.stdout)
  const [line] = await once(createInterface({ input: server.stdout }), 'line')
  return line
}

/** Sends SIGKILL (kill -9), and waits until the process has ended. */
export async function kill(server: ChildProcess): Promise<void> {
  server.kill('SIGKILL')
  await once(server, 'exit')
}

/** Returns the process id of the PostgreSQL that runs in a data directory. */
export async function readPostmasterId(dataDir: string): Promise<number> {
  const file = await readPostmasterFile(join(dataDir, 'postgres', 'cluster'))
  assert(file)
  return file.pid
}

/** Runs a statement. Waits up to 10 s for a PostgreSQL that restarts. */
export async function run<Row>({ url }: { url: string }, text: string): Promise<Row[]> {
  const end = performance.now() + 10_000
  const db = connect(url)
  try {
    for (;;) {
      try {
        return await db.query<Row>(text)
      } catch (error) {
        if (performance.now() > end || !(error instanceof DatabaseUnavailable)) throw error
        await wait(20)
      }
    }
  } finally {
    await db.close()
  }
}
