import { execFile, spawn, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/*
 * A run is in a network namespace of its own, where packets can be dropped without harm to the machine, and
 * which ends with the run. A proxy that falls silent still acknowledges what it gets. Here nothing comes back,
 * and what was lost comes late, when the kernel sends it again.
 */

/** Packets that the kernel drops. */
export interface Packets {
  /** Loses all packets from and to these ports. Returns what ends that. */
  lose(ports: readonly number[]): Promise<() => Promise<unknown>>
}

const marker = 'FAULTS_IN_NAMESPACE'
const nft = 'nft'
const table = 'inet faults'
const makeTable = `add table ${table}; add chain ${table} input { type filter hook input priority 0; }`

/**
 * Runs this program again in a network namespace, with root and Debian's nftables. Resolves with its exit status;
 * undefined where it can't, or has done so.
 */
export async function runInNamespace(environment: NodeJS.ProcessEnv): Promise<number | undefined> {
  if (environment[marker]) return undefined
  const within = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  const isPossible = spawnSync('unshare', [...within, nft, makeTable]).status === 0
  if (!isPossible) return undefined
  const [program = '', ...words] = process.argv
  const child = spawn('unshare', [...within, program, ...process.execArgv, ...words], {
    stdio: 'inherit',
    env: { ...environment, [marker]: 'yes' },
  })
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => child.kill(name))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** Undefined where `runInNamespace` was not possible. */
export async function startPackets(environment: NodeJS.ProcessEnv): Promise<Packets | undefined> {
  if (!environment[marker]) return undefined
  const rule = promisify(execFile)
  await rule(nft, [makeTable])
  return {
    async lose(ports) {
      const drop = (end: string) =>
        `add rule ${table} input tcp ${end} { ${ports.join(', ')} } drop`
      await rule(nft, [`${drop('sport')}; ${drop('dport')}`])
      return () => rule(nft, [`flush chain ${table} input`])
    },
  }
}
