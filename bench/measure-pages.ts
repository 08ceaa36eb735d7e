import type { Bench } from './bench.ts'
import { type SideResult, takeTurns } from './compare.ts'
import { type Figure, format, median, type Result } from './figures.ts'
import { busyness } from './measure-ingest.ts'
import { startProcess } from './process.ts'
import { findFreePort, waitUntilReady } from './service.ts'
import { deviceEui } from './uplink-message.ts'

const connections = 64

/** A page of ten as a client gets it, against its one query in a bare handler. */
export async function measurePages(bench: Bench): Promise<Result> {
  const port = await findFreePort()
  const baseline = startProcess(new URL('./page-server.ts', import.meta.url), {
    env: { PORT: String(port), DATABASE_URL: bench.databaseUrl },
  })
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/all`)
    const eui = deviceEui(0).toUpperCase()
    const lists = [
      { name: 'list of all uplinks', path: '/v1/devices/all/uplink?page=1', bare: '/all' },
      {
        name: "list of a device's uplinks",
        path: `/v1/devices/${eui}/uplink?page=1`,
        bare: `/device/${eui}`,
      },
    ]
    const figures: Figure[] = []
    for (const list of lists) {
      const load = { method: 'GET', connections, seconds: bench.settings.seconds }
      const bare = { ...load, path: list.bare, headers: {}, target: { host: '127.0.0.1', port } }
      const { headers, target } = bench.service
      const sides = {
        baseline: { name: `bare query, ${list.name}`, process: baseline, load: bare },
        ours: {
          ...{ name: list.name, process: bench.service },
          load: { ...load, path: list.path, headers, target },
        },
      }
      const { rounds } = bench.settings
      const results = await takeTurns(bench.generator, sides, rounds, bench.progress)
      figures.push(toFigure(list.name, results))
    }
    return { figures, proofs: [] }
  } finally {
    await baseline.stop()
  }
}

function toFigure(
  name: string,
  { baseline, ours }: { baseline: SideResult[]; ours: SideResult[] },
): Figure {
  const rate = (sides: SideResult[]) => `${format(median(sides.map((r) => r.perSecond)))}/s`
  const p99 = (sides: SideResult[]) => format(median(sides.map((side) => side.p99)))
  const bytes = (sides: SideResult[]) => sides[0]?.answerBytes ?? 0
  return {
    name: `${name}, page of ten, ${connections} connections`,
    ours: rate(ours),
    baseline: `${rate(baseline)} (bare query)`,
    ratios: ours.map((side, round) => side.perSecond / (baseline[round]?.perSecond ?? 0)),
    target: { word: 'at least', value: 0.6 },
    notes:
      `p99 ${p99(ours)} ms, bare ${p99(baseline)} ms; ${bytes(ours)} bytes,` +
      ` bare ${bytes(baseline)}; ${busyness(baseline, ours)}`,
  }
}
