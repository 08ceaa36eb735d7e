import type { Promised, Violation } from './check.ts'
import type { Facts } from './facts.ts'
import { fewestValues, fitLine, isFlat } from './fit.ts'
import { keptUplinks } from './plan.ts'
import type { Sample } from './samples.ts'

type Sampled = Extract<
  Promised,
  'Memory' | 'Files' | 'Connections' | 'Tables' | 'Disk' | 'Comparisons'
>

/** Memory, files, connections, tables and disk are flat, or as computed. */
export function checkSamples(facts: Facts): Violation[] {
  const grown = listSeries(facts).filter(({ values, least }) => !isFlat(values, least))
  return [
    ...grown.map(({ promised, what, values }) => ({
      promised,
      text: `${what} grew ${describe(values)}`,
    })),
    ...checkLog(facts),
    ...checkTables(facts),
    ...checkComparisons(facts),
  ]
}

/** How many values of series that are long enough there were, and how many comparisons. */
export function countSamples(facts: Facts): Record<Sampled, number> {
  const series = listSeries(facts).filter(({ values }) => values.length >= fewestValues)
  const count = (promised: Sampled) =>
    series.reduce((sum, each) => sum + (each.promised === promised ? each.values.length : 0), 0)
  return {
    ...{ Memory: count('Memory'), Files: count('Files'), Connections: count('Connections') },
    ...{ Tables: count('Tables'), Disk: count('Disk'), Comparisons: timesCompared(facts).size },
  }
}

interface Series {
  promised: Sampled
  what: string
  values: number[]
  /** Smaller growth does not count. */
  least: number
}

function listSeries(facts: Facts): Series[] {
  const warm = steadySamples(facts)
  const full = fullSamples(facts)
  const processes = Math.max(0, ...warm.map((sample) => sample.processes.length))
  const connections = warm.map((sample) => sample.connections)
  const names = [...(full.at(-1)?.tables.keys() ?? [])].filter((name) => !(name in growing))
  const bytes = full.map(({ tables }) =>
    [...tables].reduce((sum, [name, table]) => sum + (name in growing ? 0 : table.bytes), 0),
  )
  return [
    ...Array.from({ length: processes }, (_, index) => seriesOfProcess(warm, index)).flat(),
    { promised: 'Connections', what: 'their number', values: connections, least: leastConnections },
    // What grows by design is computed apart.
    { promised: 'Disk', what: 'the bytes of tables', values: bytes, least: leastBytes },
    ...names.map((name): Series => {
      const values = full.map(({ tables }) => tables.get(name)?.rows ?? 0)
      return { promised: 'Tables', what: `the rows of ${name}`, values, least: leastRows }
    }),
  ]
}

function seriesOfProcess(samples: readonly Sample[], index: number): Series[] {
  const values = samples.flatMap(({ processes }) => processes[index] ?? [])
  const what = `that of process ${index + 1}`
  const memory = values.map((each) => each.memory)
  const files = values.map((each) => each.files)
  return [
    { promised: 'Memory', what, values: memory, least: leastMemory },
    { promised: 'Files', what, values: files, least: leastFiles },
  ]
}

export function steadySamples({ samples, steadyDay }: Facts): Sample[] {
  return samples.filter(({ day }) => day > steadyDay)
}

/** Smaller growth is what a heap does between two collections, and what a moment's work takes. */
const leastMemory = 48 * 1024 ** 2
const leastFiles = 30
const leastConnections = 10

function describe(values: readonly number[]): string {
  const { first, last } = fitLine(values)
  return `from ${Math.round(first)} to ${Math.round(last)}`
}

/** The settings of the database hold the log below this (world.ts), except for a moment. */
const mostLog = 256 * 1024 ** 2 * 1.5

/** All that is kept then has come evenly, and is deleted as fast as more comes. */
function fullSamples({ samples, plan, steadyDay }: Facts): Sample[] {
  return samples.filter(({ day }) => day > steadyDay + plan.keptDays)
}

function checkLog({ samples }: Facts): Violation[] {
  const most = Math.max(0, ...samples.map(({ log }) => log))
  if (most <= mostLog) return []
  return [{ promised: 'Disk', text: `the log of changes takes ${most} bytes` }]
}

const leastBytes = 8 * 1024 ** 2
const leastRows = 500

/** Tables that a month does not fill, and what bounds them (server/test/bounded-tables.test.ts). */
export const growing: Record<string, string> = {
  activities: 'a year, at most 100,000',
  alerts: 'a year after they were closed',
  downlinks: 'a year after their end',
  downlink_history: 'a year after their end',
  downlink_checks: 'one for each device that got downlinks',
  downlink_queues: 'one for each device that got downlinks',
  device_rhythms: 'one for each device that has sent',
  network_events: '30 days',
  sessions: 'until no token can revive them, at most 1,000 of a user',
  webhook_attempts: '30 days, at most 100,000 of a webhook',
  webhook_deliveries: '30 days, at most 100,000 of a webhook',
}

const mostOfWebhook = 100_000

function checkTables(facts: Facts): Violation[] {
  const { plan, ledger } = facts
  const last = fullSamples(facts).at(-1)
  if (!last) return []
  const rowsOf = (name: string) => last.tables.get(name)?.rows ?? 0
  const bounds: [string, number][] = [
    ['uplinks', keptUplinks(plan) * 1.2 + ledger.downlinks.size],
    ['downlinks', ledger.downlinks.size],
    ['alerts', facts.alerts.open + facts.alerts.closed],
    ['webhook_attempts', mostOfWebhook * 2 * 1.1],
    ['webhook_deliveries', mostOfWebhook * 2 * 1.1],
    ['device_rhythms', plan.devices],
  ]
  return bounds
    .filter(([name, most]) => rowsOf(name) > most + leastRows)
    .map(([name, most]) => ({
      promised: 'Tables',
      text: `${name} has ${rowsOf(name)} rows, computed ${most}`,
    }))
}

/** The service looks so often, in real milliseconds, whether one is due: that is not to the point here. */
const look = 10_000
/** The first one begins at any time of the first day. */
const leastCompared = 0.7

function timesCompared({ samples }: Facts): Set<string> {
  return new Set(samples.flatMap(({ compared }) => compared.at ?? []))
}

function checkComparisons(facts: Facts): Violation[] {
  const { samples, plan } = facts
  const wrong = (text: string): Violation => ({ promised: 'Comparisons', text })
  const times = timesCompared(facts)
  const differences = samples.at(-1)?.compared.differences ?? 0
  const each = 1 + look / plan.dayLength
  const expected = (samples.length / each) * leastCompared - 1
  return [
    ...(times.size < expected
      ? [wrong(`there were ${times.size} in ${samples.length} samples`)]
      : []),
    ...(differences > 0 ? [wrong(`${differences} differences are open`)] : []),
  ]
}
