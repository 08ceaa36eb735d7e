import type { Bench } from './bench.ts'
import { costOf, measureSide, type SideResult } from './compare.ts'
import { openDatabaseClock } from './database-clock.ts'
import { format, median, type Result } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import { countUplinks, proveStored } from './measure-ingest.ts'

const devices = 1000
const connections = 64
const rates = [30, 300, 1500]

/** Uplinks at moderate rates: what one costs both processes, and how soon it is answered. */
export async function measurePaced(bench: Bench): Promise<Result> {
  const { db, service, generator, settings, progress } = bench
  const { path, headers } = await connectNetwork(service)
  await registerDevices(db, devices)
  const before = await countUplinks(bench)
  const databaseClock = await openDatabaseClock(db)
  const counts = { acknowledged: 0, refused: 0 }
  const measure = async (rate: number) => {
    const result = await measureSide(generator, {
      ...{ name: `${rate}/s`, process: service, databaseClock },
      load: {
        ...{ method: 'POST', path, headers, connections, rate, target: service.target },
        ...{ seconds: settings.seconds, uplinksOf: devices },
      },
    })
    counts.acknowledged += result.acknowledged
    counts.refused += result.refused
    progress(`${rate}/s: ${costOf([result])}, p50 ${result.p50} ms, p99 ${result.p99} ms`)
    return result
  }
  await measure(Math.max(...rates))
  const results = rates.map((): SideResult[] => [])
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const [at, rate] of rates.entries()) results[at]?.push(await measure(rate))
  }
  return {
    figures: rates.map((rate, at) => figureOf(rate, results[at] ?? [])),
    proofs: [await proveStored(bench, before.rows, counts)],
  }
}

/** The ratio is the cost itself, in milliseconds of both processes. */
function figureOf(rate: number, sides: SideResult[]) {
  const middle = (take: (side: SideResult) => number) => format(median(sides.map(take)))
  return {
    name: `ingest at ${rate}/s`,
    ours: `p50 ${middle(({ p50 }) => p50)} ms, p99 ${middle(({ p99 }) => p99)} ms`,
    baseline: '',
    ratios: sides.map(({ cost, databaseCost }) => (cost + (databaseCost ?? 0)) / 1000),
    ...(rate === 300 ? { target: { word: 'at most' as const, value: 1, unit: ' ms' } } : {}),
    notes: `CPU per answer ${costOf(sides)}; from the moment when it was due, ${connections} connections`,
  }
}
