import { performance } from 'node:perf_hooks'
import type { Bench } from './bench.ts'
import { type Figure, format, median, type Result } from './figures.ts'
import { type Fleet, makeFleet, registerDevices, registerGateways } from './fleet.ts'

const devices = 100_000
const gateways = 1000
const groups = 100
const mostMilliseconds = 100
/** More than the rounds: one answer takes a fraction of a second. */
const turnsPerRound = 5

/** What the console asks for when the overview is opened. */
const requests = [
  { name: 'its counts', path: '/v1/fleet/summary' },
  { name: 'its alerts', path: '/v1/alerts?state=open&limit=100' },
  { name: 'its groups', path: '/v1/fleet/groups' },
  { name: 'readings of one group', path: '/v1/fleet/devices?group=7&limit=6' },
]

/** The overview of a large account, one request at a time. */
export async function measureOverview(bench: Bench): Promise<Result> {
  const { headers, ...fleet } = await makeFleet(bench, '00aa00b4')
  await registerDevices(bench.db, devices, fleet)
  await registerGateways(bench.db, gateways, fleet)
  await fillStates(bench, fleet)
  const figures: Figure[] = []
  for (const { name, path } of requests) {
    const times: number[] = []
    // The first one fills caches: it does not count.
    for (let turn = 0; turn <= bench.settings.rounds * turnsPerRound; turn += 1) {
      const start = performance.now()
      await bench.service.call('GET', path, undefined, headers)
      if (turn > 0) times.push(performance.now() - start)
    }
    figures.push({
      name: `overview of ${devices.toLocaleString('en-US')} devices: ${name}`,
      ours: `median ${format(median(times))} ms`,
      baseline: 'to the last byte, and read as JSON',
      ratios: times,
      target: { word: 'at most', value: mostMilliseconds, unit: ' ms' },
      notes: '',
    })
  }
  return { figures, proofs: [] }
}

/** All in groups; of 100 devices one was never heard, two are silent, one has a low battery. */
async function fillStates({ db }: Bench, { organizationId }: Fleet): Promise<void> {
  await db.query(
    `insert into device_groups (organization_id, id, parent_id, name, user_id)
     overriding system value
     select $1, number, null, 'Bench group ' || number, (select min(id) from users)
     from generate_series(1, $2::bigint) as number`,
    [organizationId, groups],
  )
  await db.query(
    `insert into grouped_devices (organization_id, group_id, device_id)
     select $1, 1 + id % $2, id from devices where organization_id = $1`,
    [organizationId, groups],
  )
  await db.query(
    `update device_states set
       uplink_count = 100,
       last_seen = heard.last_seen,
       seen_period = floor(extract(epoch from heard.last_seen) / 43200),
       has_rhythm = true,
       battery_volts = 3,
       warnings = case when heard.share = 3 then 1 else 0 end
     from (
       select id, id % 100 as share,
         now() - case when id % 100 in (1, 2) then interval '3 days' else interval '5 min' end
           as last_seen
       from devices where organization_id = $1 and id % 100 > 0
     ) as heard
     where organization_id = $1 and device_id = heard.id`,
    [organizationId],
  )
  await db.query(
    `insert into device_rhythms
     select organization_id, device_id, 900, 1000, 3600, now(), 100, last_seen + interval '1 hour'
     from device_states where organization_id = $1 and has_rhythm`,
    [organizationId],
  )
  for (const table of ['device_groups', 'grouped_devices', 'device_states', 'device_rhythms']) {
    await db.query(`vacuum (analyze) ${table}`)
  }
}
