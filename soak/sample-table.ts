import { growing, steadySamples } from './check-samples.ts'
import type { Facts } from './facts.ts'
import type { Sample } from './samples.ts'

const megabyte = 1024 ** 2

/** The samples at the end of the warm-up, in the middle of the rest, and at the end. */
export function describeSamples(facts: Facts): string[] {
  const warm = steadySamples(facts)
  const shown = [warm[0], warm[Math.floor((warm.length - 1) / 2)], warm.at(-1)].filter(
    (sample) => sample !== undefined,
  )
  const line = (what: string, read: (sample: Sample) => string, note = '') =>
    `${what.padEnd(28)}${shown.map((sample) => read(sample).padStart(12)).join('')}  ${note}`
  const inMegabytes = (bytes: number) => (bytes / megabyte).toFixed(1)
  const processes = shown[0]?.processes ?? []
  return [
    line('', ({ day }) => `day ${day.toFixed(1)}`),
    ...processes.map((_, index) =>
      line(`memory of process ${index + 1}, MB`, ({ processes: all }) =>
        inMegabytes(all[index]?.memory ?? 0),
      ),
    ),
    ...processes.map((_, index) =>
      line(`files of process ${index + 1}`, ({ processes: all }) => String(all[index]?.files ?? 0)),
    ),
    line('connections', ({ connections }) => String(connections)),
    line('database, MB', ({ database }) => inMegabytes(database)),
    line('log of changes, MB', ({ log }) => inMegabytes(log)),
    ...largestTables(shown).map((name) =>
      line(
        name,
        ({ tables }) => String(tables.get(name)?.rows ?? 0),
        `${inMegabytes(shown.at(-1)?.tables.get(name)?.bytes ?? 0)} MB${name in growing ? `; ${growing[name]}` : ''}`,
      ),
    ),
  ]
}

const mostTables = 20

function largestTables(shown: readonly Sample[]): string[] {
  const last = shown.at(-1)
  return [...(last?.tables ?? [])]
    .filter(([, { rows }]) => rows > 0)
    .toSorted(([, one], [, other]) => other.rows - one.rows)
    .slice(0, mostTables)
    .map(([name]) => name)
}
