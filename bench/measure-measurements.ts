import { performance } from 'node:perf_hooks'
import type { Bench } from './bench.ts'
import { type Figure, format, median, type Proof, type Result } from './figures.ts'
import { makeFleet, registerDevices } from './fleet.ts'

interface Range {
  name: string
  euiPrefix: string
  devices: number
  days: number
  timeZone?: string
}

const ranges: readonly Range[] = [
  { name: 'a year of 100 devices', euiPrefix: '00aa00b1', devices: 100, days: 365 },
  { name: 'a month of 1,000 devices', euiPrefix: '00aa00b2', devices: 1000, days: 30 },
  {
    ...{ name: 'a year of 100 devices, days of Europe/Berlin', timeZone: 'Europe/Berlin' },
    ...{ euiPrefix: '00aa00b3', devices: 100, days: 365 },
  },
]
const begin = Date.UTC(2025, 0, 1)
const day = 24 * 60 * 60 * 1000
/** Uplinks of a device in an hour. */
const perHour = 4
const mostMilliseconds = 300
/** More than the rounds: one answer takes a fraction of a second. */
const turnsPerRound = 5

/** Charts of many devices over a long time: `POST /measurements/query`, one request at a time. */
export async function measureMeasurements(bench: Bench): Promise<Result> {
  const figures: Figure[] = []
  const proofs: Proof[] = []
  for (const range of ranges) {
    const { figure, proof } = await measureRange(bench, range)
    figures.push(figure)
    proofs.push(proof)
  }
  return { figures, proofs }
}

interface Answer {
  data: { points: [string, number, number, number, number][] }[]
}

async function measureRange(bench: Bench, range: Range): Promise<{ figure: Figure; proof: Proof }> {
  const { db, service, settings, progress } = bench
  const { organizationId, headers, ...fleet } = await makeFleet(bench, range.euiPrefix)
  await registerDevices(db, range.devices, { organizationId, ...fleet })
  for (let at = 0; at < range.days; at += 30) {
    const days = Math.min(30, range.days - at)
    await fillRollups(bench, organizationId, new Date(begin + at * day), days)
  }
  await analyzeRollups(bench)
  const body = {
    from: new Date(begin).toISOString(),
    to: new Date(begin + range.days * day).toISOString(),
    aggregate: ['min', 'avg', 'max', 'count'],
    time_zone: range.timeZone ?? 'UTC',
    series: [{ device_type: 112, quantity: 'air.temperature' }],
  }
  const times: number[] = []
  let counted = 0
  let points = 0
  // The first one fills caches: it does not count.
  for (let turn = 0; turn <= settings.rounds * turnsPerRound; turn += 1) {
    const start = performance.now()
    const { data } = await service.call<Answer>('POST', '/v1/measurements/query', body, headers)
    if (turn > 0) times.push(performance.now() - start)
    points = data.reduce((sum, series) => sum + series.points.length, 0)
    counted = data.reduce(
      (sum, series) => sum + series.points.reduce((all, [, , , , one]) => all + one, 0),
      0,
    )
  }
  progress(`${range.name}: ${times.length} answers`)
  const expected = range.devices * range.days * 24 * perHour
  return {
    figure: {
      name: `measurements: ${range.name}`,
      ours: `median ${format(median(times))} ms`,
      baseline: 'to the last byte, and read as JSON',
      ratios: times,
      target: { word: 'at most', value: mostMilliseconds, unit: ' ms' },
      notes: `${points.toLocaleString('en-US')} points, step auto`,
    },
    proof: {
      claim: `${range.name}: the points count every uplink of the range`,
      isTrue: counted === expected,
      details: `${counted} of ${expected}`,
    },
  }
}

/** As ingest leaves them: hours come one after the other, those of all devices together. */
export async function fillRollups(
  { db }: Bench,
  organizationId: number,
  from: Date,
  days: number,
): Promise<void> {
  await db.query(
    `insert into hourly_rollups
     select devices.organization_id, devices.id, named.name, start, ${perHour}, 81.2, 20.1, 20.9, 20.5,
       start + interval '59 minutes'
     from generate_series(
       $2::timestamptz, $2::timestamptz + make_interval(hours => $3::integer * 24 - 1), '1 hour'
     ) as start
     cross join devices
     cross join (values ('temperature'), ('humidity')) as named (name)
     where devices.organization_id = $1
     order by start, devices.id`,
    [organizationId, from, days],
  )
  await db.query(
    `insert into daily_rollups
     select organization_id, device_id, name, date_trunc('day', start, 'UTC') as day, sum(count),
       sum(sum), min(lowest), max(highest), max(last), max(last_at)
     from hourly_rollups
     where organization_id = $1 and start >= $2
     group by organization_id, device_id, name, day
     order by day, device_id`,
    [organizationId, from],
  )
}

export async function analyzeRollups({ db }: Bench): Promise<void> {
  await db.query('vacuum (analyze) hourly_rollups')
  await db.query('vacuum (analyze) daily_rollups')
}
