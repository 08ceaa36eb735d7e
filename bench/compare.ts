import { type Figure, format, median } from './figures.ts'
import type { Load, LoadResult } from './generator.ts'
import type { ProbeReading } from './probe.ts'
import type { Helper } from './process.ts'

/** One side of a comparison: the process under load, and the load. */
export interface Side {
  name: string
  process: Helper
  load: Load
}

export interface SideResult extends LoadResult {
  server: ProbeReading
  generator: ProbeReading
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
 * first round compiles the programs and fills the caches; it is not counted.
 */
export async function takeTurns(
  generator: Helper,
  sides: { baseline: Side; ours: Side },
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
      ` ${cost(ours)} µs, ${baselineName} ${cost(baseline)} µs; ${bytes(ours)} bytes,` +
      ` ${baselineName} ${bytes(baseline)}; generator at most ${generatorShare(baseline, ours)} of a core`,
  }
}

/** Microseconds of CPU that the server process spends on one answer, the database not included. */
function cost(sides: SideResult[]): string {
  return format(median(sides.map(({ server, perSecond }) => (server.cpu / perSecond) * 1e6)))
}

/** Near 100 % the generator is the bottleneck. */
function generatorShare(baseline: SideResult[], ours: SideResult[]): string {
  const shares = [...baseline, ...ours].map(({ generator }) => generator.cpu)
  return `${format(Math.max(...shares) * 100)} %`
}

async function measureSide(generator: Helper, { process, load }: Side): Promise<SideResult> {
  await process.ask({ probe: 'reset' })
  await generator.ask({ probe: 'reset' })
  const result = await generator.ask<LoadResult | { error: string }>({ load })
  if ('error' in result) throw new Error(`the load on ${load.path} failed: ${result.error}`)
  return {
    ...result,
    server: await process.ask<ProbeReading>({ probe: 'read' }),
    generator: await generator.ask<ProbeReading>({ probe: 'read' }),
  }
}
