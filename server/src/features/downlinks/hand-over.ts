import type { FastifyBaseLogger } from 'fastify'
import type { Database, Queryable } from '../../db/connect.ts'
import type { Presence } from '../../db/presence.ts'
import type { Signals } from '../../db/signals.ts'
import type { NetworkConnection } from '../../networks/network.ts'
import { NetworkError } from '../../networks/network-error.ts'
import { noteFailedCall, noteSuccess } from '../connections/account-health.ts'
import type { NetworkConnections } from '../connections/connections.ts'
import type { Lane } from '../connections/lane-queries.ts'
import type { StoredDownlink } from './downlink-queries.ts'
import * as downlinkQueries from './downlink-queries.ts'
import { advance, noteHandOvers } from './ledger.ts'
import { type AwaitedQueues, claimDue, type DueQueue } from './queue-claim-queries.ts'
import * as queueQueries from './queue-queries.ts'
import { findRecordedItems } from './report-queries.ts'

/** What it takes to bring downlinks to their networks. */
export interface HandOverDependencies {
  db: Database
  log: FastifyBaseLogger
  now(): Date
  connections: NetworkConnections
  signals: Signals
  presence: Presence
}

/** Beyond the deadlines of the calls of one hand-over, so that no two speak for one device. */
export const claimMilliseconds = 60_000
const longestPause = 5 * 60_000
const announcementMilliseconds = 6 * 3_600_000

/** The same for who hands them over. */
export interface Sending extends HandOverDependencies {
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
export interface HandOverResult {
  /** Whether more is queued for the device. */
  isMore: boolean
  /** The network did not take it: it failed for good, or is tried again. */
  isRefused: boolean
}

/** A hand-over that was claimed, to be made. */
export type ClaimedHandOver = () => Promise<HandOverResult>

/**
 * Claims the oldest downlinks that are due, of some devices or of a lane, each of another device. The
 * network is called outside any transaction: should the process die between its answer and our
 * writing it down, the next attempt looks for the downlink in the network's queue first.
 */
export function claimQueues(
  { now, presence }: HandOverDependencies,
  db: Queryable,
  what: Lane | AwaitedQueues,
  most: number,
): Promise<DueQueue[]> {
  const time = now()
  const claimedUntil = new Date(time.getTime() + claimMilliseconds)
  return claimDue(db, what, { now: time, claimedUntil, claimedBy: presence.id }, most)
}

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
  const isMore = await release(sending, queue, sending.now(), async () => undefined)
  return { isMore, isRefused: false }
}

/**
 * Notes what became of a hand-over and gives the queue back, in one transaction. What is queued is
 * due at `nextAttemptAt`. Returns whether anything is.
 */
async function release(
  { db, now, signals }: HandOverDependencies,
  queue: DueQueue,
  nextAttemptAt: Date,
  note: (tx: Queryable) => Promise<unknown>,
): Promise<boolean> {
  const { organization_id, device_id } = queue
  const isMore = await db.transaction(async (tx) => {
    // In this order, in one round trip.
    const [, , isMore] = await Promise.all([
      queueQueries.lockQueue(tx, organization_id, device_id),
      note(tx),
      queueQueries.releaseClaim(tx, queue, { now: now(), nextAttemptAt }),
    ])
    return isMore
  })
  signals.tell(queueQueries.queueTopic(device_id))
  return isMore
}

/**
 * Keeps in `attempt` whether the network may hold the downlink should this throw. A network that
 * does not list its queue cannot be asked what became of an earlier attempt: there it is made again
 * and may arrive twice, and no later failure makes the first one undone.
 */
async function queueOnce(
  { db }: HandOverDependencies,
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
export async function queueAtNetwork(
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
  { db, now, signals }: HandOverDependencies,
  taken: readonly TakenDownlink[],
): Promise<boolean[]> {
  const queues = taken.map(({ queue }) => queue)
  const organizationId = queues[0]?.organization_id ?? 0
  const deviceIds = queues.map(({ device_id }) => device_id)
  const more = await db.transaction(async (tx) => {
    // In this order, in one round trip.
    const [, , more] = await Promise.all([
      queueQueries.lockQueues(tx, organizationId, deviceIds),
      noteHandOvers(tx, organizationId, taken),
      queueQueries.releaseClaims(tx, organizationId, queues, { now: now(), nextAttemptAt: now() }),
    ])
    return more
  })
  for (const id of deviceIds) signals.tell(queueQueries.queueTopic(id))
  return deviceIds.map((id) => more.has(id))
}

/** The network will ask for it; it is told again when it has not for a long time. */
async function recordAnnouncement(
  dependencies: HandOverDependencies,
  { queue, downlink }: Task,
): Promise<boolean> {
  const nextAttemptAt = new Date(dependencies.now().getTime() + announcementMilliseconds)
  return release(dependencies, queue, nextAttemptAt, (tx) =>
    downlinkQueries.noteFailedAttempt(tx, downlink, { isUncertain: false, reason: null }),
  )
}

/** A refusal is final; anything else is tried again, with back-off. */
async function recordFailure(
  dependencies: HandOverDependencies,
  { queue, downlink }: Task,
  error: NetworkError,
  isUncertain: boolean,
): Promise<boolean> {
  const isFinal = error.kind === 'refused' && error.about !== 'account'
  const isPaced = error.kind === 'slow_down' ? error.retryAfterMs : undefined
  const pause = isFinal ? 0 : (isPaced ?? pauseAfter(downlink.attempts))
  const nextAttemptAt = new Date(dependencies.now().getTime() + pause)
  const { message } = error
  return release(dependencies, queue, nextAttemptAt, (tx) =>
    Promise.all([
      downlinkQueries.noteFailedAttempt(tx, downlink, { isUncertain, reason: message }),
      isFinal && advance(tx, downlink, 'failed', message),
    ]),
  )
}

/** Doubles up to the longest; up to a quarter more keeps a thousand devices from coming at once. */
function pauseAfter(attempts: number): number {
  const pause = Math.min(longestPause, 1000 * 2 ** Math.min(attempts, 10))
  return pause * (1 + 0.25 * Math.random())
}
