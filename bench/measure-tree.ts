import { batchSize, creations } from './batches.ts'
import type { Bench } from './bench.ts'
import { withDirectServer } from './direct.ts'
import { format, type Proof, type Result } from './figures.ts'
import { type Fleet, makeFleet } from './fleet.ts'
import { timeRequest, timesFigure, timeTurns } from './time-turns.ts'

/** Subgroups of a group. */
const branches = 10

type Account = Fleet & { headers: Record<string, string> }

interface Size {
  groups: number
  devices: number
}

/** All groups of a large account with their devices, against the two queries run directly. */
export async function measureTree(bench: Bench): Promise<Result> {
  const { isQuick, rounds } = bench.settings
  const size = isQuick ? { groups: 1000, devices: 10_000 } : { groups: 10_000, devices: 100_000 }
  const fleet = await makeFleet(bench, '00aa00bc')
  await fillGroups(bench, fleet, size)
  const figures = await withDirectServer(bench, async (direct) => {
    const real = { method: 'GET', path: '/v1/device-groups', headers: fleet.headers }
    const against = (path: string) => {
      const bare = { method: 'GET', path: `/${fleet.organizationId}/${path}` }
      const sides = {
        baseline: { process: direct, call: () => timeRequest(direct.target, bare) },
        ours: { process: bench.service, call: () => timeRequest(bench.service.target, real) },
      }
      return timeTurns(sides, rounds)
    }
    const [name, target] = [nameOf(size), { word: 'at least', value: 0.5 } as const]
    const sent = timesFigure(name, 'both queries, rows sent', await against('device-groups'))
    const counted = await against('device-groups/count')
    return [
      { ...sent, target },
      timesFigure(`${name}, by its queries alone`, 'both queries, rows counted', counted),
    ]
  })
  return { figures, proofs: [await proveWhole(bench, fleet, size)] }
}

function nameOf({ groups, devices }: Size): string {
  const count = (number: number) => number.toLocaleString('en-US')
  return `tree of ${count(groups)} groups with ${count(devices)} devices`
}

/** Registers the devices through the API, which seals their keys: the tree shows them. */
async function fillGroups(bench: Bench, fleet: Account, size: Size): Promise<void> {
  const { db, service, progress } = bench
  for (let first = 0; first < size.devices; first += batchSize) {
    const body = JSON.parse(creations(fleet, first, { consoleOnly: true }))
    await service.call('POST', '/v1/batch-device-requests', body, fleet.headers)
  }
  progress(`${format(size.devices)} devices`)
  const { organizationId } = fleet
  await db.query(
    `insert into device_groups (organization_id, id, parent_id, name, user_id)
     overriding system value
     select $1, number, nullif(number / $3, 0), 'Bench group ' || number,
       (select min(id) from users)
     from generate_series(1, $2::bigint) as number`,
    [organizationId, size.groups, branches],
  )
  await db.query(
    `insert into grouped_devices (organization_id, group_id, device_id)
     select $1, 1 + (row_number() over (order by id)) % $2, id
     from devices where organization_id = $1`,
    [organizationId, size.groups],
  )
  for (const table of ['devices', 'device_states', 'device_groups', 'grouped_devices']) {
    await db.query(`vacuum (analyze) ${table}`)
  }
}

interface Tree {
  devices: unknown[]
  children: Tree[]
}

async function proveWhole({ service }: Bench, fleet: Account, size: Size): Promise<Proof> {
  const { data } = await service.call<{ data: Tree[] }>(
    'GET',
    '/v1/device-groups',
    undefined,
    fleet.headers,
  )
  const found = countIn(data)
  return {
    claim: 'the tree holds every group and every device',
    isTrue: found.groups === size.groups && found.devices === size.devices,
    details: `${found.groups} groups, ${found.devices} devices`,
  }
}

function countIn(trees: Tree[]): Size {
  return trees.map(countOf).reduce(
    (sum, { groups, devices }) => ({
      groups: sum.groups + groups,
      devices: sum.devices + devices,
    }),
    { groups: 0, devices: 0 },
  )
}

function countOf({ devices, children }: Tree): Size {
  const below = countIn(children)
  return { groups: below.groups + 1, devices: below.devices + devices.length }
}
