import type { Database, Queryable } from '../../db/connect.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { noteFailedCall, noteSuccess } from '../accounts/connections/account-health.ts'
import { isFinal, nextAttemptAt } from '../accounts/connections/attempts.ts'
import type { ConnectionServices } from '../accounts/connections/connections.ts'
import { announce } from '../outgoing/events/announce.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { expiryReason, isExpired, uncertainExpiryReason } from './expiry.ts'
import { advance, noteHandOvers } from './ledger.ts'
import type { DueQueue } from './queue-claim-queries.ts'
import { releaseQueues } from './queue-claims.ts'
import { ClaimLost, requireHeld } from './queue-queries.ts'
import { findRecordedItems } from './report-queries.ts'

const announcementMilliseconds = 6 * 3_600_000

/** The services for hand-overs. */
export interface Sending extends ConnectionServices {
  /** Records that the network took a downlink and releases its queue; true when more is queued. */
  noteTaken(taken: TakenDownlink): Promise<boolean>
}

/** A claimed queue with its head. */
interface Task {
  queue: DueQueue
  downlink: StoredDownlink
}

/** A downlink that the network accepted, and the network's id of the queue item. */
export interface TakenDownlink extends Task {
  queueItemId: string
}

/** The result of a hand-over. */
interface HandOverResult {
  /** Whether more downlinks are queued for the device. */
  isMore: boolean
  /** The network did not accept the downlink. The downlink failed for good, or is tried again. */
  isRefused: boolean
}

/** Makes one hand-over whose queue is already claimed. */
export type ClaimedHandOver = () => Promise<HandOverResult>

/** Makes the hand-over function for a claimed queue. */
export function toHandOver(sending: Sending, queue: DueQueue): ClaimedHandOver {
  const { downlink } = queue
  return () => (downlink ? traceHandOver(sending, { queue, downlink }) : letGo(sending, queue))
}

function traceHandOver(sending: Sending, task: Task): Promise<HandOverResult> {
  const { organization_id, account_id } = task.queue
  const attributes = {
    'lora.organization.id': organization_id,
    'lora.account.id': account_id,
    'lora.downlink.id': task.downlink.id,
  }
  return sending.tracer.run({ name: 'hand over downlink', attributes }, async (span) => {
    const result = await handOver(sending, task)
    if (result.isRefused) span.fail('refused')
    return result
  })
}

async function handOver(sending: Sending, task: Task): Promise<HandOverResult> {
  const { queue, downlink } = task
  const attempt = { isUncertain: downlink.is_uncertain }
  const isLate = isExpired(downlink, sending.now())
  if (isLate && !attempt.isUncertain) return expire(sending, task)
  try {
    const connection = await sending.connections.open(queue.account_id, queue)
    const known = isLate && (await findAtNetwork(sending.db, connection, queue.eui, downlink))
    if (isLate && !known) return expire(sending, task, connection)
    const queueItemId = known || (await queueOnce(sending, connection, task, attempt))
    const isMore =
      queueItemId === undefined
        ? await recordAnnouncement(sending, task)
        : await sending.noteTaken({ ...task, queueItemId })
    if (!queue.is_account_well) await noteSuccess(sending, queue.account_id, connection)
    return { isMore, isRefused: false }
  } catch (error) {
    if (error instanceof ClaimLost) return { isMore: false, isRefused: true }
    if (!(error instanceof NetworkError)) throw error
    const { eui, account_id } = queue
    sending.log.warn({ downlink: downlink.id, eui, reason: error.message }, 'network')
    const isMore = await recordFailure(sending, task, error, attempt.isUncertain)
    await noteFailedCall(sending.db, account_id, error, sending.now())
    return { isMore, isRefused: true }
  }
}

/**
 * Ends a downlink whose time has passed. The network was not called, or it lists its queue and the
 * downlink is not there. Where it does not list it, an earlier call may have handed the downlink
 * over: then it has not expired, and a late report still counts.
 */
async function expire(
  sending: Sending,
  { queue, downlink }: Task,
  asked?: NetworkConnection,
): Promise<HandOverResult> {
  const isOpen = asked !== undefined && asked.listDownlinks === undefined
  const isMore = await release(sending, queue, sending.now(), async (tx) => {
    if (!asked) await downlinkQueries.withdrawAttempt(tx, downlink)
    if (isOpen) {
      await advance(tx, downlink, 'failed', uncertainExpiryReason)
      await downlinkQueries.markUncertain(tx, downlink.organization_id, downlink.id)
    } else {
      await advance(tx, downlink, 'expired', expiryReason)
    }
  })
  return { isMore, isRefused: true }
}

/** Releases a queue without a head: another transaction took the head during the claim. */
async function letGo(sending: Sending, queue: DueQueue): Promise<HandOverResult> {
  return { isMore: await release(sending, queue, sending.now()), isRefused: false }
}

/**
 * Hands the downlink over, unless the network already holds it. If this function throws, `attempt`
 * says whether the network may hold the downlink. If a network cannot list its queue, the outcome
 * of an earlier attempt stays unknown. Then the attempt is repeated, and the downlink may arrive
 * twice. A later failure does not prove that the first attempt had no effect.
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
  await requireHeld(db, queue)
  return queueAtNetwork(connection, queue.eui, downlink).catch((error) => {
    const isUndone = error instanceof NetworkError && error.isUndone
    attempt.isUncertain ||= !isUndone
    throw error
  })
}

/**
 * A configuration is unconfirmed, because the sensor answers with a frame of its own. A confirmed
 * downlink that the device does not receive blocks the network's queue.
 */
function queueAtNetwork(
  connection: NetworkConnection,
  eui: string,
  { f_port, payload, is_confirmed: confirmed }: StoredDownlink,
): Promise<string | undefined> {
  if (!connection.queueDownlink) throw new NetworkError('refused', 'It takes no downlinks.')
  return connection.queueDownlink({ devEui: eui, fPort: f_port, payload, confirmed })
}

/**
 * Finds the network's id of a downlink whose hand-over has an unknown outcome. The first choice is
 * the id of an earlier hand-over, if the queue still has that item. Otherwise it is the id of an
 * item with the same port and bytes that belongs to no other downlink. Throws `NetworkError`.
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
  const changes = queues.map(({ device_id }) => ({ kind: 'downlink' as const, id: device_id }))
  announce(services, organizationId, ...changes)
  return queues.map(({ device_id }) => withMore.has(device_id))
}

/**
 * The network was notified and will request the downlink. If the network does not request it for a
 * long time, it is notified again.
 */
async function recordAnnouncement(
  services: ConnectionServices,
  { queue, downlink }: Task,
): Promise<boolean> {
  const toldAgainAt = new Date(services.now().getTime() + announcementMilliseconds)
  return release(services, queue, toldAgainAt, (tx) =>
    downlinkQueries.noteFailedAttempt(tx, downlink, { isUncertain: false, reason: null }),
  )
}

/** A refusal is final. After any other failure the downlink is tried again, with back-off. */
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

/** Releases the claim on a queue. Returns true if downlinks are still queued in it. */
async function release(
  services: ConnectionServices,
  queue: DueQueue,
  dueAt: Date,
  note?: (tx: Queryable) => Promise<unknown>,
): Promise<boolean> {
  const withMore = await releaseQueues(services, [queue], dueAt, note)
  announce(services, queue.organization_id, { kind: 'downlink', id: queue.device_id })
  return withMore.has(queue.device_id)
}
