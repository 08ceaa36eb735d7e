import type { Bench } from './bench.ts'
import { ratesFigure, takeTurns } from './compare.ts'
import type { Figure, Result } from './figures.ts'
import { startProcess } from './process.ts'
import { findFreePort, waitUntilReady } from './service.ts'
import { deviceEui } from './uplink-message.ts'

const connections = 64

/** A page of ten through the API, against its one query in a bare handler. */
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
      const comparison = await takeTurns(bench.generator, sides, rounds, bench.progress)
      const name = `${list.name}, page of ten, ${connections} connections`
      const figure = ratesFigure(name, 'bare query', comparison)
      figures.push({ ...figure, target: { word: 'at least', value: 0.8 } })
    }
    return { figures, proofs: [] }
  } finally {
    await baseline.stop()
  }
}
