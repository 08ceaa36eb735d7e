import type { Bench } from './bench.ts'
import { type Comparison, ratesFigure } from './compare.ts'
import { compareWithEcho, withEcho } from './echo.ts'
import { type Figure, format, median, type Proof, type Result } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import { readRows, storeAlone } from './postgres-alone.ts'

const devices = 1000
const connections = 256

/**
 * Uplinks, each answered after its commit, against an echo of the same messages, and against PostgreSQL
 * alone: the same rows in batches of the same size.
 */
export async function measureIngest(bench: Bench): Promise<Result> {
  const { db, service } = bench
  const callback = await connectNetwork(service)
  await registerDevices(db, devices)
  const before = await countUplinks(bench)
  const load = { ...callback, connections, uplinksOf: devices }
  const alone: number[] = []
  let batchSize = 0
  const afterRound = async () => {
    const rows = await readRows(bench, before.rows)
    batchSize = rows.batchSize
    alone.push(await storeAlone(bench, rows))
    bench.progress(`PostgreSQL alone: ${format(alone.at(-1) ?? 0)}/s`)
  }
  const comparison = await withEcho((echo) =>
    compareWithEcho(bench, echo, load, { name: 'ingest', afterRound }),
  )
  const figure = ratesFigure(`durable ingest, ${connections} connections`, 'echo', comparison)
  const besideAlone: Figure = {
    ...{ name: figure.name, ours: figure.ours, target: { word: 'at least', value: 0.4 } },
    baseline: `${format(median(alone))}/s (PostgreSQL alone)`,
    ratios: comparison.ours.map(({ perSecond }, round) => perSecond / (alone[round] ?? 0)),
    notes: `the same rows, ${batchSize} in a batch, 4 connections`,
  }
  return {
    figures: [{ ...figure, target: { word: 'at least', value: 0.25 } }, besideAlone],
    proofs: [await proveStored(bench, before.rows, comparison)],
  }
}

/** Of organization 1. */
interface Counts {
  /** As `GET /v1/devices/all/uplink` answers it. */
  total: number
  counter: number
  rows: number
  first: number | null
  last: number | null
  /** Devices whose own ordinals have a gap, or whose counter is wrong. */
  wrongDevices: number
}

export async function countUplinks({ db, service }: Bench): Promise<Counts> {
  const list = await service.call<{ meta: { total: number } }>('GET', '/v1/devices/all/uplink')
  const [counts] = await db.query<Omit<Counts, 'total'>>(
    `select
       (select uplink_count from organization_counters where organization_id = 1) as counter,
       (select count(*) from uplinks where organization_id = 1) as rows,
       (select min(ordinal) from uplinks where organization_id = 1) as first,
       (select max(ordinal) from uplinks where organization_id = 1) as last,
       (select count(*)
        from device_states as states
        left join (
          select device_id, count(*) as uplinks, max(device_ordinal) as last
          from uplinks where organization_id = 1 group by device_id
        ) as counted on counted.device_id = states.device_id
        where states.organization_id = 1 and (states.uplink_count <> coalesce(counted.uplinks, 0)
          or states.uplink_count <> coalesce(counted.last, 0))) as "wrongDevices"`,
  )
  if (!counts) throw new Error('the database counted nothing')
  return { total: list.meta.total, ...counts }
}

/**
 * Ordinals are unique (primary key), so as many rows as the last ordinal means that none is
 * missing.
 */
export async function proveStored(
  bench: Bench,
  before: number,
  { acknowledged, refused }: Pick<Comparison, 'acknowledged' | 'refused'>,
): Promise<Proof> {
  const { total, counter, rows, first, last, wrongDevices } = await countUplinks(bench)
  const isDense = rows === 0 || (first === 1 && last === rows)
  const areAllCounted = rows - before === acknowledged && rows === total && rows === counter
  return {
    claim: 'every acknowledged uplink is stored once, and the lists number them without gaps',
    isTrue: refused === 0 && areAllCounted && isDense && wrongDevices === 0,
    details:
      `acknowledged ${acknowledged}, refused ${refused}, new rows ${rows - before}, total of the` +
      ` list ${total} of ${rows} rows, ordinals ${first} to ${last}, ${wrongDevices} devices wrong`,
  }
}
