import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, AttackResult } from './attacker.ts'
import { type NamedAttack, prepareAttacks } from './attacks.ts'
import type { Bench } from './bench.ts'
import { type Figure, format, median, type Result } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import type { Load, LoadResult } from './generator.ts'
import { type Helper, startProcess } from './process.ts'

const devices = 1000
const ingestConnections = 16
const readConnections = 4

/** Seconds for which an attack runs before the neighbour is measured, and after it. */
const lead = 1
/** Seconds of rest for the server after an attack. */
const rest = 2

/** The result of a load without any answer. */
const nothing = { perSecond: 0, p99: Number.POSITIVE_INFINITY }

/** The neighbour's results of both loads, which run at the same time. */
interface Share {
  uplinks: LoadResult
  reads: LoadResult
}

interface Rounds {
  alone: Share[]
  attacked: Share[]
  /** The answers to the attacker in the last round. */
  answers: AttackResult
}

/**
 * The rate of one organization's uplinks and reads while another organization attacks, against the
 * same load alone. Two organizations share the machine: the fair share is half of the rate alone.
 */
export async function measureNeighbours(bench: Bench): Promise<Result> {
  await using helpers = new AsyncDisposableStack()
  const helper = (module: string) => {
    const started = startProcess(new URL(module, import.meta.url))
    helpers.defer(() => started.stop())
    return started
  }
  const attacker = helper('./attacker.ts')
  const reader = helper('./generator.ts')
  const { path, headers } = await connectNetwork(bench.service)
  await registerDevices(bench.db, devices)
  const { target, headers: caller } = bench.service
  const loads = {
    uplinks: {
      ...{ target, method: 'POST', path, headers, connections: ingestConnections },
      ...{ uplinksOf: devices, seconds: bench.settings.seconds },
    },
    reads: {
      ...{ target, method: 'GET', path: '/v1/devices', headers: caller },
      ...{ connections: readConnections, seconds: bench.settings.seconds },
    },
  } satisfies Record<keyof Share, Load>
  const measure = async (): Promise<Share> => {
    const [uplinks, reads] = await Promise.all([
      ask(bench.generator, loads.uplinks),
      ask(reader, loads.reads),
    ])
    return { uplinks, reads }
  }
  const figures: Figure[] = []
  for (const attack of await prepareAttacks(bench)) {
    figures.push(...toFigures(attack.name, await takeTurns(bench, attack, attacker, measure)))
  }
  return { figures, proofs: [] }
}

async function ask(generator: Helper, load: Load): Promise<LoadResult> {
  const result = await generator.ask<LoadResult | { error: string }>({ load })
  if ('error' in result) throw new Error(`the load on ${load.path} failed: ${result.error}`)
  return result
}

/** Measures alone and under attack in turns. A first round without an attack is not counted. */
async function takeTurns(
  { service, settings, progress }: Bench,
  { name, ...named }: NamedAttack,
  attacker: Helper,
  measure: () => Promise<Share>,
): Promise<Rounds> {
  const rounds: Rounds = { alone: [], attacked: [], answers: {} }
  const seconds = settings.seconds + 2 * lead
  const attack: Attack = { ...named, target: service.target, seconds }
  await measure()
  for (let round = 1; round <= settings.rounds; round += 1) {
    rounds.alone.push(await measure())
    const attacking = attacker.ask<AttackResult>({ attack })
    await sleep(lead * 1000)
    rounds.attacked.push(await measure())
    rounds.answers = await attacking
    progress(`${name}, round ${round}: ${describe(rounds)}`)
    await sleep(rest * 1000)
  }
  return rounds
}

function describe({ alone, attacked, answers }: Rounds): string {
  const one = (share: Share | undefined) =>
    share
      ? `${format(share.uplinks.perSecond)} uplinks/s (p99 ${format(share.uplinks.p99)} ms),` +
        ` ${format(share.reads.perSecond)} reads/s (p99 ${format(share.reads.p99)} ms)`
      : ''
  return `alone ${one(alone.at(-1))}; attacked ${one(attacked.at(-1))}; ${JSON.stringify(answers)}`
}

function toFigures(name: string, { alone, attacked, answers }: Rounds): Figure[] {
  return (['uplinks', 'reads'] as const).flatMap((kind): Figure[] => {
    const of = (shares: Share[], key: 'perSecond' | 'p99') =>
      shares.map((share) => (share[kind].perSecond > 0 ? share[kind][key] : nothing[key]))
    const ratios = (key: 'perSecond' | 'p99', share: number) =>
      of(attacked, key).map((value, round) => value / ((of(alone, key)[round] ?? 0) * share))
    const refused = attacked.reduce((sum, share) => sum + share[kind].refused, 0)
    return [
      {
        name: `neighbour's ${kind}: ${name}`,
        ours: `${format(median(of(attacked, 'perSecond')))}/s`,
        baseline: `${format(median(of(alone, 'perSecond')) / 2)}/s, half of what it has alone`,
        ratios: ratios('perSecond', 0.5),
        target: { word: 'at least', value: 0.5 },
        notes: `${refused} refused; the attacker was answered ${JSON.stringify(answers)}`,
      },
      {
        name: `its p99: ${name}`,
        ours: `${format(median(of(attacked, 'p99')))} ms`,
        baseline: `${format(median(of(alone, 'p99')))} ms alone`,
        ratios: ratios('p99', 1),
        target: { word: 'at most', value: 5 },
        notes: '',
      },
    ]
  })
}
