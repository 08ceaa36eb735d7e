import type { Bench } from './bench.ts'
import { ratesFigure, takeTurns } from './compare.ts'
import { withDirectServer } from './direct.ts'
import type { Figure, Proof, Result } from './figures.ts'
import { type Fleet, makeFleet, registerDevices, registerGateways } from './fleet.ts'

const devices = 10_000
const gateways = 1000
const connections = 64

interface List {
  name: string
  /** Below `/v1` of the service, and below the organization of the direct server. */
  path: string
  /** The statement that counts the list's exact total; `$1` is the organization. */
  count: string
}

const lists: List[] = [
  {
    name: `list of ${devices.toLocaleString('en-US')} devices`,
    path: '/devices',
    count: 'select count(*) from devices where organization_id = $1',
  },
  {
    name: 'search in it',
    path: '/devices?search=device%2099',
    count: `select count(*) from devices where organization_id = $1 and name like '%device 99%'`,
  },
  {
    name: `list of ${gateways.toLocaleString('en-US')} gateways`,
    path: '/gateways',
    count: 'select count(*) from gateways where organization_id = $1',
  },
]

/** A page of ten devices and of gateways, against the statement of the list run directly. */
export async function measureLists(bench: Bench): Promise<Result> {
  const fleet = await makeFleet(bench, '00aa00bf')
  await registerDevices(bench.db, devices, fleet)
  await registerGateways(bench.db, gateways, fleet)
  return withDirectServer(bench, async (direct) => {
    const figures: Figure[] = []
    const proofs: Proof[] = []
    for (const list of lists) {
      const load = { method: 'GET', connections, seconds: bench.settings.seconds }
      const path = `/${fleet.organizationId}${list.path}`
      const sides = {
        baseline: {
          ...{ name: `directly, ${list.name}`, process: direct },
          load: { ...load, path, headers: {}, target: direct.target },
        },
        ours: {
          ...{ name: list.name, process: bench.service },
          load: {
            ...{ ...load, path: `/v1${list.path}` },
            ...{ headers: fleet.headers, target: bench.service.target },
          },
        },
      }
      const { generator, settings, progress } = bench
      const comparison = await takeTurns(generator, sides, settings.rounds, progress)
      const name = `${list.name}, page of ten, ${connections} connections`
      const figure = ratesFigure(name, 'same statement', comparison)
      figures.push({ ...figure, target: { word: 'at least', value: 0.5 } })
      proofs.push(await proveTotal(bench, fleet, list))
    }
    return { figures, proofs }
  })
}

async function proveTotal(
  { db, service }: Bench,
  { organizationId, headers }: Fleet & { headers: Record<string, string> },
  { name, path, count }: List,
): Promise<Proof> {
  const list = await service.call<{ data: unknown[]; meta: { total: number } }>(
    'GET',
    `/v1${path}`,
    undefined,
    headers,
  )
  const [row] = await db.query<{ count: number }>(count, [organizationId])
  return {
    claim: `the total of the ${name} is exact, and its page full`,
    isTrue: list.meta.total === row?.count && list.data.length === 10,
    details: `total ${list.meta.total}, count(*) ${row?.count}, page of ${list.data.length}`,
  }
}
