import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPrograms } from '../server/citus/programs.ts'
import { createTeller, readNumber, untilInterrupted } from '../server/test/long-run.ts'
import { describeViolation, findViolations, guarantees, type Violation } from './check.ts'
import { startClients } from './clients.ts'
import { collectFacts } from './collect.ts'
import type { Facts } from './facts.ts'
import { describeEpisode, type Episode } from './history.ts'
import { runNemesis } from './nemesis.ts'
import { runInNamespace, startPackets } from './packets.ts'
import { type FaultKind, planProcesses } from './plan.ts'
import { createRecorder } from './requests.ts'
import { type Scope, startWorld, type World } from './world.ts'

const help = `npm run faults -- [options]

Runs the service in several processes, with clients, simulated networks and receivers of webhooks, and
injects faults. Then compares what everybody was told with what is there, by docs/guarantees.md.
Everything is on loopback and in temporary directories.

  --seed <number>      the same seed makes the same operations and faults (1)
  --minutes <number>   how long faults are injected (5)
  --citus              on a coordinator and two workers of Citus; PG_CONFIG names its pg_config
  --help               shows this

The exit status is 1 when a guarantee is violated. The history is then kept in a file.`

const tell = createTeller()

interface Settings {
  seed: number
  minutes: number
  /** The programs of a PostgreSQL with Citus, to run on that. */
  citus: string | undefined
}

function readSettings(): Settings | undefined {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '5' },
      citus: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  return {
    seed: readNumber('seed', values.seed, 1_000_000),
    minutes: readNumber('minutes', values.minutes, 600),
    citus: values.citus ? findCitus() : undefined,
  }
}

function findCitus(): string {
  const bin = findPrograms(process.env.PG_CONFIG)
  if (bin) return bin
  throw new Error('There is no PostgreSQL with Citus here; PG_CONFIG may name its pg_config.')
}

/** Runs everything, and removes it again. */
async function run(settings: Settings) {
  await using ends = new AsyncDisposableStack()
  const scope = { after: (end: () => Promise<void>) => ends.defer(end), skip: tell }
  const workers = planProcesses(settings.seed)
  tell(`seed ${settings.seed}: processes with ${workers.join(', ')} workers start`)
  // Awaited here: otherwise everything would be removed while it runs.
  return await untilInterrupted(injectAndCheck(scope, workers, settings))
}

async function injectAndCheck(
  scope: Scope,
  workers: readonly number[],
  { seed, minutes, citus }: Settings,
) {
  const packets = await startPackets(process.env)
  const world = await startWorld(scope, workers, { tell, packets, citus })
  const recorder = createRecorder(world)
  const clients = startClients(world, recorder, seed)
  const leftOut = new Set<FaultKind>()
  const tellEpisode = (episode: Episode) => tell(describeEpisode(episode))
  const end = minutes * 60_000
  await runNemesis(world, recorder, { seed, end, tell: tellEpisode, leftOut })
  await clients.stop()
  const facts = await collectFacts(world, { recorder, silence: clients.silence, tell })
  for (const line of listFailures(world)) tell(line)
  const logs = world.processes.map(({ output }) => output())
  return { facts, violations: findViolations(facts), leftOut, logs }
}

const mostFailures = 3

/** What the logs say about answers 500. */
function listFailures({ processes }: World): string[] {
  const lines = processes.flatMap(({ output }) => output().split('\n'))
  return lines.filter((line) => line.includes('"msg":"request failed"')).slice(0, mostFailures)
}

function count(names: readonly string[]): string {
  const groups = Map.groupBy(names, (name) => name)
  return [...groups].map(([name, same]) => `${same.length} ${name}`).join(', ')
}

const mostShown = 5

function summarize(facts: Facts, violations: readonly Violation[], leftOut: Set<FaultKind>): void {
  const { entries, episodes } = facts
  const lines: string[] = []
  for (const guarantee of guarantees) {
    const own = violations.filter((violation) => violation.guarantee === guarantee)
    lines.push(...own.slice(0, mostShown).map((violation) => describeViolation(violation, facts)))
    if (own.length > mostShown) lines.push(`and ${own.length - mostShown} more of ${guarantee}`)
  }
  const times = episodes.map(({ recovered, end }) => (recovered ?? end) - end)
  const broken = new Set(violations.map(({ guarantee }) => guarantee)).size
  lines.push(
    `requests: ${count(entries.map(({ outcome }) => outcome))}; ${count(entries.map(({ operation }) => operation))}`,
    `injected: ${count(episodes.map(({ kind }) => kind))}`,
    `left out: ${[...leftOut].join(', ') || 'nothing'}`,
    `stored: ${facts.uplinks.length} uplinks, ${facts.downlinks.length} downlinks, ${facts.received.length} events received`,
    `longest recovery: ${(Math.max(0, ...times) / 1000).toFixed(1)} s`,
    `${guarantees.length - broken} passed, ${broken} failed`,
  )
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** For whoever looks for the cause, until the same seed is violated again. */
async function keepFacts(
  { seed, minutes, citus }: Settings,
  facts: Facts,
  violations: readonly Violation[],
  logs: readonly string[],
): Promise<void> {
  const file = join(tmpdir(), `lora-faults-seed-${seed}.json`)
  await writeFile(file, JSON.stringify({ violations, ...facts, logs }, undefined, 1))
  process.stdout.write(
    `Again with: npm run faults -- --seed ${seed} --minutes ${minutes}${citus ? ' --citus' : ''}\n` +
      `The history, what was found at the end, and the logs: ${file}\n`,
  )
}

try {
  const settings = readSettings()
  const status = settings && (await runInNamespace(process.env))
  if (status !== undefined) process.exit(status)
  if (settings) {
    const { facts, violations, leftOut, logs } = await run(settings)
    summarize(facts, violations, leftOut)
    if (violations.length > 0) await keepFacts(settings, facts, violations, logs)
    process.exit(violations.length > 0 ? 1 : 0)
  } else process.stdout.write(`${help}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`)
  // What is still under way has lost everything that it works on.
  process.exit(1)
}
