import type { Database, Queryable } from '../../db/connect.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { noteFailedCall, noteSuccess } from '../connections/account-health.ts'
import { isFinal, nextAttemptAt } from '../connections/attempts.ts'
import type { ConnectionServices } from '../connections/connections.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { advance, noteHandOvers } from './ledger.ts'
import type { DueQueue } from './queue-claim-queries.ts'
import { releaseQueues } from './queue-claims.ts'
import { findRecordedItems } from './report-queries.ts'

const announcementMilliseconds = 6 * 3_600_000

/** The same for who hands them over. */
export interface Sending extends ConnectionServices {
  /** Records that the network took a downlink and releases its queue; true when more is queued. */
  noteTaken(taken: TakenDownlink): Promise<boolean>
}

/** A claimed queue with its head. */
interface Task {
  queue: DueQueue
  downlink: StoredDownlink
}

/** What the network took, and its id of the queue item. */
export interface TakenDownlink extends Task {
  queueItemId: string
}

/** What came of a hand-over. */
interface HandOverResult {
  /** Whether more is queued for the device. */
  isMore: boolean
  /** The network did not take it: it failed for good, or is tried again. */
  isRefused: boolean
}

/** A hand-over that was claimed, to be made. */
export type ClaimedHandOver = () => Promise<HandOverResult>

/** The hand-over of what was claimed. */
export function toHandOver(sending: Sending, queue: DueQueue): ClaimedHandOver {
  const { downlink } = queue
  return () => (downlink ? handOver(sending, { queue, downlink }) : letGo(sending, queue))
}

async function handOver(sending: Sending, task: Task): Promise<HandOverResult> {
  const { queue, downlink } = task
  const attempt = { isUncertain: downlink.is_uncertain }
  try {
    const connection = await sending.connections.open(queue.account_id, queue)
    const queueItemId = await queueOnce(sending, connection, task, attempt)
    const isMore =
      queueItemId === undefined
        ? await recordAnnouncement(sending, task)
        : await sending.noteTaken({ ...task, queueItemId })
    if (!queue.is_account_well) await noteSuccess(sending, queue.account_id, connection)
    return { isMore, isRefused: false }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const { eui, account_id } = queue
    sending.log.warn({ downlink: downlink.id, eui, reason: error.message }, 'network')
    const isMore = await recordFailure(sending, task, error, attempt.isUncertain)
    await noteFailedCall(sending.db, account_id, error, sending.now())
    return { isMore, isRefused: true }
  }
}

/** For a queue whose head was taken by somebody else while it was claimed. */
async function letGo(sending: Sending, queue: DueQueue): Promise<HandOverResult> {
  return { isMore: await release(sending, queue, sending.now()), isRefused: false }
}

/**
 * Keeps in `attempt` whether the network may hold the downlink should this throw. A network that
 * does not list its queue cannot be asked what became of an earlier attempt: there it is made again
 * and may arrive twice, and no later failure makes the first one undone.
 */
async function queueOnce(
  { db }: ConnectionServices,
  connection: NetworkConnection,
  { queue, downlink }: Task,
  attempt: { isUncertain: boolean },
): Promise<string | undefined> {
  if (attempt.isUncertain) {
    const known = await findAtNetwork(db, connection, queue.eui, downlink)
    if (known !== undefined) return known
    attempt.isUncertain = connection.listDownlinks === undefined
  }
  return queueAtNetwork(connection, queue.eui, downlink).catch((error) => {
    const isUndone = error instanceof NetworkError && error.isUndone
    attempt.isUncertain ||= !isUndone
    throw error
  })
}

/**
 * Unconfirmed, since the sensor answers with a frame of its own, and a confirmed downlink that it
 * does not hear would hold up the network's queue.
 */
function queueAtNetwork(
  connection: NetworkConnection,
  eui: string,
  { f_port, payload }: StoredDownlink,
): Promise<string | undefined> {
  if (!connection.queueDownlink) throw new NetworkError('refused', 'It takes no downlinks.')
  return connection.queueDownlink({ devEui: eui, fPort: f_port, payload, confirmed: false })
}

/**
 * The network's id of a downlink that it may hold without our knowing: the one that we knew, or
 * else an item of the same bytes that belongs to no other downlink. Throws `NetworkError`.
 */
export async function findAtNetwork(
  db: Database,
  connection: NetworkConnection,
  eui: string,
  downlink: StoredDownlink,
): Promise<string | undefined> {
  const items = (await connection.listDownlinks?.(eui)) ?? []
  const own = items.find(({ id }) => id === downlink.queue_item_id)
  if (own) return own.id
  const alike = items
    .filter(({ fPort, payload }) => fPort === downlink.f_port && downlink.payload.equals(payload))
    .map(({ id }) => id)
  if (alike.length === 0) return undefined
  const { organization_id, device_id } = downlink
  const recorded = await findRecordedItems(db, organization_id, device_id, alike)
  return alike.find((id) => !recorded.has(id))
}

/** `Sending.noteTaken` for downlinks of one organization, in one transaction. */
export async function noteAllTaken(
  services: ConnectionServices,
  taken: readonly TakenDownlink[],
): Promise<boolean[]> {
  const queues = taken.map(({ queue }) => queue)
  const organizationId = queues[0]?.organization_id ?? 0
  const withMore = await releaseQueues(services, queues, services.now(), (tx) =>
    noteHandOvers(tx, organizationId, taken),
  )
  return queues.map(({ device_id }) => withMore.has(device_id))
}

/** The network will ask for it; it is told again when it has not for a long time. */
async function recordAnnouncement(
  services: ConnectionServices,
  { queue, downlink }: Task,
): Promise<boolean> {
  const toldAgainAt = new Date(services.now().getTime() + announcementMilliseconds)
  return release(services, queue, toldAgainAt, (tx) =>
    downlinkQueries.noteFailedAttempt(tx, downlink, { isUncertain: false, reason: null }),
  )
}

/** A refusal is final; anything else is tried again, with back-off. */
async function recordFailure(
  services: ConnectionServices,
  { queue, downlink }: Task,
  error: NetworkError,
  isUncertain: boolean,
): Promise<boolean> {
  const now = services.now()
  const isOver = isFinal(error)
  const dueAt = isOver ? now : nextAttemptAt(now, downlink.attempts, error)
  const { message } = error
  return release(services, queue, dueAt, (tx) =>
    Promise.all([
      downlinkQueries.noteFailedAttempt(tx, downlink, { isUncertain, reason: message }),
      isOver && advance(tx, downlink, 'failed', message),
    ]),
  )
}

/** Gives a queue back; true when downlinks are still queued in it. */
async function release(
  services: ConnectionServices,
  queue: DueQueue,
  dueAt: Date,
  note?: (tx: Queryable) => Promise<unknown>,
): Promise<boolean> {
  const withMore = await releaseQueues(services, [queue], dueAt, note)
  return withMore.has(queue.device_id)
}
