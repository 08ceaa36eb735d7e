import { createRoom, type ShareUser } from '../../http/room.ts'

/**
 * The items that wait for the writer. Each tenant has a share: room that no other one can take, and a turn
 * in every batch. Its organizations share it in the same way. So an organization that sends much delays
 * only itself.
 */
export interface Shares<Item> {
  /**
   * The part of its room that an organization has taken: 0 is none, 1 is all. The room becomes
   * smaller as the others hold more, but a new organization always finds some. All is taken, too,
   * while its items wait too long for a batch (`longestWait`).
   */
  fullnessOf(user: ShareUser): number
  /** Takes a place for an item of this size. */
  hold(user: ShareUser, bytes: number): void
  giveBack(user: ShareUser, bytes: number): void
  /** Adds an item to the waiting line of the organization. */
  add(user: ShareUser, bytes: number, item: Item): void
  /**
   * Returns a batch, filled in turn from the tenants whose last batch was let pass or released. A tenant
   * has at most two batches in progress.
   */
  take(): Item[]
  /** The last batch of the tenant only waits for its commit: the next one may begin. */
  letPass(tenantId: number): void
  /** A batch of the tenant is no longer in progress. */
  release(tenantId: number): void
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
  /** Items in one batch. Above 100 to 500, rows per second hardly increase. */
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
/** The cost that one tenant puts into a batch before the next one has its turn, in bytes. */
const turn = 16 * 1024

interface Line<Item> {
  organizationId: number
  items: { item: Item; bytes: number; since: number }[]
  /** How long the oldest item that its last batch took had waited; 0 when that left none behind. */
  waited: number
}

interface Party<Item> {
  tenantId: number
  held: number
  /** By organization, the one whose turn was longest ago first. */
  lines: Map<number, Line<Item>>
  batches: number
  /** Whether its last batch is not let pass. */
  isHeldUp: boolean
}

/** Of one tenant: one is being read, the other is being committed. */
const mostBatches = 2

/** `now` is in milliseconds. */
export function createShares<Item>(
  limits: ShareLimits,
  now: () => number = () => performance.now(),
): Shares<Item> {
  /** In the order of the last batch: the tenant that has waited longest for one comes first. */
  const parties = new Map<number, Party<Item>>()
  const places = createRoom(limits.capacity)
  const bytesHeld = createRoom(limits.capacityBytes)

  function partyOf(tenantId: number): Party<Item> {
    const party = parties.get(tenantId) ?? {
      ...{ tenantId, held: 0, lines: new Map(), batches: 0, isHeldUp: false },
    }
    parties.set(tenantId, party)
    return party
  }

  function change(user: ShareUser, items: number, bytes: number): void {
    const party = partyOf(user.tenantId)
    party.held += items
    places.change(user, items)
    bytesHeld.change(user, bytes)
    forgetIdle(party)
  }

  function forgetIdle({ tenantId, held, batches }: Party<Item>): void {
    if (held === 0 && batches === 0) parties.delete(tenantId)
  }

  return {
    held: places.taken,
    fullnessOf(user) {
      const { waited = 0 } = parties.get(user.tenantId)?.lines.get(user.organizationId) ?? {}
      if (waited > limits.longestWait) return 1
      return Math.max(places.partOf(user), bytesHeld.partOf(user))
    },
    hold: (user, bytes) => change(user, 1, bytes),
    giveBack: (user, bytes) => change(user, -1, -bytes),
    add({ tenantId, organizationId }, bytes, item) {
      const { lines } = partyOf(tenantId)
      const line = lines.get(organizationId) ?? { organizationId, items: [], waited: 0 }
      lines.set(organizationId, line)
      line.items.push({ item, bytes, since: now() })
    },
    take() {
      const ready = [...parties.values()].filter(
        ({ batches, isHeldUp }) => batches < mostBatches && !isHeldUp,
      )
      const time = now()
      return fillBatch(ready, limits).flatMap(({ party, counts }) => {
        party.batches += 1
        party.isHeldUp = true
        parties.delete(party.tenantId)
        parties.set(party.tenantId, party)
        return [...counts].flatMap(([line, count]) => takeFrom(party, line, count, time))
      })
    },
    letPass(tenantId) {
      const party = parties.get(tenantId)
      if (party) party.isHeldUp = false
    },
    release(tenantId) {
      const party = parties.get(tenantId)
      if (!party) return
      if (party.batches === 1) party.isHeldUp = false
      party.batches -= 1
      forgetIdle(party)
    },
  }
}

function takeFrom<Item>(
  { lines }: Party<Item>,
  line: Line<Item>,
  count: number,
  time: number,
): Item[] {
  const [oldest] = line.items
  line.waited = oldest && count < line.items.length ? time - oldest.since : 0
  const taken = line.items.splice(0, count).map(({ item }) => item)
  lines.delete(line.organizationId)
  if (line.items.length > 0) lines.set(line.organizationId, line)
  return taken
}

/** What goes into a batch from a tenant. */
interface Filling<Item> {
  party: Party<Item>
  cost: number
  /** The number of items from each line. */
  counts: Map<Line<Item>, number>
  costs: Map<Line<Item>, number>
}

/** The tenants with items in the batch. */
function fillBatch<Item>(
  parties: readonly Party<Item>[],
  { batchSize, batchBytes }: ShareLimits,
): Filling<Item>[] {
  const fillings = parties.map(
    (party): Filling<Item> => ({ party, cost: 0, counts: new Map(), costs: new Map() }),
  )
  let size = 0
  let bytes = 0
  let open = fillings
  for (let level = turn; open.length > 0; level += turn) {
    open = open.filter((filling) => {
      while (filling.cost < level) {
        const line = nextLine(filling)
        const count = (line && filling.counts.get(line)) ?? 0
        const next = line?.items[count]
        if (!line || !next) return false
        if (size >= batchSize || (size > 0 && bytes + next.bytes > batchBytes)) return false
        const cost = costOfItem + next.bytes
        size += 1
        bytes += next.bytes
        filling.cost += cost
        filling.counts.set(line, count + 1)
        filling.costs.set(line, (filling.costs.get(line) ?? 0) + cost)
      }
      return true
    })
  }
  return fillings.filter(({ counts }) => counts.size > 0)
}

/** The line with items left that has put the least into the batch. */
function nextLine<Item>({ party, counts, costs }: Filling<Item>): Line<Item> | undefined {
  let least: Line<Item> | undefined
  for (const line of party.lines.values()) {
    if ((counts.get(line) ?? 0) >= line.items.length) continue
    if (!least || (costs.get(line) ?? 0) < (costs.get(least) ?? 0)) least = line
  }
  return least
}
