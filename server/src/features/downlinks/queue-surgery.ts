import {
  type NetworkConnection,
  NetworkError,
  type QueuedDownlink,
} from '../../networks/network.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { claimMilliseconds, type HandOverDependencies } from './hand-over.ts'
import { noteHandOver } from './ledger.ts'
import { lockQueue, type QueueClaim, renewClaim } from './queue-queries.ts'
import { findReportedItems, reportTopic } from './report-queries.ts'

/**
 * Takes one item out of a network's queue that can only be emptied as a whole. The steps are such
 * that a crash between any two loses no downlink of ours: before the queue is emptied, all that it
 * holds of ours is queued here again, and the sender brings it back.
 */

/** A device's queue at its network, claimed. */
export interface NetworkQueue {
  eui: string
  connection: NetworkConnection
  claim: QueueClaim
}

export interface EmptiedQueue {
  /** What the queue held beside the target, oldest first. */
  others: { item: QueuedDownlink; downlink: StoredDownlink | undefined }[]
  /** Ids of the items that were sent, or may have been, while the queue was being emptied. */
  mayHaveGone: ReadonlySet<string>
}

/** How long the network's reports of what it sent meanwhile are waited for. */
const reportMilliseconds = 2_000

/**
 * Empties the queue; undefined, and nothing is done, when the target has left it or waits for its
 * acknowledgement. Throws `NetworkError`; then all that is ours is queued here, and uncertain.
 */
export async function emptyQueue(
  { db, signals }: HandOverDependencies,
  { eui, connection, claim }: NetworkQueue,
  target: StoredDownlink,
): Promise<EmptiedQueue | undefined> {
  const { organization_id, device_id } = claim
  const framesBefore = await connection.countDownlinkFrames?.(eui)
  const ours = await downlinkQueries.listWaiting(db, organization_id, device_id)
  const items = (await connection.listDownlinks?.(eui)) ?? ours.flatMap(asQueued)
  // A pending item was sent; emptying the queue costs no more than the report of its arrival.
  const waiting = items.filter(({ isPending }) => !isPending)
  if (!waiting.some(({ id }) => id === target.queue_item_id)) return undefined
  const byItem = new Map(ours.map((downlink) => [downlink.queue_item_id, downlink]))
  await db.transaction(async (tx) => {
    await lockQueue(tx, organization_id, device_id)
    const held = waiting.flatMap(({ id }) => byItem.get(id)?.id ?? [])
    await downlinkQueries.takeBack(tx, organization_id, held)
  })
  await connection.flushDownlinks?.(eui)
  const framesSince = await countFramesSince(connection, eui, framesBefore)
  const ids = waiting.slice(0, framesSince).map(({ id }) => id)
  const reported = await awaitReports({ db, signals }, claim, ids)
  return {
    others: waiting
      .filter(({ id }) => id !== target.queue_item_id && !reported.has(id))
      .map((item) => ({ item, downlink: byItem.get(item.id) })),
    // A network that does not count its frames has had the time to report them.
    mayHaveGone: framesBefore === undefined ? reported : new Set(ids),
  }
}

/** For a network that does not list its queue: what we know to be in it. */
function asQueued({ state, queue_item_id, f_port, payload }: StoredDownlink): QueuedDownlink[] {
  if (state !== 'handed_over' || queue_item_id === null) return []
  const item = { id: queue_item_id, fPort: f_port, payload, confirmed: false, isPending: false }
  return [item]
}

/** The queue is emptied by now: not knowing how many frames were sent, take it for any number. */
async function countFramesSince(
  connection: NetworkConnection,
  eui: string,
  before: number | undefined,
): Promise<number | undefined> {
  if (before === undefined) return undefined
  try {
    const after = await connection.countDownlinkFrames?.(eui)
    // Fewer than before: the device has joined again.
    return after === undefined || after < before ? undefined : after - before
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}

/** Waits until the network has told of all these items, or for so long that it will not. */
async function awaitReports(
  { db, signals }: Pick<HandOverDependencies, 'db' | 'signals'>,
  { organization_id, device_id }: QueueClaim,
  itemIds: readonly string[],
): Promise<Set<string>> {
  if (itemIds.length === 0) return new Set()
  const find = () => findReportedItems(db, organization_id, device_id, itemIds)
  const findAll = async () => {
    const reported = await find()
    return reported.size === itemIds.length ? reported : undefined
  }
  const all = await signals.waitFor(reportTopic(device_id), findAll, reportMilliseconds)
  return all ?? find()
}

/**
 * Queues the others again in their order. What fails of ours stays queued here, with all of ours
 * behind it, and the sender goes on with it.
 */
export async function putBack(
  dependencies: HandOverDependencies,
  queue: NetworkQueue,
  { others }: EmptiedQueue,
): Promise<void> {
  let isInOrder = true
  for (const { item, downlink } of others) {
    if (downlink && !isInOrder) continue
    try {
      const claimedUntil = new Date(dependencies.now().getTime() + claimMilliseconds)
      if (!(await renewClaim(dependencies.db, queue.claim, claimedUntil))) return
      await putBackOne(dependencies, queue, item, downlink)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      isInOrder = false
      const lost = downlink ? {} : { lost: Buffer.from(item.payload).toString('hex') }
      dependencies.log.error({ eui: queue.eui, ...lost, reason: error.message }, 'not put back')
    }
  }
}

async function putBackOne(
  { db }: HandOverDependencies,
  { eui, connection, claim }: NetworkQueue,
  { fPort, payload, confirmed }: QueuedDownlink,
  downlink: StoredDownlink | undefined,
): Promise<void> {
  const { organization_id, device_id } = claim
  if (downlink) {
    const now = await downlinkQueries.find(db, organization_id, downlink.id)
    if (now?.state !== 'queued') return
  }
  const itemId = await connection.queueDownlink({ devEui: eui, fPort, payload, confirmed })
  if (!downlink || itemId === undefined) return
  await db.transaction(async (tx) => {
    await lockQueue(tx, organization_id, device_id)
    await noteHandOver(tx, downlink, itemId)
  })
}
