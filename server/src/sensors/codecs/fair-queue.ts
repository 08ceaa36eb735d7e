/**
 * Start-time fair queueing: one line of work per codec. The tenant that has spent the least processing
 * time is served next, and of its organizations the one that has. So slow codecs delay their own
 * organization first, and never another tenant.
 */
export interface FairQueue<T> {
  /**
   * False when there is no room: a tenant takes at most as much as it leaves free, and an organization
   * at most as much as it leaves free of its tenant's room.
   */
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

/** The organization of an item, its tenant, and the codec. */
export interface Owner {
  organizationId: number
  tenantId: number
  codecId: string
}

interface QueueLimits {
  /** The most waiting items. */
  capacity: number
  /** The most batches of one tenant that run at once. */
  atOnce: number
}

/** A tenant or an organization. */
interface Party {
  /** Milliseconds spent, starting at the virtual time at which it became active. */
  spent: number
  running: number
  /** Items in all of its lines. */
  waiting: number
}

interface Parties<P extends Party> {
  parties: Map<number, P>
  /** Virtual time: what the party served last has spent. New parties start here. */
  present: number
}

interface Organization<T> extends Party {
  /** The lines that have items, the least recently served first. */
  lines: Map<string, { owner: Owner; items: T[] }>
}

type Tenant<T> = Party & Parties<Organization<T>>

interface State<T> extends Parties<Tenant<T>> {
  /** Items in all lines. */
  length: number
}

export function createFairQueue<T>({ capacity, atOnce }: QueueLimits): FairQueue<T> {
  const state: State<T> = { parties: new Map(), present: 0, length: 0 }
  return {
    length: () => state.length,
    add(owner, item) {
      const { tenant, organization } = partiesOf(state, owner)
      const room = (capacity - state.length + tenant.waiting) / 2
      if (organization.waiting >= room - tenant.waiting) return false
      lineOf(organization, owner).push(item)
      count(state, { tenant, organization }, 1)
      return true
    },
    take: (most) => take(state, atOnce, most),
    putBack(owner, items) {
      if (items.length === 0) return
      const parties = partiesOf(state, owner)
      lineOf(parties.organization, owner).unshift(...items)
      count(state, parties, items.length)
    },
    release(owner, milliseconds) {
      const tenant = state.parties.get(owner.tenantId)
      const organization = tenant?.parties.get(owner.organizationId)
      if (!tenant || !organization) return
      for (const party of [tenant, organization]) {
        party.running -= 1
        party.spent += milliseconds
      }
      forgetIdle(tenant)
      forgetIdle(state)
    },
    remove: (isGone) => remove(state, isGone),
  }
}

interface Owners<T> {
  tenant: Tenant<T>
  organization: Organization<T>
}

function partiesOf<T>(state: State<T>, { tenantId, organizationId }: Owner): Owners<T> {
  const tenant = enter(state, tenantId, () => ({ ...idle, parties: new Map(), present: 0 }))
  const organization = enter(tenant, organizationId, () => ({ ...idle, lines: new Map() }))
  return { tenant, organization }
}

const idle: Party = { spent: 0, running: 0, waiting: 0 }

function enter<P extends Party>({ parties, present }: Parties<P>, id: number, make: () => P): P {
  const party = parties.get(id) ?? make()
  parties.set(id, party)
  if (party.waiting === 0) party.spent = Math.max(party.spent, present)
  return party
}

function lineOf<T>({ lines }: Organization<T>, owner: Owner): T[] {
  const line = lines.get(owner.codecId) ?? { owner, items: [] }
  lines.set(owner.codecId, line)
  return line.items
}

function count<T>(state: State<T>, { tenant, organization }: Owners<T>, change: number): void {
  organization.waiting += change
  tenant.waiting += change
  state.length += change
}

function take<T>(state: State<T>, atOnce: number, most: number) {
  const tenant = leastServed(state, atOnce)
  const organization = tenant && leastServed(tenant, atOnce)
  const line = organization?.lines.values().next().value
  if (!tenant || !organization || !line) return undefined
  state.present = Math.max(state.present, tenant.spent)
  tenant.present = Math.max(tenant.present, organization.spent)
  tenant.running += 1
  organization.running += 1
  const items = line.items.splice(0, most)
  count(state, { tenant, organization }, -items.length)
  // A line with items left goes behind the other lines of the organization.
  organization.lines.delete(line.owner.codecId)
  if (line.items.length > 0) organization.lines.set(line.owner.codecId, line)
  return { owner: line.owner, items }
}

function forgetIdle<P extends Party>({ parties, present }: Parties<P>): void {
  for (const [id, { waiting, running, spent }] of parties) {
    if (waiting === 0 && running === 0 && spent <= present) parties.delete(id)
  }
}

function remove<T>(state: State<T>, isGone: (item: T, owner: Owner) => boolean): T[] {
  const gone: T[] = []
  for (const tenant of state.parties.values()) {
    for (const organization of tenant.parties.values()) {
      for (const [codecId, line] of organization.lines) {
        const kept = line.items.filter((item) => !isGone(item, line.owner) || !gone.push(item))
        count(state, { tenant, organization }, kept.length - line.items.length)
        line.items = kept
        if (kept.length === 0) organization.lines.delete(codecId)
      }
    }
  }
  return gone
}

function leastServed<P extends Party>({ parties }: Parties<P>, atOnce: number): P | undefined {
  let least: P | undefined
  for (const party of parties.values()) {
    if (party.waiting === 0 || party.running >= atOnce) continue
    if (!least || party.spent < least.spent) least = party
  }
  return least
}
