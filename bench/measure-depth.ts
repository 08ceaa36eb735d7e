import type { Bench } from './bench.ts'
import { type Figure, format, median, type Proof, type Result } from './figures.ts'
import type { LoadResult } from './generator.ts'
import { deviceEui } from './uplink-message.ts'

interface List {
  name: string
  path: string
  /** The total that the list answers, and the number of rows. */
  total: number
  counted: number
}

/** Whether the last page of a long list is as quick as the first, and its total exact. */
export async function measureDepth(bench: Bench): Promise<Result> {
  const lists = [
    await findList(bench, 'all uplinks', '/v1/devices/all/uplink', 'true'),
    await findList(
      bench,
      "a device's uplinks",
      `/v1/devices/${deviceEui(0).toUpperCase()}/uplink`,
      `device_id = (select id from devices where device_eui = '${deviceEui(0)}')`,
    ),
  ]
  const figures: Figure[] = []
  for (const list of lists) figures.push(await compareEnds(bench, list))
  return { figures, proofs: lists.map(toProof) }
}

async function findList(bench: Bench, name: string, path: string, where: string): Promise<List> {
  const list = await bench.service.call<{ meta: { total: number } }>('GET', path)
  const [row] = await bench.db.query<{ count: number }>(
    `select count(*) as count from uplinks where organization_id = 1 and ${where}`,
  )
  return { name, path, total: list.meta.total, counted: row?.count ?? 0 }
}

/** One connection, one request at a time: the time of a page, not the rate of many. */
async function compareEnds(bench: Bench, { name, path, total }: List): Promise<Figure> {
  const lastPage = Math.max(1, Math.ceil(total / 10))
  const seconds = Math.max(1, bench.settings.seconds / 5)
  const load = async (page: number) => {
    const { target, headers } = bench.service
    const result = await bench.generator.ask<LoadResult>({
      load: {
        ...{ target, headers, method: 'GET', path: `${path}?page=${page}` },
        ...{ connections: 1, seconds },
      },
    })
    bench.progress(`page ${page} of ${name}: p50 ${format(result.p50)} ms`)
    return result
  }
  const first: LoadResult[] = []
  const last: LoadResult[] = []
  for (let round = 0; round < bench.settings.rounds; round += 1) {
    first.push(await load(1))
    last.push(await load(lastPage))
  }
  const latency = (results: LoadResult[]) =>
    `p50 ${format(median(results.map(({ p50 }) => p50)))} ms,` +
    ` p99 ${format(median(results.map(({ p99 }) => p99)))} ms`
  return {
    name: `last page (${lastPage.toLocaleString('en-US')}) of ${name}`,
    ours: latency(last),
    baseline: `${latency(first)} (first page)`,
    ratios: last.map(({ p50 }, round) => p50 / (first[round]?.p50 ?? 0)),
    target: { word: 'at most', value: 1.2 },
    notes: 'of p50; one connection',
  }
}

function toProof({ name, total, counted }: List): Proof {
  return {
    claim: `the total of ${name} is exact`,
    isTrue: total === counted,
    details: `total ${total}, count(*) ${counted}`,
  }
}
