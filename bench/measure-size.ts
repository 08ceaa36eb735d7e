import type { Bench } from './bench.ts'
import type { Proof } from './figures.ts'
import { fillDatabase } from './fill.ts'
import { connectNetwork } from './fleet.ts'
import type { LoadResult } from './generator.ts'
import type { Size, SizedIngest, SizedResult } from './size/growth.ts'
import { nameOf } from './size/growth.ts'
import { measureLongWork } from './size/long-work.ts'
import { type SizedFleet, sizedRequests } from './size/requests.ts'
import { readPages, timeSized } from './size/time-sized.ts'
import { asSuperuser } from './superuser.ts'

const organizations = 10
const ingestConnections = 64

/**
 * Fills the new database to a size, and measures every request there. An average device reports as
 * often at every size: a larger one is a longer history. Without a size, the database is full.
 */
export async function measureSize(
  bench: Bench,
  wanted: Size | undefined,
): Promise<{ result: SizedResult; proofs: Proof[] }> {
  const { db, progress, service } = bench
  await prepareCounting(bench.databaseUrl)
  const proofs = wanted ? await fillTo(bench, wanted) : []
  await db.query('checkpoint')
  const { size, days } = await readSize(bench)
  progress(`measuring ${nameOf(size)} of ${days.toFixed(1)} days`)
  const interval = (days * 24 * 3_600_000 * size.devices) / size.uplinks
  const costs: SizedResult['costs'] = new Map()
  for (const sized of sizedRequests(await describeFleet(bench, interval))) {
    const cost = await timeSized(db, service.target, service.headers, sized)
    progress(`${sized.name}: ${cost.milliseconds.toFixed(1)} ms, ${cost.pages.toFixed(0)} pages`)
    costs.set(sized.name, cost)
  }
  const ofLargest = Math.ceil(size.devices / 2)
  const ingest = await ingestAt(bench, ofLargest)
  const longWork = await measureLongWork(bench, { devices: ofLargest, days })
  return { result: { size, costs, ingest, longWork }, proofs }
}

function fillTo({ db, progress, settings }: Bench, size: Size): Promise<Proof[]> {
  progress(`filling ${nameOf(size)}`)
  const days = ((size.uplinks / size.devices) * settings.every) / 60 / 24
  return fillDatabase(db, { organizations, ...size, days }, progress)
}

/** How much there is, and of how many days. */
async function readSize({ db }: Bench): Promise<{ size: Size; days: number }> {
  const [row] = await db.query<Size & { days: number | null }>(
    `select (select sum(uplink_count - first_ordinal + 1) from organization_counters)::bigint
         as uplinks,
       (select sum(device_count) from organizations)::bigint as devices,
       (select extract(epoch from now() - min(received_at)) / 86400 from uplinks
         join organization_counters as counters
           on counters.organization_id = uplinks.organization_id
           and counters.first_ordinal = uplinks.ordinal)::double precision as days`,
  )
  if (!row?.days) throw new Error('There are no uplinks to measure.')
  const { days, ...size } = row
  return { size, days }
}

async function prepareCounting(databaseUrl: string): Promise<void> {
  const role = new URL(databaseUrl).username
  await asSuperuser(databaseUrl, async (superuser) => {
    await superuser.query('create extension if not exists pg_stat_statements')
    await superuser.query('grant execute on function pg_stat_statements_reset to public')
    await superuser.query(`grant pg_read_all_stats, pg_checkpoint to "${role}"`)
  })
}

async function describeFleet({ db }: Bench, interval: number): Promise<SizedFleet> {
  const [row] = await db.query<Omit<SizedFleet, 'interval'>>(
    `select counters.uplink_count - counters.first_ordinal + 1 as uplinks,
       states.uplink_count - states.first_ordinal + 1 as "ofBusyDevice",
       (select device_count from organizations where id = 1) as devices,
       ceil(0.9 * (counters.uplink_count - counters.first_ordinal + 1)
         / (select device_count from organizations where id = 1))::bigint as "ofAverageDevice",
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
async function ingestAt(bench: Bench, devices: number): Promise<SizedIngest> {
  const { db, service, generator, settings, progress } = bench
  const { path, headers } = await connectNetwork(service)
  const load = {
    ...{ target: service.target, method: 'POST', path, headers },
    ...{ connections: ingestConnections, uplinksOf: devices },
  }
  await generator.ask<LoadResult>({ load: { ...load, seconds: 1 } })
  await db.query('checkpoint')
  await db.query('select pg_stat_statements_reset()')
  const before = await walPosition(bench)
  const sent = await generator.ask<LoadResult>({
    load: { ...load, seconds: settings.seconds, least: devices },
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
