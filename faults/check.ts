import { checkCommands } from './check-commands.ts'
import { checkAnswers, checkReads } from './check-reads.ts'
import { checkUplinks } from './check-uplinks.ts'
import { checkWebhooks } from './check-webhooks.ts'
import type { Facts } from './facts.ts'
import { describeEntry, describeEpisode, type Entry } from './history.ts'

/** The guarantees of docs/guarantees.md, by their headings there. */
export const guarantees = [
  'Durability',
  'Exactly once',
  'Order',
  'Read your writes',
  'Tenant isolation',
  'Accepted work is done',
  'Downlinks',
  'Webhooks',
  'Recovery',
  'Clear refusals',
  'Backup',
] as const
export type Guarantee = (typeof guarantees)[number]

export interface Violation {
  guarantee: Guarantee
  text: string
  /** What the history says of it. */
  entries: readonly Entry[]
}

/** Everything in the facts that a guarantee forbids. */
export function findViolations(facts: Facts): Violation[] {
  return [
    ...checkUplinks(facts),
    ...checkReads(facts),
    ...checkAnswers(facts),
    ...checkCommands(facts),
    ...checkWebhooks(facts),
    ...facts.unfinished.map((text) => ({
      guarantee: 'Accepted work is done' as const,
      text: `long after the last fault, ${text}`,
      entries: [],
    })),
    ...facts.restoreDifferences.map((text) => ({
      guarantee: 'Backup' as const,
      text,
      entries: [],
    })),
  ]
}

const mostEntries = 12

/** A violation with the shortest part of the history that shows it, and the faults meanwhile. */
export function describeViolation({ guarantee, text, entries }: Violation, facts: Facts): string {
  const shown = entries.slice(0, mostEntries)
  const begin = Math.min(...shown.map((entry) => entry.begin))
  const end = Math.max(...shown.map((entry) => entry.end))
  const faults = facts.episodes.filter((episode) => episode.begin < end && episode.end > begin)
  const lines = [
    ...shown.map((entry) => ({ at: entry.begin, line: describeEntry(entry) })),
    ...faults.map((episode) => ({ at: episode.begin, line: describeEpisode(episode) })),
  ].sort((one, other) => one.at - other.at)
  return [`VIOLATED ${guarantee}: ${text}`, ...lines.map(({ line }) => `    ${line}`)].join('\n')
}
