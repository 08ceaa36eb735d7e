import { settleWithin } from '../../../db/outlast.ts'
import { createLimitPerKey } from '../../../http/concurrency-limit.ts'
import { HttpError } from '../../../http/errors.ts'
import type { Lane } from './lane-queries.ts'

/** Calls to the networks, in the background and for requests that wait for them. */
export interface NetworkWork extends Lanes, AwaitedCalls {
  /** Waits until the work is done, but at most for the patience of a request. Logs its failure. */
  waitFor(work: Promise<unknown>): Promise<void>
  isClosed(): boolean
  /** Begins no more work, and waits until no work is in progress. */
  close(): Promise<void>
}

/** How long a request waits for a network before it is answered, in milliseconds. */
export const patienceMilliseconds = 8_000

export function createNetworkWork(work: WorkKind): NetworkWork {
  const lanes = createLanes(work)
  const awaited = new Set<Promise<unknown>>()
  let isClosed = false
  const idle = async () => {
    while (awaited.size > 0) await Promise.all(awaited)
    await lanes.idle()
  }
  return {
    ...createAwaitedCalls(),
    ...lanes,
    async waitFor(making) {
      const done = making.catch(work.reportFailure).finally(() => awaited.delete(done))
      awaited.add(done)
      await settleWithin(done, patienceMilliseconds)
    },
    isClosed: () => isClosed,
    idle,
    async close() {
      isClosed = true
      lanes.close()
      await idle()
    },
  }
}

/** One kind of work that calls the networks of accounts. */
interface WorkKind {
  /** Returns the lanes with due work. */
  list(): Promise<Lane[]>
  /** Claims the oldest work of a lane that may be done now, at most `most`. */
  claim(lane: Lane, most: number): Promise<(() => Promise<unknown>)[]>
  reportFailure(error: unknown): void
}

/** Does the work of all lanes in the background. The lanes take turns. */
interface Lanes {
  /** Lists the lanes with due work, and does it. */
  wake(): void
  /** Waits until no work is in progress. */
  idle(): Promise<void>
  /** Begins nothing more. */
  close(): void
}

/**
 * The most calls in progress at once in this process. It is so high that slow networks do not
 * use all places.
 */
const parallelism = 256
/** The same limit for one tenant, so that the others always have places. */
const mostOfTenant = 192
/** And for one organization, which leaves the rest to the others of its tenant. */
const mostOfOrganization = 128

interface OpenLane {
  lane: Lane
  running: number
  isClaiming: boolean
  /** The last claim found no more work that may be done before a call ends. */
  isDry: boolean
}

function createLanes(work: WorkKind): Lanes {
  /** The lanes in the order of their turns. */
  const open = new Map<string, OpenLane>()
  const counts = createCallCounts()
  const running = new Set<Promise<void>>()
  let isClosed = false
  let filling: NodeJS.Immediate | undefined

  const track = (task: Promise<void>) => {
    const tracked = task.catch(work.reportFailure).finally(() => running.delete(tracked))
    running.add(tracked)
  }
  const mayBegin = ({ lane, isClaiming, isDry }: OpenLane) =>
    !isClaiming && !isDry && counts.roomOf(lane) > 0
  const count = (each: OpenLane, change: number) => {
    each.running += change
    counts.add(each.lane, change)
  }

  /** Claims what the lane may do now, and does it. */
  const begin = async (each: OpenLane) => {
    count(each, 1)
    try {
      // The claim itself has a place in all numbers. The first of its calls takes this place.
      const most = 1 + Math.min(parallelism - running.size, counts.roomOf(each.lane))
      for (const call of await claimCalls(work, each, most)) track(make(each, call))
    } finally {
      end(each)
    }
  }
  const make = async (each: OpenLane, call: () => Promise<unknown>) => {
    count(each, 1)
    try {
      await call()
      // Work that waited for this call may be done now.
      each.isDry = false
    } finally {
      end(each)
    }
  }
  const end = (each: OpenLane) => {
    count(each, -1)
    if (each.isDry && each.running === 0) open.delete(keyOf(each.lane))
    // Once for all calls that end in this turn of the event loop, so that one claim follows them.
    filling ??= setImmediate(fill)
  }
  const fill = () => {
    clearImmediate(filling)
    filling = undefined
    // Iterates over a copy, because a lane that takes its turn moves to the end.
    for (const [key, each] of [...open]) {
      if (isClosed || running.size >= parallelism) return
      if (!mayBegin(each)) continue
      open.delete(key)
      open.set(key, each)
      track(begin(each))
    }
  }
  const look = createRepeatable(async () => {
    if (!isClosed) openLanes(open, await work.list())
    fill()
  })
  return {
    wake() {
      const looking = isClosed ? undefined : look()
      if (looking) track(looking)
    },
    async idle() {
      while (running.size > 0 || filling) {
        await Promise.all(running)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    close() {
      isClosed = true
    },
  }
}

function openLanes(open: Map<string, OpenLane>, lanes: readonly Lane[]): void {
  for (const lane of lanes) {
    const known = open.get(keyOf(lane))
    if (known) known.isDry = false
    else open.set(keyOf(lane), { lane, running: 0, isClaiming: false, isDry: false })
  }
}

/** If it finds less, the lane stays dry until one of its calls has ended, or `list` returns it. */
async function claimCalls(work: WorkKind, each: OpenLane, most: number) {
  each.isClaiming = true
  each.isDry = true
  try {
    const calls = await work.claim(each.lane, Math.max(1, most))
    if (calls.length >= most) each.isDry = false
    return calls
  } finally {
    each.isClaiming = false
  }
}

/** Counts the calls in progress of each organization and tenant. */
function createCallCounts() {
  const counts = new Map<string, number>()
  return {
    /** The calls that may begin in addition to those of the lane's organization and tenant. */
    roomOf(lane: Lane): number {
      const [ofTenant = 0, ofOrganization = 0] = ownersOf(lane).map((key) => counts.get(key) ?? 0)
      return Math.min(mostOfTenant - ofTenant, mostOfOrganization - ofOrganization)
    },
    add(lane: Lane, change: number): void {
      for (const key of ownersOf(lane)) {
        const running = (counts.get(key) ?? 0) + change
        if (running > 0) counts.set(key, running)
        else counts.delete(key)
      }
    },
  }
}

/** While `work` is in progress, asking for it lets it run once more, and returns nothing. */
function createRepeatable(work: () => Promise<void>): () => Promise<void> | undefined {
  let state: 'idle' | 'running' | 'asked' = 'idle'
  const isAsked = () => state === 'asked'
  const run = async () => {
    try {
      do {
        state = 'running'
        await work()
      } while (isAsked())
    } finally {
      // Set at once: what is asked between the last check and this line would be lost.
      state = 'idle'
    }
  }
  return () => {
    if (state === 'idle') return run()
    state = 'asked'
    return undefined
  }
}

/** The tenant of a lane, and its organization. */
function ownersOf({ tenant_id, organization_id }: Lane): string[] {
  return [`tenant ${tenant_id}`, `organization ${organization_id}`]
}

function keyOf({ network, register_method, organization_id }: Lane): string {
  return `${network} ${register_method} ${organization_id}`
}

/** The most calls of one organization at once that requests of this process wait for. */
const atOnce = 16
/**
 * The most requests of one organization that wait for a turn. For further ones, the background
 * makes the calls.
 */
const waiting = 200

/** Makes the calls that requests wait for. Each organization has its own waiting line. */
interface AwaitedCalls {
  /** Whether a call of the organization would begin at once. */
  isFree(organizationId: number): boolean
  inTurn(organizationId: number, call: () => Promise<void>): Promise<void>
}

/** A slow network delays requests of its own organization only. */
function createAwaitedCalls(): AwaitedCalls {
  const limits = createLimitPerKey({ atOnce, waiting })
  return {
    isFree: (organizationId) => limits.count(organizationId) < atOnce,
    async inTurn(organizationId, call) {
      try {
        await limits.run(organizationId, call)
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
      }
    },
  }
}
