/**
 * What waits for the writer, with a share for each root organization: room that one of them cannot
 * take from the others, and a turn in every batch. So whoever sends much waits for what they sent.
 */
export interface Shares<Item> {
  /**
   * How much of its room an organization has taken: 0 none, 1 all. The more the others hold the
   * smaller it is, and whoever comes anew always finds some.
   */
  fullnessOf(rootId: number): number
  /** Takes a place for an item of so many bytes, until the function that is returned is called. */
  hold(rootId: number, bytes: number): () => void
  /** Puts an item into the organization's line. */
  add(rootId: number, bytes: number, item: Item): void
  /**
   * A batch, filled in turn from the organizations that have no other one under way. They have this
   * one under way until `release`.
   */
  take(): Item[]
  release(rootId: number): void
  /** Items that have a place. */
  held(): number
}

export interface ShareLimits {
  /** Items that one organization may have here while no other has any. All together: twice that. */
  capacity: number
  /** The same for their bytes. */
  capacityBytes: number
  /** Items in one batch: 100 to 500 is the knee of rows per second (bench/README.md). */
  batchSize: number
  /** Bytes in one batch, unless one item alone is larger. */
  batchBytes: number
}

/** What an item costs beside its bytes. */
const costOfItem = 1024
/** What one organization puts into a batch before the next one does, in bytes. */
const turn = 16 * 1024

interface Party<Item> {
  rootId: number
  held: number
  heldBytes: number
  line: { item: Item; bytes: number }[]
  isUnderWay: boolean
}

export function createShares<Item>(limits: ShareLimits): Shares<Item> {
  /** The one first that was not served for the longest time. */
  const parties = new Map<number, Party<Item>>()
  let held = 0
  let heldBytes = 0

  function partyOf(rootId: number): Party<Item> {
    const party = parties.get(rootId) ?? {
      ...{ rootId, held: 0, heldBytes: 0 },
      ...{ line: [], isUnderWay: false },
    }
    parties.set(rootId, party)
    return party
  }

  function change(party: Party<Item>, items: number, bytes: number): void {
    party.held += items
    party.heldBytes += bytes
    held += items
    heldBytes += bytes
    if (party.held === 0 && !party.isUnderWay) parties.delete(party.rootId)
  }

  return {
    held: () => held,
    fullnessOf(rootId) {
      const own = parties.get(rootId) ?? { held: 0, heldBytes: 0 }
      return Math.max(
        partTaken(own.held, held, limits.capacity),
        partTaken(own.heldBytes, heldBytes, limits.capacityBytes),
      )
    },
    hold(rootId, bytes) {
      const party = partyOf(rootId)
      change(party, 1, bytes)
      return () => change(party, -1, -bytes)
    },
    add(rootId, bytes, item) {
      partyOf(rootId).line.push({ item, bytes })
    },
    take() {
      const ready = [...parties.values()].filter(
        ({ line, isUnderWay }) => line.length > 0 && !isUnderWay,
      )
      const batch = fillBatch(ready, limits)
      for (const party of batch.keys()) {
        party.isUnderWay = true
        parties.delete(party.rootId)
        parties.set(party.rootId, party)
      }
      return [...batch].flatMap(([{ line }, count]) =>
        line.splice(0, count).map(({ item }) => item),
      )
    },
    release(rootId) {
      const party = parties.get(rootId)
      if (!party) return
      party.isUnderWay = false
      change(party, 0, 0)
    },
  }
}

/**
 * An organization may take as much as it leaves free, so that what is left to others never ends:
 * alone it has the capacity, beside `n` that are full one part in `n + 1`.
 */
function partTaken(own: number, all: number, capacity: number): number {
  const room = capacity - (all - own) / 2
  return room > 0 ? own / room : 1
}

/** How many items of each line go into the batch. */
function fillBatch<Item>(
  parties: readonly Party<Item>[],
  { batchSize, batchBytes }: ShareLimits,
): Map<Party<Item>, number> {
  const counts = new Map<Party<Item>, number>()
  const costs = new Map<Party<Item>, number>()
  let size = 0
  let bytes = 0
  let open = parties
  for (let level = turn; open.length > 0; level += turn) {
    open = open.filter((party) => {
      let count = counts.get(party) ?? 0
      let cost = costs.get(party) ?? 0
      let next = party.line[count]
      while (next && cost < level) {
        const isTooMuch = size >= batchSize || (size > 0 && bytes + next.bytes > batchBytes)
        if (isTooMuch) return false
        size += 1
        bytes += next.bytes
        cost += costOfItem + next.bytes
        count += 1
        counts.set(party, count)
        costs.set(party, cost)
        next = party.line[count]
      }
      return next !== undefined
    })
  }
  return counts
}
