import type { DatabaseClock } from './database-clock.ts'
import { type Figure, format, median } from './figures.ts'
import type { Load, LoadResult } from './generator.ts'
import type { ProbeReading } from './probe.ts'
import type { Helper } from './process.ts'

/** One side of a comparison: the process under load, and the load. */
export interface Side {
  name: string
  process: Helper
  load: Load
  /** Measures what the database costs, if it can be measured. */
  databaseClock?: DatabaseClock | undefined
}

export interface SideResult extends LoadResult {
  server: ProbeReading
  generator: ProbeReading
  /** Microseconds of CPU that the server process spends on one answer, the database not included. */
  cost: number
  /** The same of all processes of the database. */
  databaseCost: number | undefined
}

export interface Comparison {
  /** One for each round. */
  baseline: SideResult[]
  ours: SideResult[]
  /** Answers of the service, including the warm-up. */
  acknowledged: number
  refused: number
}

/**
 * Loads baseline and service in turns, so that other work on the machine affects both alike. The
 * first round compiles the programs and fills the caches; it is not counted, and not followed by `afterRound`.
 */
export async function takeTurns(
  generator: Helper,
  sides: { baseline: Side; ours: Side; afterRound?: (() => Promise<void>) | undefined },
  rounds: number,
  onProgress: (text: string) => void,
): Promise<Comparison> {
  const comparison: Comparison = { baseline: [], ours: [], acknowledged: 0, refused: 0 }
  for (let round = 0; round <= rounds; round += 1) {
    for (const key of ['baseline', 'ours'] as const) {
      const result = await measureSide(generator, sides[key])
      onProgress(
        `${sides[key].name}, ${round === 0 ? 'warm-up' : `round ${round}`}: ${rates(result)}`,
      )
      if (round > 0) comparison[key].push(result)
      if (key === 'baseline') continue
      comparison.acknowledged += result.acknowledged
      comparison.refused += result.refused
    }
    if (round > 0) await sides.afterRound?.()
  }
  return comparison
}

function rates({ perSecond, p50, p99 }: SideResult): string {
  return `${format(perSecond)}/s, p50 ${format(p50)} ms, p99 ${format(p99)} ms`
}

/** The part that most figures share: rates, their ratios, latencies, and the cost of an answer. */
export function ratesFigure(
  name: string,
  baselineName: string,
  { baseline, ours }: Comparison,
): Omit<Figure, 'target'> {
  const rate = (sides: SideResult[]) => `${format(median(sides.map((r) => r.perSecond)))}/s`
  const p99 = (sides: SideResult[]) => format(median(sides.map((side) => side.p99)))
  const bytes = (sides: SideResult[]) => sides[0]?.answerBytes ?? 0
  return {
    name,
    ours: rate(ours),
    baseline: `${rate(baseline)} (${baselineName})`,
    ratios: ours.map((side, round) => side.perSecond / (baseline[round]?.perSecond ?? 0)),
    notes:
      `p99 ${p99(ours)} ms, ${baselineName} ${p99(baseline)} ms; CPU per answer` +
      ` ${costOf(ours)}, ${baselineName} ${costOf(baseline)}; ${bytes(ours)} bytes,` +
      ` ${baselineName} ${bytes(baseline)}; generator at most ${generatorShare(baseline, ours)} of a core`,
  }
}

/** What one answer costs, in words. */
export function costOf(sides: SideResult[]): string {
  const own = `${format(median(sides.map(({ cost }) => cost)))} µs`
  const ofDatabase = sides.flatMap(({ databaseCost }) => databaseCost ?? [])
  return ofDatabase.length === 0 ? own : `${own} and PostgreSQL's ${format(median(ofDatabase))} µs`
}

/** Near 100 % the generator is the bottleneck. */
function generatorShare(baseline: SideResult[], ours: SideResult[]): string {
  const shares = [...baseline, ...ours].map(({ generator }) => generator.cpu)
  return `${format(Math.max(...shares) * 100)} %`
}

export async function measureSide(
  generator: Helper,
  { process, load, databaseClock }: Side,
): Promise<SideResult> {
  await process.ask({ probe: 'reset' })
  await generator.ask({ probe: 'reset' })
  const databaseBegan = databaseClock?.()
  const result = await generator.ask<LoadResult | { error: string }>({ load })
  if ('error' in result) throw new Error(`the load on ${load.path} failed: ${result.error}`)
  const answers = result.acknowledged + result.refused
  const server = await process.ask<ProbeReading>({ probe: 'read' })
  return {
    ...result,
    server,
    generator: await generator.ask<ProbeReading>({ probe: 'read' }),
    cost: (server.cpuSeconds / answers) * 1e6,
    databaseCost: databaseClock && ((databaseClock() - (databaseBegan ?? 0)) / answers) * 1e6,
  }
}
