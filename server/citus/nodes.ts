import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount } from '../src/db/embedded/run-program.ts'

/** A cluster on loopback, with data that nobody keeps. */
export interface Nodes {
  coordinator: string
  workers: string[]
  stop(): Promise<void>
}

/** Nothing here must survive a crash of the machine, unless it is measured. */
const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

const settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '300',
  max_worker_processes: '100',
  max_locks_per_transaction: '256',
  max_wal_size: '1GB',
  // Results that are passed between machines look large to the planner.
  jit: 'off',
  'citus.shard_count': '4',
  'citus.enable_statistics_collection': 'off',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.max_cached_conns_per_worker': '1',
}

const startPatience = 30_000

/** Starts a coordinator and two workers, with the programs in `bin`. */
export async function startNodes(
  bin: string,
  { firstPort, isDurable, path }: { firstPort: number; isDurable: boolean; path: string },
): Promise<Nodes> {
  const directory = mkdtempSync(join(tmpdir(), 'lora-citus-'))
  const account = await chooseAccount(directory)
  const identity = account ? { uid: account.uid, gid: account.gid } : {}
  if (account) execFileSync('chown', [`${account.uid}:${account.gid}`, directory])
  const running: (() => Promise<void>)[] = []
  const stop = async () => {
    await Promise.all(running.map((end) => end()))
    rmSync(directory, { recursive: true, force: true })
  }
  const start = async (index: number) => {
    const data = join(directory, `node${index}`)
    const port = firstPort + index
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-A', 'trust', '-U', 'postgres', '--locale=C.UTF-8', '-E', 'UTF8'],
      { ...identity, cwd: directory, stdio: 'ignore' },
    )
    const all = { ...settings, ...(isDurable ? {} : careless), port: String(port) }
    const options = Object.entries({
      ...all,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // It gets a process group of its own: Ctrl-C then reaches only this program, which ends it.
    const server = spawn(join(bin, 'postgres'), ['-D', data, ...options], {
      ...identity,
      cwd: directory,
      // The nodes call each other as clients, which look for certificates in the home.
      env: { PATH: path, HOME: directory, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'ignore', 'ignore'],
      detached: true,
    })
    const ended = once(server, 'exit')
    running.push(async () => {
      server.kill('SIGINT')
      await ended
    })
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    await waitUntilReady(url, server)
    return url
  }
  try {
    const [coordinator = '', ...workers] = await Promise.all([0, 1, 2].map(start))
    return { coordinator, workers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function waitUntilReady(url: string, server: { exitCode: number | null }): Promise<void> {
  const end = performance.now() + startPatience
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => {})
      if (server.exitCode !== null || performance.now() > end) {
        throw new Error(`PostgreSQL does not start at ${url}: is the port taken?`, { cause: error })
      }
      await sleep(100)
    }
  }
}
