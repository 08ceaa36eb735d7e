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
  /** Takes room for an item of this size. */
  hold(user: ShareUser, bytes: number): void
  giveBack(user: ShareUser, bytes: number): void
  /** Adds an item to the queue of the organization. */
  add(user: ShareUser, bytes: number, item: Item): void
  /**
   * Returns a batch, filled in turn from the tenants whose last batch is written. A tenant
   * has at most two batches in progress.
   */
  take(): Item[]
  /** The last batch of the tenant only waits for its commit: the next one may begin. */
  letPass(tenantId: number): void
  /** A batch of the tenant is no longer in progress. */
  release(tenantId: number): void
  /** The number of items that have room. */
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

interface QueuedItem<Item> {
  item: Item
  bytes: number
  since: number
}

interface OrganizationQueue<Item> {
  organizationId: number
  items: QueuedItem<Item>[]
  /** How long the oldest item that its last batch took had waited; 0 when that left none behind. */
  waited: number
}

interface TenantQueue<Item> {
  tenantId: number
  held: number
  /** By organization, the one whose turn was longest ago first. */
  queues: Map<number, OrganizationQueue<Item>>
  batches: number
  /** Whether its last batch is not written yet. */
  isWriting: boolean
}

/** Of one tenant: one is being read, the other is being committed. */
const mostBatches = 2

/** `now` is in milliseconds. */
export function createShares<Item>(
  limits: ShareLimits,
  now: () => number = () => performance.now(),
): Shares<Item> {
  /** In the order of the last batch: the tenant that has waited longest for one comes first. */
  const tenants = new Map<number, TenantQueue<Item>>()
  const room = createRoom(limits.capacity)
  const roomInBytes = createRoom(limits.capacityBytes)

  function tenantOf(tenantId: number): TenantQueue<Item> {
    const tenant = tenants.get(tenantId) ?? newTenant<Item>(tenantId)
    tenants.set(tenantId, tenant)
    return tenant
  }

  function change(user: ShareUser, items: number, bytes: number): void {
    const tenant = tenantOf(user.tenantId)
    tenant.held += items
    room.change(user, items)
    roomInBytes.change(user, bytes)
    forgetIdle(tenant)
  }

  function forgetIdle({ tenantId, held, batches }: TenantQueue<Item>): void {
    if (held === 0 && batches === 0) tenants.delete(tenantId)
  }

  return {
    held: room.taken,
    fullnessOf(user) {
      const { waited = 0 } = tenants.get(user.tenantId)?.queues.get(user.organizationId) ?? {}
      if (waited > limits.longestWait) return 1
      return Math.max(room.partOf(user), roomInBytes.partOf(user))
    },
    hold: (user, bytes) => change(user, 1, bytes),
    giveBack: (user, bytes) => change(user, -1, -bytes),
    add({ tenantId, organizationId }, bytes, item) {
      addTo(tenantOf(tenantId), organizationId, { item, bytes, since: now() })
    },
    take() {
      const time = now()
      const ready = [...tenants.values()].filter(mayBegin)
      return fillBatch(ready, limits).flatMap((filling) => {
        tenants.delete(filling.tenant.tenantId)
        tenants.set(filling.tenant.tenantId, filling.tenant)
        return takeFilling(filling, time)
      })
    },
    letPass(tenantId) {
      const tenant = tenants.get(tenantId)
      if (tenant) tenant.isWriting = false
    },
    release(tenantId) {
      const tenant = tenants.get(tenantId)
      if (!tenant) return
      endBatch(tenant)
      forgetIdle(tenant)
    },
  }
}

function newTenant<Item>(tenantId: number): TenantQueue<Item> {
  return { tenantId, held: 0, queues: new Map(), batches: 0, isWriting: false }
}

function addTo<Item>(
  { queues }: TenantQueue<Item>,
  organizationId: number,
  queued: QueuedItem<Item>,
): void {
  const queue = queues.get(organizationId) ?? { organizationId, items: [], waited: 0 }
  queues.set(organizationId, queue)
  queue.items.push(queued)
}

function endBatch(tenant: TenantQueue<unknown>): void {
  if (tenant.batches === 1) tenant.isWriting = false
  tenant.batches -= 1
}

function mayBegin({ batches, isWriting }: TenantQueue<unknown>): boolean {
  return batches < mostBatches && !isWriting
}

function takeFilling<Item>({ tenant, counts }: Filling<Item>, time: number): Item[] {
  tenant.batches += 1
  tenant.isWriting = true
  return [...counts].flatMap(([queue, count]) => takeFrom(tenant, queue, count, time))
}

function takeFrom<Item>(
  { queues }: TenantQueue<Item>,
  queue: OrganizationQueue<Item>,
  count: number,
  time: number,
): Item[] {
  const [oldest] = queue.items
  queue.waited = oldest && count < queue.items.length ? time - oldest.since : 0
  const taken = queue.items.splice(0, count).map(({ item }) => item)
  queues.delete(queue.organizationId)
  if (queue.items.length > 0) queues.set(queue.organizationId, queue)
  return taken
}

/** What goes into a batch from a tenant. */
interface Filling<Item> {
  tenant: TenantQueue<Item>
  cost: number
  /** The number of items from each queue. */
  counts: Map<OrganizationQueue<Item>, number>
  costs: Map<OrganizationQueue<Item>, number>
}

/** The tenants with items in the batch. */
function fillBatch<Item>(
  tenants: readonly TenantQueue<Item>[],
  { batchSize, batchBytes }: ShareLimits,
): Filling<Item>[] {
  const fillings = tenants.map(
    (tenant): Filling<Item> => ({ tenant, cost: 0, counts: new Map(), costs: new Map() }),
  )
  let size = 0
  let bytes = 0
  let open = fillings
  for (let level = turn; open.length > 0; level += turn) {
    open = open.filter((filling) => {
      while (filling.cost < level) {
        const queue = nextQueue(filling)
        const count = (queue && filling.counts.get(queue)) ?? 0
        const next = queue?.items[count]
        if (!queue || !next) return false
        if (size >= batchSize || (size > 0 && bytes + next.bytes > batchBytes)) return false
        const cost = costOfItem + next.bytes
        size += 1
        bytes += next.bytes
        filling.cost += cost
        filling.counts.set(queue, count + 1)
        filling.costs.set(queue, (filling.costs.get(queue) ?? 0) + cost)
      }
      return true
    })
  }
  return fillings.filter(({ counts }) => counts.size > 0)
}

/** The queue with items left that has put the least into the batch. */
function nextQueue<Item>({
  tenant,
  counts,
  costs,
}: Filling<Item>): OrganizationQueue<Item> | undefined {
  let least: OrganizationQueue<Item> | undefined
  for (const queue of tenant.queues.values()) {
    if ((counts.get(queue) ?? 0) >= queue.items.length) continue
    if (!least || (costs.get(queue) ?? 0) < (costs.get(least) ?? 0)) least = queue
  }
  return least
}
