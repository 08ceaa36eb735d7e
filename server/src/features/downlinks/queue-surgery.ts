import type { QueuedDownlink } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { claimFromNow } from '../connections/attempts.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { noteHandOver } from './ledger.ts'
import { lockQueue, type QueueClaim, renewClaim } from './queue-queries.ts'
import { findReportedItems, reportTopic } from './report-queries.ts'
import { lookAt, type NetworkQueue, type QueueLook } from './still-queue.ts'
import { findLatestUplink } from './traffic-queries.ts'

/**
 * Takes one item out of a network's queue that can only be emptied as a whole. The steps are such
 * that a crash between any two loses no downlink of ours: before the queue is emptied, all that it
 * holds of ours is queued here again, and the sender brings it back.
 */

export interface EmptiedQueue {
  /** What the queue held and has to hold again, oldest first. */
  others: { item: QueuedDownlink; downlink: StoredDownlink | undefined }[]
  /** Ids of the items that were sent, or may have been, while the queue was being emptied. */
  mayHaveGone: ReadonlySet<string>
}

/** How long the network's reports of what it sent meanwhile are waited for. */
const reportMilliseconds = 2_000
/** The same for what left the queue just before it was emptied, and how lately that may have been. */
const lateReportMilliseconds = 1_000
const latelyMilliseconds = 60_000

/**
 * Empties the queue; undefined, and nothing is done, when it is not as it was seen any more. Throws
 * `NetworkError`; then all that is ours is queued here, and uncertain.
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
  // A pending item was sent; emptying the queue costs no more than the report of its arrival.
  const waiting = look.items.filter(({ isPending }) => !isPending)
  const byItem = new Map(ours.map((downlink) => [downlink.queue_item_id, downlink]))
  const held = waiting.flatMap(({ id }) => byItem.get(id)?.id ?? [])
  const change = (make: typeof downlinkQueries.takeBack) =>
    db.transaction(async (tx) => {
      await lockQueue(tx, organization_id, device_id)
      await make(tx, organization_id, held)
    })
  await change(downlinkQueries.takeBack)
  // Once more, so that no more than this call and the next lie between the look and the emptying.
  if (connection.listDownlinks && !isSame(look, await lookAt(services, queue))) {
    await change(downlinkQueries.giveBack)
    return undefined
  }
  const emptiedAt = performance.now()
  await connection.flushDownlinks?.(eui)
  const { reported, mayHaveGone } = await findGone(services, queue, look, {
    waiting,
    emptiedAt,
  })
  return {
    // What may have gone comes again in its place, the target too: where its frame is in the air
    // the device drops the second one, which takes the counter that the network did not advance.
    others: waiting
      .filter(({ id }) => !reported.has(id) && (id !== target.queue_item_id || mayHaveGone.has(id)))
      .map((item) => ({ item, downlink: byItem.get(item.id) })),
    mayHaveGone,
  }
}

function isSame(before: QueueLook, now: QueueLook): boolean {
  const key = ({ session, items }: QueueLook) =>
    JSON.stringify([
      session,
      items.map(({ id, isPending, isWithGateway }) => [id, isPending, isWithGateway]),
    ])
  return key(before) === key(now)
}

/** What was sent, or may have been, between the look and the emptying. */
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
  // A report may be under way, and the counter is advanced after it (chirpstack/src/downlink/tx_ack.rs).
  const late =
    holdsUntilReport && wasHeardLately
      ? await awaitReports({ db, signals }, claim, head, lateReportMilliseconds)
      : []
  const gone = await countGone(queue, look)
  const ids = waiting.slice(0, gone).map(({ id }) => id)
  const told = await awaitReports({ db, signals }, claim, ids, reportMilliseconds)
  const reported = new Set([...late, ...told])
  if (connection.readSession) return { reported, mayHaveGone: new Set([...ids, ...reported]) }
  // A network that does not count its frames has had the time to report them, and what it sent
  // them after.
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
 * How many items may have left the queue while it was being emptied; undefined: any number. It is
 * emptied by now: what cannot be found out is taken for so.
 */
async function countGone(
  { connection, eui, holdsUntilReport }: NetworkQueue,
  { session }: QueueLook,
): Promise<number | undefined> {
  if (!connection.readSession) return undefined
  try {
    const now = await connection.readSession(eui)
    const [before, after] = [session?.downlinks ?? 0, now?.downlinks ?? 0]
    // The device has joined again.
    if (after < before) return undefined
    // After an uplink a gateway may have been given one that is not counted yet.
    const wasHeard = holdsUntilReport && now?.uplinks !== session?.uplinks
    return after - before + (wasHeard ? 1 : 0)
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}

/** Waits until the network has told of all these items, or for so long that it will not. */
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
 * Queues the others again in their order. What fails of ours stays queued here, with all of ours
 * behind it, and the sender goes on with it.
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
