/**
 * Lines of work, one for each codec, of which the one is served next whose organization has had
 * the least time so far (start-time fair queueing). So whoever brings slow codecs waits for their
 * own time, and the others do not wait for it.
 */
interface FairQueue<T> {
  /** False when the organization's part of the queue, or the whole of it, is full. */
  add(owner: Owner, item: T): boolean
  /** Up to `most` items of one line; they count as running until `release`. */
  take(most: number): { owner: Owner; items: T[] } | undefined
  /** Puts items that were taken back to the head of their line. */
  putBack(owner: Owner, items: readonly T[]): void
  /** What was taken is done, and took so long. */
  release(owner: Owner, milliseconds: number): void
  /** Removes the items for which it holds, and returns them. */
  remove(isGone: (item: T, owner: Owner) => boolean): T[]
  length(): number
}

/** Whose work it is. */
export interface Owner {
  organizationId: number
  codecId: string
}

interface QueueLimits {
  /** Items that may wait, all together and of one organization. */
  capacity: number
  capacityOfOne: number
  /** How much of one organization may run at once. */
  atOnce: number
}

interface Party<T> {
  /** Milliseconds that it has had, counted from what the others had had when it came. */
  spent: number
  running: number
  /** Items in all of its lines. */
  waiting: number
  /** Those with something in them, the one first that was not served for the longest time. */
  lines: Map<string, { owner: Owner; items: T[] }>
}

export function createFairQueue<T>(limits: QueueLimits): FairQueue<T> {
  const parties = new Map<number, Party<T>>()
  let length = 0
  /** What whoever was served last had had by then: who comes now has missed nothing before it. */
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
      // Behind the organization's other lines, if anything is left of it.
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
