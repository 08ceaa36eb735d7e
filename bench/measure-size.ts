import type { Bench } from './bench.ts'
import type { Proof } from './figures.ts'
import { fillDatabase } from './fill.ts'
import { connectNetwork } from './fleet.ts'
import type { LoadResult } from './generator.ts'
import type { Size, SizedIngest, SizedResult } from './size/growth.ts'
import { nameOf } from './size/growth.ts'
import { type SizedFleet, sizedRequests } from './size/requests.ts'
import { readPages, timeSized } from './size/time-sized.ts'
import { asSuperuser } from './superuser.ts'

/** An average device reports so often at every size: a larger size is a longer history. */
const reportMinutes = 15
const organizations = 10
const ingestConnections = 64

/** Fills the new database to a size, and measures every request there. */
export async function measureSize(
  bench: Bench,
  size: Size,
): Promise<{ result: SizedResult; proofs: Proof[] }> {
  const { db, progress, service } = bench
  const interval = reportMinutes * 60_000
  const days = ((size.uplinks / size.devices) * reportMinutes) / 60 / 24
  await prepareCounting(bench.databaseUrl)
  progress(`filling ${nameOf(size)}`)
  const proofs = await fillDatabase(db, { organizations, ...size, days }, progress)
  await db.query('checkpoint')
  const costs: SizedResult['costs'] = new Map()
  for (const sized of sizedRequests(await describeFleet(bench, interval))) {
    const cost = await timeSized(db, service.target, service.headers, sized)
    progress(`${sized.name}: ${cost.milliseconds.toFixed(1)} ms, ${cost.pages.toFixed(0)} pages`)
    costs.set(sized.name, cost)
  }
  return { result: { size, costs, ingest: await ingestAt(bench, size) }, proofs }
}

async function prepareCounting(databaseUrl: string): Promise<void> {
  const role = new URL(databaseUrl).username
  await asSuperuser(databaseUrl, async (superuser) => {
    await superuser.query('create extension pg_stat_statements')
    await superuser.query('grant execute on function pg_stat_statements_reset to public')
    await superuser.query(`grant pg_read_all_stats, pg_checkpoint to "${role}"`)
  })
}

async function describeFleet({ db }: Bench, interval: number): Promise<SizedFleet> {
  const [row] = await db.query<Omit<SizedFleet, 'interval'>>(
    `select counters.uplink_count as uplinks, states.uplink_count as "ofBusyDevice",
       (select device_count from organizations where id = 1) as devices,
       ceil(0.9 * counters.uplink_count / (select device_count from organizations where id = 1))
         ::bigint as "ofAverageDevice",
       (select min(id) from gateways where organization_id = 1) as "gatewayId"
     from organization_counters as counters
     join devices on devices.organization_id = 1
     join device_states as states on states.device_id = devices.id
     where counters.organization_id = 1
     order by devices.id limit 1`,
  )
  if (!row) throw new Error('Organization 1 has no devices.')
  return { ...row, interval }
}

/** Each device sends at least once after a checkpoint, as in the time until the next one. */
async function ingestAt(bench: Bench, { devices }: Size): Promise<SizedIngest> {
  const { db, service, generator, settings, progress } = bench
  const { path, headers } = await connectNetwork(service)
  const ofLargest = Math.ceil(devices / 2)
  const load = {
    ...{ target: service.target, method: 'POST', path, headers },
    ...{ connections: ingestConnections, uplinksOf: ofLargest },
  }
  await generator.ask<LoadResult>({ load: { ...load, seconds: 1 } })
  await db.query('checkpoint')
  await db.query('select pg_stat_statements_reset()')
  const before = await walPosition(bench)
  const sent = await generator.ask<LoadResult>({
    load: { ...load, seconds: settings.seconds, least: ofLargest },
  })
  const walBytes = (await walPosition(bench)) - before
  const { pages } = await readPages(db)
  progress(`ingest: ${sent.perSecond.toFixed(0)}/s`)
  if (sent.refused > 0) throw new Error(`${sent.refused} uplinks were refused`)
  const count = Math.max(1, sent.acknowledged)
  return { perSecond: sent.perSecond, pages: pages / count, walBytes: walBytes / count }
}

async function walPosition({ db }: Bench): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    "select (pg_current_wal_lsn() - '0/0')::bigint as bytes",
  )
  return row?.bytes ?? 0
}
