import { connect } from '../../server/src/db/connect.ts'
import { oneProcess } from '../../server/src/db/migrate.ts'
import type { Bench } from '../bench.ts'
import { connectNetwork } from '../fleet.ts'
import type { Load, LoadResult } from '../generator.ts'
import { run } from '../measure-load.ts'

/** Uplinks at a fixed rate, beside work that takes longer the larger the table is. */
export interface WorkCost {
  sent: Pick<LoadResult, 'p50' | 'p99' | 'longest' | 'refused'>
  note: string
}

const connections = 256
/** Turns of `--seconds` for each kind of work that has no end of its own. */
const turns = 5
/** Of the days. */
const keptShare = 0.75
/** Milliseconds. */
const longestIndex = 3_600_000

/** What was measured, by the name of the work; the first is without any. */
export async function measureLongWork(
  bench: Bench,
  { devices, days }: { devices: number; days: number },
): Promise<Map<string, WorkCost>> {
  const { service, settings, generator } = bench
  const { path, headers } = await connectNetwork(service)
  const { rate, seconds } = settings
  const load: Load = {
    ...{ target: service.target, method: 'POST', path, headers, connections },
    ...{ rate, seconds, uplinksOf: devices },
  }
  const send = (count: number) => run(generator, { ...load, seconds: seconds * count })
  const costs = new Map<string, WorkCost>()
  const note = (name: string, cost: WorkCost) => {
    const { p50, p99, longest } = cost.sent
    bench.progress(`${name}: p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms; ${cost.note}`)
    costs.set(name, cost)
  }
  await tidyUp(bench)
  await send(1)
  note('nothing else', { sent: await send(turns), note: '' })
  if (days * keptShare >= 1) {
    note('old uplinks are deleted', await besideRetention(bench, days, () => send(turns)))
    await tidyUp(bench)
  }
  note('an index is made', await besideIndex(bench, () => send(1)))
  await tidyUp(bench)
  return costs
}

/** Takes back what a measure has set, also one of a run on the same directory that was ended. */
async function tidyUp({ db }: Bench): Promise<void> {
  await db.query('update organizations set uplink_retention_days = null')
  await db.query('drop index if exists bench_index')
}

/** A quarter of all uplinks becomes too old; the service deletes them in portions, for this long. */
async function besideRetention(
  { db }: Bench,
  days: number,
  send: () => Promise<LoadResult>,
): Promise<WorkCost> {
  const kept = Math.floor(days * keptShare)
  const count = async () => {
    const [row] = await db.query<{ deleted: number }>(
      'select sum(first_ordinal - 1)::bigint as deleted from organization_counters',
    )
    return row?.deleted ?? 0
  }
  await db.query('update organizations set uplink_retention_days = $1', [kept])
  const before = await count()
  const begin = performance.now()
  const sent = await send()
  const deleted = (await count()) - before
  const perSecond = Math.round((deleted / (performance.now() - begin)) * 1000)
  return { sent, note: `${perSecond.toLocaleString('en-US')} deleted/s` }
}

/** As a migration makes one while the service runs. */
async function besideIndex(
  { databaseUrl }: Bench,
  send: () => Promise<LoadResult>,
): Promise<WorkCost> {
  const begin = performance.now()
  let took: number | undefined
  const building = makeIndex(databaseUrl).then(() => {
    took = (performance.now() - begin) / 1000
  })
  const failed = new Promise<never>((_, reject) => building.catch(reject))
  const parts: LoadResult[] = []
  do parts.push(await Promise.race([send(), failed]))
  while (took === undefined)
  return { sent: worst(parts), note: `made in ${took.toFixed(0)} s` }
}

async function makeIndex(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, { max: 1, statementTimeout: longestIndex })
  try {
    await db.query(oneProcess)
    await db.query('create index concurrently bench_index on uplinks (organization_id, event_time)')
  } finally {
    await db.close()
  }
}

/** Of several loads one after the other: the worst of each figure, and all refusals. */
function worst(parts: readonly LoadResult[]): WorkCost['sent'] {
  const most = (take: (part: LoadResult) => number) => Math.max(...parts.map(take))
  return {
    p50: most(({ p50 }) => p50),
    p99: most(({ p99 }) => p99),
    longest: most(({ longest }) => longest),
    refused: parts.reduce((total, { refused }) => total + refused, 0),
  }
}
