import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { format, type Proof, type Result } from './figures.ts'
import { run } from './measure-load.ts'
import { connectMany } from './measure-senders.ts'

const devices = 10
const connections = 256
const pollMilliseconds = 100
const mostSeconds = 5
/** Of 200 payloads in turn, five have more. */
const rule = {
  ...{ name: 'Too warm', kind: 'threshold', recipients: [] },
  settings: { key: 'temperature', above: 39 },
}

/** How long after its uplink an alert is there, with a rule in each of many organizations. */
export async function measureRules(bench: Bench): Promise<Result> {
  const { service, settings, progress } = bench
  const organizations = settings.isQuick ? 100 : 1000
  const seconds = settings.isQuick ? 15 : 60
  progress(`making ${organizations} organizations`)
  const senders = await connectMany(bench, { organizations, devices }, (headers) =>
    service.call('POST', '/v1/alert-rules', rule, headers),
  )
  const watching = watch(bench)
  const { target } = service
  const { rate } = settings
  const load = { ...senders, target, method: 'POST', connections, rate, seconds }
  const { acknowledged, refused } = await run(bench.generator, load)
  await sleep(2 * mostSeconds * 1000)
  const delays = await watching.end()
  const at = (share: number) => delays[Math.floor((delays.length - 1) * share)] ?? 0
  return {
    figures: [
      {
        name: `rules of ${organizations} organizations at ${rate} uplinks/s`,
        ours: `p50 ${format(at(0.5))} s, p99 ${format(at(0.99))} s, at most ${format(at(1))} s`,
        baseline: 'from the time of the uplink to the stored alert',
        ratios: [at(1)],
        target: { word: 'at most', value: mostSeconds, unit: ' s' },
        notes: `${delays.length} alerts; ${acknowledged} uplinks acknowledged, ${refused} refused`,
      },
    ],
    proofs: [await proveFound(bench)],
  }
}

/** Notes how old each alert is, in seconds, when it can be seen for the first time. */
function watch({ db }: Bench) {
  const delays = new Map<number, number>()
  let isOver = false
  const look = async () => {
    while (!isOver) {
      const rows = await db.query<{ id: number; delay: number }>(
        `select id, extract(epoch from clock_timestamp() - began_at)::double precision as delay
         from alerts where opened_at > clock_timestamp() - interval '30 seconds'`,
      )
      for (const { id, delay } of rows) if (!delays.has(id)) delays.set(id, delay)
      await sleep(pollMilliseconds)
    }
  }
  const looking = look()
  return {
    async end(): Promise<number[]> {
      isOver = true
      await looking
      return [...delays.values()].sort((one, other) => one - other)
    },
  }
}

/** Each device has an open alert exactly if its last value is above the limit. */
async function proveFound({ db }: Bench): Promise<Proof> {
  const [found] = await db.query<{ devices: number; wrong: number }>(
    `select count(*) as devices, count(*) filter (
       where (last.value > 39) is distinct from exists (
         select from alerts
         where alerts.organization_id = states.organization_id
           and alerts.device_id = states.device_id and alerts.state = 'open'
       )
     ) as wrong
     from alert_rules as rules
     join device_states as states on states.organization_id = rules.organization_id
     cross join lateral (
       select (uplinks.decoded_object ->> 'temperature')::double precision as value
       from uplinks
       where uplinks.organization_id = states.organization_id
         and uplinks.device_id = states.device_id
       order by uplinks.device_ordinal desc
       limit 1
     ) as last
     where rules.name = 'Too warm'`,
  )
  const { devices: all = 0, wrong = 0 } = found ?? {}
  return {
    claim: 'each device has an open alert exactly if its last value is above the limit of the rule',
    isTrue: all > 0 && wrong === 0,
    details: `${all} devices, ${wrong} wrong`,
  }
}
