import type { Queryable } from '../../db/connect.ts'
import type { QueuedDownlink } from '../../networks/device-queue.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { claimFromNow } from '../accounts/connections/attempts.ts'
import type { ConnectionServices } from '../accounts/connections/connections.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { noteHandOver } from './ledger.ts'
import {
  ClaimLost,
  lockQueue,
  makeDue,
  type QueueClaim,
  renewClaim,
  requireHeld,
} from './queue-queries.ts'
import { findReportedItems, reportTopic } from './report-queries.ts'
import { lookAt, type NetworkQueue, type QueueLook } from './still-queue.ts'
import { findLatestUplink } from './traffic-queries.ts'

/**
 * Removes one item from a network's queue that can only be emptied as a whole. A crash between any
 * two steps loses none of our downlinks: before the network's queue is emptied, all our downlinks
 * in it are queued here again. After a crash, the sender hands them over again.
 */

export interface EmptiedQueue {
  /** Ids of our downlinks that the network had. */
  held: readonly number[]
  /** The items that must be put back into the queue, oldest first. */
  others: { item: QueuedDownlink; downlink: StoredDownlink | undefined }[]
  /** Ids of the items that were sent, or may have been sent, while the queue was being emptied. */
  mayHaveGone: ReadonlySet<string>
}

/** How long to wait for the network's reports of items that it sent while the queue was emptied. */
const reportMilliseconds = 2_000
/**
 * The same for an item that left the queue just before it was emptied. The wait happens only if the
 * device sent an uplink within `latelyMilliseconds`.
 */
const lateReportMilliseconds = 1_000
const latelyMilliseconds = 60_000

/**
 * Empties the queue. Returns undefined, without emptying, if the queue is no longer as in `look`.
 * If this function throws `NetworkError` or `ClaimLost`, all our waiting downlinks of the network's
 * queue are queued here and uncertain.
 */
export async function emptyQueue(
  services: ConnectionServices,
  queue: NetworkQueue,
  target: StoredDownlink,
  look: QueueLook,
): Promise<EmptiedQueue | undefined> {
  const { db } = services
  const { eui, connection, claim } = queue
  const { organization_id, device_id } = claim
  const ours = await downlinkQueries.listWaiting(db, organization_id, device_id)
  // A pending item was already sent. Emptying the queue loses only the report of its arrival.
  const waiting = look.items.filter(({ isPending }) => !isPending)
  const byItem = new Map(ours.map((downlink) => [downlink.queue_item_id, downlink]))
  const held = waiting.flatMap(({ id }) => byItem.get(id)?.id ?? [])
  const change = (make: (tx: Queryable) => Promise<void>) =>
    db.transaction(async (tx) => {
      await lockQueue(tx, organization_id, device_id)
      // Long enough for what follows: the queue is due for others from now on.
      const { claimedUntil } = claimFromNow(services)
      if (!(await renewClaim(tx, claim, claimedUntil))) throw new ClaimLost()
      await make(tx)
    })
  await change((tx) => takeBack(tx, services, claim, held))
  // The second look leaves only this call and the next one between the look and the emptying.
  if (connection.listDownlinks && !isSame(look, await lookAt(services, queue))) {
    await change((tx) => downlinkQueries.giveBack(tx, organization_id, held))
    return undefined
  }
  await requireHeld(db, claim)
  const emptiedAt = performance.now()
  await connection.flushDownlinks?.(eui)
  const { reported, mayHaveGone } = await findGone(services, queue, look, {
    waiting,
    emptiedAt,
  })
  return {
    held,
    // An item that may have been sent goes back to its place, even the target. If its frame is in
    // the air, the network did not advance its counter. Then the second frame has the same counter,
    // and the device drops it.
    others: waiting
      .filter(({ id }) => !reported.has(id) && (id !== target.queue_item_id || mayHaveGone.has(id)))
      .map((item) => ({ item, downlink: byItem.get(item.id) })),
    mayHaveGone,
  }
}

/**
 * For a process that stood still until another one had the queue, and emptied the network's then: what
 * that one noted as handed over may be gone. The sender looks for each in the network's queue.
 */
export async function takeBackAgain(
  services: ConnectionServices,
  { claim }: NetworkQueue,
  { held }: EmptiedQueue,
): Promise<void> {
  await services.db.transaction(async (tx) => {
    await lockQueue(tx, claim.organization_id, claim.device_id)
    await takeBack(tx, services, claim, held)
  })
}

/** Whatever becomes of this process, the sender hands them over then. */
async function takeBack(
  tx: Queryable,
  { now }: ConnectionServices,
  claim: QueueClaim,
  held: readonly number[],
): Promise<void> {
  await downlinkQueries.takeBack(tx, claim.organization_id, held)
  await makeDue(tx, claim, now())
}

function isSame(before: QueueLook, now: QueueLook): boolean {
  const key = ({ session, items }: QueueLook) =>
    JSON.stringify([
      session,
      items.map(({ id, isPending, isWithGateway }) => [id, isPending, isWithGateway]),
    ])
  return key(before) === key(now)
}

/** Finds the items that were sent, or may have been sent, between the look and the emptying. */
async function findGone(
  { db, signals }: ConnectionServices,
  queue: NetworkQueue,
  look: QueueLook,
  { waiting, emptiedAt }: { waiting: readonly QueuedDownlink[]; emptiedAt: number },
): Promise<{ reported: Set<string>; mayHaveGone: Set<string> }> {
  const { connection, claim, holdsUntilReport } = queue
  const head = waiting.slice(0, 1).map(({ id }) => id)
  const wasHeardLately =
    look.session?.isListening || (await isHeardWithin(db, claim, latelyMilliseconds))
  // A report may be on its way, and the counter advances only after it
  // (chirpstack/src/downlink/tx_ack.rs).
  const late =
    holdsUntilReport && wasHeardLately
      ? await awaitReports({ db, signals }, claim, head, lateReportMilliseconds)
      : []
  const gone = await countGone(queue, look)
  const ids = waiting.slice(0, gone).map(({ id }) => id)
  const told = await awaitReports({ db, signals }, claim, ids, reportMilliseconds)
  const reported = new Set([...late, ...told])
  if (connection.readSession) return { reported, mayHaveGone: new Set([...ids, ...reported]) }
  // A network without a frame counter has had time to report its frames, and the uplinks that they
  // followed.
  const wasHeard = await isHeardWithin(db, claim, performance.now() - emptiedAt)
  return { reported, mayHaveGone: new Set([...reported, ...(wasHeard ? head : [])]) }
}

async function isHeardWithin(
  db: ConnectionServices['db'],
  claim: QueueClaim,
  milliseconds: number,
): Promise<boolean> {
  const latest = await findLatestUplink(db, claim)
  return latest !== undefined && latest.age < milliseconds
}

/**
 * How many items may have left the queue while it was being emptied. Undefined means any number.
 * The queue is already empty, so an unknown result counts as any number.
 */
async function countGone(
  { connection, eui, holdsUntilReport }: NetworkQueue,
  { session }: QueueLook,
): Promise<number | undefined> {
  if (!connection.readSession) return undefined
  try {
    const now = await connection.readSession(eui)
    const [before, after] = [session?.downlinks ?? 0, now?.downlinks ?? 0]
    // A lower counter: the device has joined again.
    if (after < before) return undefined
    // After an uplink, a gateway may have an item that the counter does not include yet.
    const wasHeard = holdsUntilReport && now?.uplinks !== session?.uplinks
    return after - before + (wasHeard ? 1 : 0)
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}

/** Waits for reports on all these items, at most so long. Returns the reported items. */
async function awaitReports(
  { db, signals }: Pick<ConnectionServices, 'db' | 'signals'>,
  { organization_id, device_id }: QueueClaim,
  itemIds: readonly string[],
  milliseconds: number,
): Promise<Set<string>> {
  if (itemIds.length === 0) return new Set()
  const find = () => findReportedItems(db, organization_id, device_id, itemIds)
  const findAll = async () => {
    const reported = await find()
    return reported.size === itemIds.length ? reported : undefined
  }
  const all = await signals.waitFor(reportTopic(device_id), findAll, milliseconds)
  return all ?? find()
}

/**
 * Puts the other items back into the network's queue in their order. If this fails for one of our
 * downlinks, it stays queued here with all our later ones, and the sender hands them over.
 */
export async function putBack(
  services: ConnectionServices,
  queue: NetworkQueue,
  { others }: EmptiedQueue,
): Promise<void> {
  let isInOrder = true
  for (const { item, downlink } of others) {
    if (downlink && !isInOrder) continue
    try {
      const { claimedUntil } = claimFromNow(services)
      if (!(await renewClaim(services.db, queue.claim, claimedUntil))) return
      await putBackOne(services, queue, item, downlink)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      isInOrder = false
      const lost = downlink ? {} : { lost: Buffer.from(item.payload).toString('hex') }
      services.log.error({ eui: queue.eui, ...lost, reason: error.message }, 'not put back')
    }
  }
}

async function putBackOne(
  { db }: ConnectionServices,
  { eui, connection, claim }: NetworkQueue,
  { fPort, payload, confirmed }: QueuedDownlink,
  downlink: StoredDownlink | undefined,
): Promise<void> {
  const { organization_id, device_id } = claim
  if (downlink) {
    const now = await downlinkQueries.find(db, organization_id, downlink.id)
    if (now?.state !== 'queued') return
  }
  const itemId = await connection.queueDownlink?.({ devEui: eui, fPort, payload, confirmed })
  if (!downlink || itemId === undefined) return
  await db.transaction(async (tx) => {
    await lockQueue(tx, organization_id, device_id)
    await noteHandOver(tx, downlink, itemId)
  })
}
