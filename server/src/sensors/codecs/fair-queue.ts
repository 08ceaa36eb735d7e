/**
 * Start-time fair queueing: one line of work per codec. The organization that has spent the least
 * processing time is served next, so slow codecs delay their own organization only.
 */
export interface FairQueue<T> {
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

interface State<T> {
  parties: Map<number, Party<T>>
  /** Items in all lines. */
  length: number
  /** Virtual time: what the party served last has spent. New parties start here. */
  present: number
}

export function createFairQueue<T>(limits: QueueLimits): FairQueue<T> {
  const state: State<T> = { parties: new Map(), length: 0, present: 0 }
  return {
    length: () => state.length,
    add(owner, item) {
      const party = partyOf(state, owner)
      if (state.length >= limits.capacity || party.waiting >= limits.capacityOfOne) return false
      lineOf(party, owner).push(item)
      count(state, party, 1)
      return true
    },
    take: (most) => take(state, limits.atOnce, most),
    putBack(owner, items) {
      if (items.length === 0) return
      const party = partyOf(state, owner)
      lineOf(party, owner).unshift(...items)
      count(state, party, items.length)
    },
    release(owner, milliseconds) {
      const party = state.parties.get(owner.organizationId)
      if (!party) return
      party.running -= 1
      party.spent += milliseconds
      forgetIdle(state)
    },
    remove: (isGone) => remove(state, isGone),
  }
}

function partyOf<T>({ parties, present }: State<T>, { organizationId }: Owner): Party<T> {
  const known = parties.get(organizationId)
  const party = known ?? { spent: 0, running: 0, waiting: 0, lines: new Map() }
  parties.set(organizationId, party)
  if (party.lines.size === 0) party.spent = Math.max(party.spent, present)
  return party
}

function lineOf<T>(party: Party<T>, owner: Owner): T[] {
  const line = party.lines.get(owner.codecId) ?? { owner, items: [] }
  party.lines.set(owner.codecId, line)
  return line.items
}

function count<T>(state: State<T>, party: Party<T>, change: number): void {
  party.waiting += change
  state.length += change
}

function take<T>(state: State<T>, atOnce: number, most: number) {
  const party = leastServed(state.parties.values(), atOnce)
  const line = party?.lines.values().next().value
  if (!party || !line) return undefined
  state.present = Math.max(state.present, party.spent)
  party.running += 1
  const items = line.items.splice(0, most)
  count(state, party, -items.length)
  // A line with items left goes behind the other lines of the organization.
  party.lines.delete(line.owner.codecId)
  if (line.items.length > 0) party.lines.set(line.owner.codecId, line)
  return { owner: line.owner, items }
}

function forgetIdle<T>({ parties, present }: State<T>): void {
  for (const [organizationId, { lines, running, spent }] of parties) {
    if (lines.size === 0 && running === 0 && spent <= present) parties.delete(organizationId)
  }
}

function remove<T>(state: State<T>, isGone: (item: T, owner: Owner) => boolean): T[] {
  const gone: T[] = []
  for (const party of state.parties.values()) {
    for (const [codecId, line] of party.lines) {
      const { true: out = [], false: kept = [] } = Object.groupBy(line.items, (item) =>
        isGone(item, line.owner) ? 'true' : 'false',
      )
      gone.push(...out)
      count(state, party, -out.length)
      line.items = kept
      if (kept.length === 0) party.lines.delete(codecId)
    }
  }
  return gone
}

function leastServed<T>(parties: Iterable<Party<T>>, atOnce: number): Party<T> | undefined {
  let least: Party<T> | undefined
  for (const party of parties) {
    if (party.lines.size === 0 || party.running >= atOnce) continue
    if (!least || party.spent < least.spent) least = party
  }
  return least
}
