/**
 * Start-time fair queueing: one line of work per codec. The organization that has spent the least
 * processing time is served next, so slow codecs delay their own organization only.
 */
interface FairQueue<T> {
  /** False when the queue, or the organization's share of it, is full. */
  add(owner: Owner, item: T): boolean
  /** Takes up to `most` items of one line. They count as running until `release`. */
  take(most: number): { owner: Owner; items: T[] } | undefined
  /** Returns taken items to the head of their line. */
  putBack(owner: Owner, items: readonly T[]): void
  /** Ends a run of taken items and records its duration. */
  release(owner: Owner, milliseconds: number): void
  /** Removes and returns the items for which `isGone` holds. */
  remove(isGone: (item: T, owner: Owner) => boolean): T[]
  length(): number
}

/** The organization and the codec of an item. */
export interface Owner {
  organizationId: number
  codecId: string
}

interface QueueLimits {
  /** The most waiting items, of all organizations and of one. */
  capacity: number
  capacityOfOne: number
  /** The most batches of one organization that run at once. */
  atOnce: number
}

interface Party<T> {
  /** Milliseconds spent, starting at the virtual time at which it became active. */
  spent: number
  running: number
  /** Items in all of its lines. */
  waiting: number
  /** The lines that have items, the least recently served first. */
  lines: Map<string, { owner: Owner; items: T[] }>
}

export function createFairQueue<T>(limits: QueueLimits): FairQueue<T> {
  const parties = new Map<number, Party<T>>()
  let length = 0
  /** Virtual time: what the party served last has spent. New parties start here. */
  let present = 0

  function partyOf({ organizationId }: Owner): Party<T> {
    const known = parties.get(organizationId)
    const party = known ?? { spent: 0, running: 0, waiting: 0, lines: new Map() }
    parties.set(organizationId, party)
    if (party.lines.size === 0) party.spent = Math.max(party.spent, present)
    return party
  }

  function lineOf(party: Party<T>, owner: Owner): T[] {
    const line = party.lines.get(owner.codecId) ?? { owner, items: [] }
    party.lines.set(owner.codecId, line)
    return line.items
  }

  function count(party: Party<T>, change: number): void {
    party.waiting += change
    length += change
  }

  function forget(organizationId: number, party: Party<T>): void {
    if (party.lines.size === 0 && party.running === 0 && party.spent <= present) {
      parties.delete(organizationId)
    }
  }

  return {
    length: () => length,
    add(owner, item) {
      const party = partyOf(owner)
      if (length >= limits.capacity || party.waiting >= limits.capacityOfOne) return false
      lineOf(party, owner).push(item)
      count(party, 1)
      return true
    },
    take(most) {
      const party = leastServed(parties.values(), limits.atOnce)
      const line = party?.lines.values().next().value
      if (!party || !line) return undefined
      present = Math.max(present, party.spent)
      party.running += 1
      const items = line.items.splice(0, most)
      count(party, -items.length)
      // A line with items left goes behind the other lines of the organization.
      party.lines.delete(line.owner.codecId)
      if (line.items.length > 0) party.lines.set(line.owner.codecId, line)
      return { owner: line.owner, items }
    },
    putBack(owner, items) {
      if (items.length === 0) return
      const party = partyOf(owner)
      lineOf(party, owner).unshift(...items)
      count(party, items.length)
    },
    release({ organizationId }, milliseconds) {
      const party = parties.get(organizationId)
      if (!party) return
      party.running -= 1
      party.spent += milliseconds
      for (const [id, idle] of parties) forget(id, idle)
    },
    remove(isGone) {
      const gone: T[] = []
      for (const party of parties.values()) {
        for (const [codecId, line] of party.lines) {
          const { true: out = [], false: kept = [] } = Object.groupBy(line.items, (item) =>
            isGone(item, line.owner) ? 'true' : 'false',
          )
          gone.push(...out)
          count(party, -out.length)
          line.items = kept
          if (kept.length === 0) party.lines.delete(codecId)
        }
      }
      return gone
    },
  }
}

function leastServed<T>(parties: Iterable<Party<T>>, atOnce: number): Party<T> | undefined {
  let least: Party<T> | undefined
  for (const party of parties) {
    if (party.lines.size === 0 || party.running >= atOnce) continue
    if (!least || party.spent < least.spent) least = party
  }
  return least
}
