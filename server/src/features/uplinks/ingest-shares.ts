/**
 * The items that wait for the writer. Each tenant has a share: room that no other one
 * can take, and a turn in every batch. An organization that sends much therefore delays only
 * itself.
 */
export interface Shares<Item> {
  /**
   * The part of its room that an organization has taken: 0 is none, 1 is all. The room becomes
   * smaller as the others hold more, but a new organization always finds some. All is taken, too,
   * while its items wait too long for a batch (`longestWait`).
   */
  fullnessOf(rootId: number): number
  /** Takes a place for an item of this size. */
  hold(rootId: number, bytes: number): void
  giveBack(rootId: number, bytes: number): void
  /** Adds an item to the waiting line of the organization. */
  add(rootId: number, bytes: number, item: Item): void
  /**
   * Returns a batch, filled in turn from the organizations whose last batch was let pass or released.
   * An organization has at most two batches in progress.
   */
  take(): Item[]
  /** The last batch of the organization only waits for its commit: the next one may begin. */
  letPass(rootId: number): void
  /** A batch of the organization is no longer in progress. */
  release(rootId: number): void
  /** The number of items that have a place. */
  held(): number
}

export interface ShareLimits {
  /**
   * Items that one organization may have here while no other has any. All together may have twice
   * as many.
   */
  capacity: number
  /** The same limit for the bytes of the items. */
  capacityBytes: number
  /** Items in one batch. Above 100 to 500, rows per second hardly increase (bench/README.md). */
  batchSize: number
  /** Bytes in one batch, unless one item alone is larger. */
  batchBytes: number
  /**
   * Milliseconds. When the oldest item of an organization has waited longer as a batch took it, and
   * left others behind, a further one would be answered too late. Measured at a batch, so that the
   * waits of a short outage, which end with it, refuse nobody.
   */
  longestWait: number
}

/** The cost of an item in addition to its bytes, in bytes. */
const costOfItem = 1024
/** The cost that one organization puts into a batch before the next one has its turn, in bytes. */
const turn = 16 * 1024

interface Party<Item> {
  rootId: number
  held: number
  heldBytes: number
  line: { item: Item; bytes: number; since: number }[]
  /** How long the oldest item that its last batch took had waited; 0 when that left none behind. */
  waited: number
  batches: number
  /** Whether its last batch is not let pass. */
  isHeldUp: boolean
}

/** Of one organization: one is being read, the other is being committed. */
const mostBatches = 2

/** `now` is in milliseconds. */
export function createShares<Item>(
  limits: ShareLimits,
  now: () => number = () => performance.now(),
): Shares<Item> {
  /**
   * In the order of the last batch: the organization that has waited longest for one comes first.
   */
  const parties = new Map<number, Party<Item>>()
  let held = 0
  let heldBytes = 0

  function partyOf(rootId: number): Party<Item> {
    const party = parties.get(rootId) ?? {
      ...{ rootId, held: 0, heldBytes: 0, line: [], waited: 0 },
      ...{ batches: 0, isHeldUp: false },
    }
    parties.set(rootId, party)
    return party
  }

  function change(party: Party<Item>, items: number, bytes: number): void {
    party.held += items
    party.heldBytes += bytes
    held += items
    heldBytes += bytes
    if (party.held === 0 && party.batches === 0) parties.delete(party.rootId)
  }

  return {
    held: () => held,
    fullnessOf(rootId) {
      const own = parties.get(rootId) ?? { held: 0, heldBytes: 0, waited: 0 }
      if (own.waited > limits.longestWait) return 1
      return Math.max(
        partTaken(own.held, held, limits.capacity),
        partTaken(own.heldBytes, heldBytes, limits.capacityBytes),
      )
    },
    hold(rootId, bytes) {
      change(partyOf(rootId), 1, bytes)
    },
    giveBack(rootId, bytes) {
      change(partyOf(rootId), -1, -bytes)
    },
    add(rootId, bytes, item) {
      partyOf(rootId).line.push({ item, bytes, since: now() })
    },
    take() {
      const ready = [...parties.values()].filter(
        ({ line, batches, isHeldUp }) => line.length > 0 && batches < mostBatches && !isHeldUp,
      )
      const batch = fillBatch(ready, limits)
      const time = now()
      for (const [party, count] of batch) {
        const [oldest] = party.line
        party.waited = oldest && count < party.line.length ? time - oldest.since : 0
        party.batches += 1
        party.isHeldUp = true
        parties.delete(party.rootId)
        parties.set(party.rootId, party)
      }
      return [...batch].flatMap(([{ line }, count]) =>
        line.splice(0, count).map(({ item }) => item),
      )
    },
    letPass(rootId) {
      const party = parties.get(rootId)
      if (party) party.isHeldUp = false
    },
    release(rootId) {
      const party = parties.get(rootId)
      if (!party) return
      if (party.batches === 1) party.isHeldUp = false
      party.batches -= 1
      change(party, 0, 0)
    },
  }
}

/**
 * An organization may take at most as much as it leaves free, so that there is always some room for
 * others. Alone, it may take the whole capacity. Beside `n` organizations that are full, it may
 * take one part in `n + 1`.
 */
export function partTaken(own: number, all: number, capacity: number): number {
  const room = capacity - (all - own) / 2
  return room > 0 ? own / room : 1
}

/** The number of items that go into the batch from each line. */
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
