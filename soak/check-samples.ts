import type { Promised, Violation } from './check.ts'
import type { Facts } from './facts.ts'
import { fitLine, isFlat } from './fit.ts'
import { keptUplinks } from './plan.ts'
import type { Sample } from './samples.ts'

/** Memory, files, connections, tables and disk are flat, or as computed. */
export function checkSamples(facts: Facts): Violation[] {
  const warm = steadySamples(facts)
  const names = warm[0]?.processes.map((_, index) => `process ${index + 1}`) ?? []
  const flat = (promised: Promised, what: string, values: number[], least: number) =>
    isFlat(values, least) ? [] : [{ promised, text: `${what} grows: ${describe(values)}` }]
  return [
    ...names.flatMap((name, index) => {
      const of = (read: (each: Sample['processes'][number]) => number) =>
        warm.flatMap(({ processes }) => processes.slice(index, index + 1).map(read))
      return [
        ...flat(
          'Memory',
          name,
          of(({ memory }) => memory),
          leastMemory,
        ),
        ...flat(
          'Files',
          name,
          of(({ files }) => files),
          leastFiles,
        ),
      ]
    }),
    ...flat(
      'Connections',
      'their number',
      warm.map(({ connections }) => connections),
      leastConnections,
    ),
    ...checkDisk(facts),
    ...checkTables(facts),
    ...checkComparisons(facts),
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

function checkDisk(facts: Facts): Violation[] {
  const wrong = (text: string): Violation => ({ promised: 'Disk', text })
  const logs = facts.samples.map(({ log }) => log)
  const most = Math.max(0, ...logs)
  // What grows by design is computed apart.
  const flat = fullSamples(facts).map(({ tables }) =>
    [...tables].reduce((sum, [name, { bytes }]) => sum + (name in growing ? 0 : bytes), 0),
  )
  return [
    ...(most > mostLog ? [wrong(`the log of changes takes ${most} bytes`)] : []),
    ...(isFlat(flat, leastBytes) ? [] : [wrong(`the tables grow: ${describe(flat)} bytes`)]),
  ]
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
  const wrong = (text: string): Violation => ({ promised: 'Tables', text })
  const full = fullSamples(facts)
  const last = full.at(-1)
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
  const names = [...last.tables.keys()].filter((name) => !(name in growing))
  return [
    ...bounds
      .filter(([name, most]) => rowsOf(name) > most + leastRows)
      .map(([name, most]) => wrong(`${name} has ${rowsOf(name)} rows, computed ${most}`)),
    ...names.flatMap((name) => {
      const rows = full.map(({ tables }) => tables.get(name)?.rows ?? 0)
      return isFlat(rows, leastRows) ? [] : [wrong(`${name} grows: ${describe(rows)} rows`)]
    }),
  ]
}

/** The service looks so often, in real milliseconds, whether one is due: that is not to the point here. */
const look = 10_000
/** The first one begins at any time of the first day. */
const leastCompared = 0.7

function checkComparisons({ samples, plan }: Facts): Violation[] {
  const wrong = (text: string): Violation => ({ promised: 'Comparisons', text })
  const times = new Set(samples.map(({ compared }) => compared.at).filter(Boolean))
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
