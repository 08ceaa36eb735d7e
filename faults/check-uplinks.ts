import type { Violation } from './check.ts'
import type { Facts, StoredUplink } from './facts.ts'
import type { Entry } from './history.ts'

/** Durability, exactly once and order of uplinks. */
export function checkUplinks(facts: Facts): Violation[] {
  const sent = facts.entries.filter(
    ({ operation }) => operation === 'uplink' || operation === 'publish',
  )
  const byKey = Map.groupBy(sent, nameOf)
  const posted = new Map([...byKey].filter(([, [first]]) => first?.operation === 'uplink'))
  const stored = Map.groupBy(facts.uplinks, nameOf)
  return [
    ...checkLost(byKey, stored, new Set(facts.quarantined)),
    ...checkRefused(byKey, stored),
    ...checkTwice(byKey, stored),
    ...checkCounters(facts),
    ...checkOrder(posted, stored),
  ]
}

type Named = Pick<Entry, 'organization' | 'subject' | 'value'> | StoredUplink

/** `organization EUI key`, as in `readStored`. */
function nameOf(named: Named): string {
  if ('key' in named) return `${named.organization} ${named.eui} ${named.key}`
  return `${named.organization} ${named.subject} ${named.value}`
}

type Posts = ReadonlyMap<string, Entry[]>
type Stored = ReadonlyMap<string, StoredUplink[]>

function checkLost(posts: Posts, stored: Stored, quarantined: ReadonlySet<string>): Violation[] {
  return [...posts]
    .filter(([, entries]) => entries.some(({ outcome }) => outcome === 'done'))
    .filter(([name]) => !stored.has(name) && !quarantined.has(name))
    .map(([name, entries]) => ({
      guarantee: 'Durability',
      text: `the uplink ${name} was acknowledged and is not stored`,
      entries,
    }))
}

function checkRefused(posts: Posts, stored: Stored): Violation[] {
  return [...posts]
    .filter(([, entries]) => entries.every(({ outcome }) => outcome === 'refused'))
    .filter(([name]) => stored.has(name))
    .map(([name, entries]) => ({
      guarantee: 'Clear refusals',
      text: `the uplink ${name} was refused and is stored`,
      entries,
    }))
}

function checkTwice(posts: Posts, stored: Stored): Violation[] {
  return [...stored]
    .filter(([, rows]) => rows.length > 1)
    .map(([name, rows]) => ({
      guarantee: 'Exactly once',
      text: `the uplink ${name} is stored ${rows.length} times`,
      entries: posts.get(name) ?? [],
    }))
}

function checkCounters({ wrongCounters }: Facts): Violation[] {
  return Object.entries(wrongCounters)
    .filter(([, number]) => number > 0)
    .map(([what, number]) => ({
      guarantee: 'Exactly once',
      text: `${number} ${what} have a gap in their ordinals, or a wrong counter`,
      entries: [],
    }))
}

/** What was acknowledged before another one was sent stands before it. */
function checkOrder(posts: Posts, stored: Stored): Violation[] {
  const sent = [...posts]
    .flatMap(([name, entries]) => {
      const [row] = stored.get(name) ?? []
      const done = entries.find(({ outcome }) => outcome === 'done')
      return row && done ? [{ row, done, first: entries[0] as Entry }] : []
    })
    .map(({ row, done, first }) => ({ row, done, begin: first.begin, end: done.end }))
  const devices = Map.groupBy(sent, ({ row }) => `${row.organization} ${row.eui}`)
  return [...devices].flatMap(([device, uplinks]) => {
    const byBegin = uplinks.toSorted((one, other) => one.begin - other.begin)
    const byEnd = uplinks.toSorted((one, other) => one.end - other.end)
    let next = 0
    let highest: (typeof uplinks)[number] | undefined
    for (const uplink of byBegin) {
      for (let ended = byEnd[next]; ended && ended.end < uplink.begin; ended = byEnd[++next]) {
        if (ended.row.deviceOrdinal > (highest?.row.deviceOrdinal ?? 0)) highest = ended
      }
      if (highest && highest.row.deviceOrdinal > uplink.row.deviceOrdinal) {
        return {
          guarantee: 'Order' as const,
          text: `of device ${device}, uplink ${highest.row.key} was acknowledged before ${uplink.row.key} was sent, and has a later ordinal`,
          entries: [highest.done, uplink.done],
        }
      }
    }
    return []
  })
}
