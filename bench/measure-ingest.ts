import type { Bench } from './bench.ts'
import { type Comparison, ratesFigure, takeTurns } from './compare.ts'
import { openDatabaseClock } from './database-clock.ts'
import type { Proof, Result } from './figures.ts'
import { connectNetwork, registerDevices } from './fleet.ts'
import type { Load } from './generator.ts'
import { startProcess } from './process.ts'
import { findFreePort, waitUntilReady } from './service.ts'

const devices = 1000
const connections = 256

/** Uplinks, each answered after its commit, against an echo of the same messages. */
export async function measureIngest(bench: Bench): Promise<Result> {
  const { db, service, generator, settings, progress } = bench
  const { path, headers } = await connectNetwork(service)
  await registerDevices(db, devices)
  const before = await countUplinks(bench)
  const port = await findFreePort()
  const echo = startProcess(new URL('./echo-server.ts', import.meta.url), {
    env: { PORT: String(port) },
  })
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/ready`)
    const load: Omit<Load, 'target'> = {
      ...{ method: 'POST', path, headers, connections },
      ...{ seconds: settings.seconds, uplinksOf: devices },
    }
    const sides = {
      baseline: {
        ...{ name: 'echo', process: echo },
        load: { ...load, target: { host: '127.0.0.1', port } },
      },
      ours: {
        ...{ name: 'ingest', process: service, databaseClock: await openDatabaseClock(db) },
        load: { ...load, target: service.target },
      },
    }
    const comparison = await takeTurns(generator, sides, settings.rounds, progress)
    const name = `durable ingest, ${connections} connections`
    return {
      figures: [
        { ...ratesFigure(name, 'echo', comparison), target: { word: 'at least', value: 0.4 } },
      ],
      proofs: [await proveStored(bench, before.rows, comparison)],
    }
  } finally {
    await echo.stop()
  }
}

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
       (select count(*) from uplinks) as rows,
       (select min(ordinal) from uplinks) as first,
       (select max(ordinal) from uplinks) as last,
       (select count(*)
        from device_states as states
        left join (
          select device_id, count(*) as uplinks, max(device_ordinal) as last
          from uplinks group by device_id
        ) as counted on counted.device_id = states.device_id
        where states.uplink_count <> coalesce(counted.uplinks, 0)
          or states.uplink_count <> coalesce(counted.last, 0)) as "wrongDevices"`,
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
