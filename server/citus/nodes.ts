import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseAccount, mustRun } from '../src/db/embedded/run-program.ts'
import { makeNode, type Node } from '../test/postgres-node.ts'

/** A cluster on loopback, with data that nobody keeps. */
export interface Nodes {
  coordinator: Node
  workers: Node[]
  /** Starts a standby that follows this node from a copy. */
  addStandby(of: Node, port: number): Promise<Node>
  stop(): Promise<void>
}

/**
 * For clusters that need not survive a crash of the machine. Commits stay synchronous: a shard that moves
 * takes along what is in the WAL, and would lose those that are only in memory.
 */
export const careless = { full_page_writes: 'off' }

const usual = {
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
  'citus.recover_2pc_interval': '5s',
}

interface NodesOptions {
  /** Of the coordinator and of each worker. */
  ports: readonly number[]
  /** Beside the usual ones. */
  settings?: Readonly<Record<string, string>>
  path: string
  /** Where the data is; the usual place of temporary files by default. */
  folder?: string
  /** Beside what all have. */
  environment?: Readonly<Record<string, string>> | undefined
}

/** Starts a coordinator and its workers, with the programs in `bin`. */
export async function startNodes(
  bin: string,
  { ports, settings = {}, path, folder = tmpdir(), environment }: NodesOptions,
): Promise<Nodes> {
  const directory = await mkdtemp(join(folder, 'lora-citus-'))
  const account = await chooseAccount(directory)
  if (account) await mustRun('chown', [`${account.uid}:${account.gid}`, directory])
  const run = (program: string, words: readonly string[]) =>
    mustRun(join(bin, program), words, { account })
  const nodes: Node[] = []
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await rm(directory, { recursive: true, force: true })
  }
  const start = async (port: number, fill: (data: string) => Promise<unknown>) => {
    const data = join(directory, String(port))
    await fill(data)
    const node = makeNode({
      ...{ program: join(bin, 'postgres'), account, data, port, isDetached: true },
      settings: { ...usual, ...settings },
      // The nodes call each other as clients, which look for certificates in the home.
      environment: { PATH: path, HOME: directory, LC_ALL: 'C.UTF-8', ...environment },
    })
    nodes.push(node)
    await node.start()
    return node
  }
  const initialize = (data: string) =>
    run('initdb', [
      ...['-D', data, '-A', 'trust', '-U', 'postgres', '--locale=C.UTF-8', '-E', 'UTF8'],
    ])
  try {
    const started = await Promise.allSettled(ports.map((port) => start(port, initialize)))
    const [coordinator, ...workers] = started.map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
    if (!coordinator) throw new Error('A cluster has a port for each node.')
    return {
      coordinator,
      workers,
      addStandby: (of, port) =>
        start(port, (data) =>
          run('pg_basebackup', [
            ...['-D', data, '-R', '--checkpoint=fast'],
            ...['-d', `host=127.0.0.1 port=${of.port} user=postgres`],
          ]),
        ),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
