import type { Guarantee, Violation } from './check.ts'
import type { Facts } from './facts.ts'
import { type Entry, type Episode, recoveryLimit } from './history.ts'

/**
 * Durability and read your writes: what was written and acknowledged is read from then on, at every
 * process. Each subject has one writer, whose requests come one after the other. A write without an
 * answer may happen at any time after it began.
 */
export function checkReads({ entries }: Facts): Violation[] {
  const writes = Map.groupBy(entries.filter(isWrite), ({ subject }) => subject)
  const uplinks = Map.groupBy(
    entries.filter(({ operation }) => operation === 'uplink'),
    ({ subject }) => subject,
  )
  return entries
    .filter(({ operation }) => operation === 'read')
    .flatMap((read) => {
      if (read.outcome === 'unknown') return []
      if (read.outcome === 'refused') return refused(read)
      return read.subject.startsWith('uplinks ')
        ? checkCount(read, uplinks.get(read.subject.slice('uplinks '.length)) ?? [])
        : checkValue(read, writes.get(read.subject) ?? [])
    })
}

/** Clients read only what is theirs; what is not there is no refusal here (`readSubject`). */
function refused(read: Entry): Violation[] {
  const text = `a look at ${read.subject} was refused with ${read.status}`
  return [{ guarantee: guaranteeOf(read), text, entries: [read] }]
}

function isWrite({ operation }: Entry): boolean {
  return ['register', 'delete', 'group', 'webhook', 'alert'].includes(operation)
}

/** The last look comes after everything, so a value that is missing there is lost. */
function guaranteeOf({ client }: Entry): Guarantee {
  return client === 'last look' ? 'Durability' : 'Read your writes'
}

function checkValue(read: Entry, writes: readonly Entry[]): Violation[] {
  const begun = writes.filter(({ begin, outcome }) => begin < read.end && outcome !== 'refused')
  const certain = begun.filter(({ end, outcome }) => outcome === 'done' && end < read.begin)
  const last = certain.at(-1)
  const possible = begun.filter(
    (write) => write === last || write.outcome === 'unknown' || write.end >= read.begin,
  )
  const values = new Set(possible.map(({ value }) => value))
  if (!last) values.add(null)
  if (values.has(read.value)) return []
  const expected = [...values].map((value) => value ?? 'nothing').join(' or ')
  return [
    {
      guarantee: guaranteeOf(read),
      text: `${read.subject} was read as ${read.value ?? 'nothing'}, and must be ${expected}`,
      entries: [...possible, read],
    },
  ]
}

/** A deleted device answers 404, which `checkValue` looks at. */
function checkCount(read: Entry, posts: readonly Entry[]): Violation[] {
  if (typeof read.value !== 'number') return []
  const keysOf = (chosen: readonly Entry[]) => new Set(chosen.map(({ value }) => value)).size
  const least = keysOf(posts.filter(({ outcome, end }) => outcome === 'done' && end < read.begin))
  if (read.value >= least) return []
  const last = posts.filter(({ outcome, end }) => outcome === 'done' && end < read.begin).at(-1)
  return [
    {
      guarantee: guaranteeOf(read),
      text: `${least} ${read.subject} were acknowledged, and ${read.value} were read`,
      entries: [...(last ? [last] : []), read],
    },
  ]
}

/** Tenant isolation, recovery, and what refusals look like. */
export function checkAnswers({ entries, episodes }: Facts): Violation[] {
  const violations: Violation[] = []
  for (const entry of entries) {
    if (entry.leak) {
      const text = `an answer to organization ${entry.organization} has ${entry.leak} of another one`
      violations.push({ guarantee: 'Tenant isolation', text, entries: [entry] })
    }
    if (entry.operation === 'foreign' && entry.outcome === 'done') {
      const text = `organization ${entry.organization} reached ${entry.subject}`
      violations.push({ guarantee: 'Tenant isolation', text, entries: [entry] })
    }
    if (entry.status >= 500 && entry.status !== 503) {
      const text = `a request got ${entry.status}; only 503 tells a client to try again`
      violations.push({ guarantee: 'Clear refusals', text, entries: [entry] })
    }
    if (entry.outcome === 'unknown' && isCalm(entry, episodes)) {
      const text = `a request failed with ${entry.status || 'no answer'} while there was no fault`
      violations.push({ guarantee: 'Recovery', text, entries: [entry] })
    }
  }
  return [...violations, ...episodes.flatMap(checkRecovery)]
}

function checkRecovery({ kind, target, end, recovered }: Episode): Violation[] {
  if (recovered !== undefined && recovered - end <= recoveryLimit) return []
  const time = recovered === undefined ? 'never' : `${((recovered - end) / 1000).toFixed(1)} s`
  const limit = `${recoveryLimit / 1000} s`
  return [
    {
      guarantee: 'Recovery',
      text: `after "${kind}" (${target}): ${time}, and at most ${limit} are allowed`,
      entries: [],
    },
  ]
}

/** Whether a request began after the recovery from one fault and ended before the next one. */
function isCalm({ begin, end }: Entry, episodes: readonly Episode[]): boolean {
  return episodes.every(
    (episode) =>
      end < episode.begin || (episode.recovered !== undefined && begin > episode.recovered),
  )
}
