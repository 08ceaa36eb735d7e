import { format } from './figures.ts'
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

/** Baseline and service in turns, so that what else the machine does meets both alike. */
export async function takeTurns(
  generator: Helper,
  sides: { baseline: Side; ours: Side },
  rounds: number,
  onProgress: (text: string) => void,
): Promise<{ baseline: SideResult[]; ours: SideResult[] }> {
  const results: { baseline: SideResult[]; ours: SideResult[] } = { baseline: [], ours: [] }
  for (let round = 1; round <= rounds; round += 1) {
    for (const key of ['baseline', 'ours'] as const) {
      const result = await measureSide(generator, sides[key])
      results[key].push(result)
      const { perSecond, p50, p99 } = result
      onProgress(
        `${sides[key].name}, round ${round}: ${format(perSecond)}/s,` +
          ` p50 ${format(p50)} ms, p99 ${format(p99)} ms`,
      )
    }
  }
  return results
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
