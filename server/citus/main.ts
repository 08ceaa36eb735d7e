/** `npm run citus`: a Citus cluster on this machine, for tests and for a look at it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { takeStopSignals } from '../src/process/stop-signals.ts'
import { careless, type Nodes, startNodes } from './nodes.ts'
import { findPrograms } from './programs.ts'
import { readTestList } from './test-list.ts'

const help = `npm run citus -- [test [FILES] | bench]

Starts a Citus coordinator and its workers on loopback, with data that nobody keeps.

  (nothing)      until Ctrl-C, with the addresses for DATABASE_URL and CITUS_WORKERS
  test           the tests that CI runs on it (the first part of server/citus/tests.txt)
  test --all     all tests that hold on it
  test FILES     these test files
  bench          ingest and pages beside one PostgreSQL (give --durable as well)
  --workers N    how many workers, up to 8 (default 2)
  --shards N     into how many shards tables are split, up to 64 (default 4)
  --port N       the port of the coordinator; those of the workers follow it (default 25440)
  --durable      writes to the disk as usual, for measurements
  --check        only says whether there is a PostgreSQL with Citus, by exit code 0 or 3
  --help         this text

It needs PostgreSQL 15 or newer with Citus; PG_CONFIG names its pg_config.`

const words = process.argv.slice(2)
if (words.includes('--help')) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}
const port = readNumber('--port', 25_440)
const workerCount = readNumber('--workers', 2)
const shardCount = readNumber('--shards', 4)
const isDurable = words.includes('--durable')
const names = words.filter(
  (word, index) =>
    !word.startsWith('--') && !['--port', '--workers', '--shards'].includes(words[index - 1] ?? ''),
)
if (
  !isWithin(port, 1024, 65_000) ||
  !isWithin(workerCount, 1, 8) ||
  !isWithin(shardCount, 1, 64) ||
  !['test', 'bench'].includes(names[0] ?? 'test')
) {
  process.stderr.write('Unknown words; --help lists what there is.\n')
  process.exit(2)
}
const bin = findPrograms(process.env.PG_CONFIG)
if (bin === undefined) {
  process.stderr.write(
    'There is no PostgreSQL with Citus here; PG_CONFIG may name its pg_config.\n',
  )
  process.exit(3)
}

if (words.includes('--check')) process.exit(0)

let nodes: Nodes | undefined
let tests: ReturnType<typeof spawn> | undefined
let isStopped = false
const starting = startNodes(bin, {
  ports: Array.from({ length: workerCount + 1 }, (_, index) => port + index),
  settings: {
    ...(isDurable ? { fsync: 'on' } : careless),
    'citus.shard_count': String(shardCount),
  },
  path: process.env.PATH ?? '',
})
const { isStopping } = takeStopSignals({
  first: () => {
    tests?.kill('SIGINT')
    void starting.catch(() => {}).then(() => (tests ? undefined : stop(130)))
  },
  again: () => void stop(130),
})
try {
  nodes = await starting
  if (!isStopping()) await use(nodes)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  await stop(1)
}

function readNumber(option: string, usual: number): number {
  return words.includes(option) ? Number(words[words.indexOf(option) + 1]) : usual
}

function isWithin(number: number, least: number, most: number): boolean {
  return Number.isInteger(number) && number >= least && number <= most
}

async function use({ coordinator, workers }: Nodes): Promise<void> {
  const environment = {
    DATABASE_URL: coordinator.url,
    CITUS_WORKERS: workers.map(({ url }) => url).join(','),
  }
  if (names[0] === undefined) {
    for (const [name, value] of Object.entries(environment)) {
      process.stdout.write(`${name}=${value}\n`)
    }
    process.stdout.write('Ctrl-C ends it; nothing is kept.\n')
    return
  }
  const files = names.length > 1 ? names.slice(1) : listTests()
  const testing = ['server/test/run.ts', '--concurrency=2', ...files]
  tests = spawn(process.execPath, names[0] === 'bench' ? ['bench/citus.ts'] : testing, {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  })
  tests.once('exit', (code) => void stop(isStopping() ? 130 : (code ?? 1)))
}

function listTests(): string[] {
  const { forCi, others } = readTestList()
  return words.includes('--all') ? [...forCi, ...others] : forCi
}

async function stop(code: number): Promise<void> {
  if (isStopped) return
  isStopped = true
  await nodes?.stop()
  process.exit(code)
}
